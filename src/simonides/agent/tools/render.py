"""Items as tools show them: compact, and text as it is, which JSON keeps apart from the answer's own words."""

from __future__ import annotations

from typing import Any, Final

from simonides import Candidates
from simonides.domain.instant import iso
from simonides.domain.item import Item, Status
from simonides.domain.verdict import Outcome, Verdict

#: Characters of a content that a list shows: all of what memories may hold but long turns and chunks.
_EXCERPT_CHARS: Final = 3000
_WAITS: Final = (
    "Tell the user that this is not in effect yet: it waits for their approval{why}. They approve it with "
    "`simonides review approve {id}`, or reject it with `simonides review reject {id}`. Do not try again in other "
    "words."
)
#: Beginnings of the reasons that the user's own words would take away.
_WANTS_THE_USER: Final = ("not the user's word", "needs approval")


def whole(item: Item, **signals: Any) -> dict[str, Any]:
    """An item with its full content. Where it is not active it says so, and what took its place."""
    fields: dict[str, Any] = {
        "id": item.id,
        "type": item.type,
        "tier": item.tier.value,
        "title": item.title,
        "content": item.display,
        "tags": list(item.tags),
        "scope": str(item.scope),
        "confidence": round(item.confidence, 6),
        "event_at": None if item.event_at is None else iso(item.event_at),
    }
    if item.status is not Status.ACTIVE:
        fields |= {"status": item.status.value, "superseded_by": item.superseded_by}
    return fields | signals


def brief(item: Item, excerpt: str = "", **signals: Any) -> dict[str, Any]:
    """An item in a list: of a very long content an excerpt is shown, else its beginning, and `truncated` says so."""
    if len(item.content) <= _EXCERPT_CHARS:
        return whole(item, **signals)
    shown = excerpt or f"{item.content[:_EXCERPT_CHARS]}…"
    return whole(item, **signals) | {"content": shown, "truncated": True}


def judged(verdict: Verdict) -> dict[str, Any]:
    """A verdict. Where it waits for a person, it says what the user is to be told."""
    answer = verdict.to_dict()
    if verdict.outcome is not Outcome.QUARANTINED:
        return answer
    unsaid = any(reason.startswith(_WANTS_THE_USER) for reason in verdict.reasons)
    unstated = ", because you asked for it and they are not recorded to have said so"
    why = unstated if unsaid or not verdict.reasons else f" ({'; '.join(verdict.reasons)})"
    return answer | {"say": _WAITS.format(why=why, id=verdict.item_id)}


def remarks(verdict: Verdict) -> dict[str, list[str]]:
    """Words for the user beside what was done."""
    return {"remarks": list(verdict.reasons)} if verdict.reasons else {}


def candidates(several: Candidates) -> dict[str, Any]:
    """Items that words may have meant; nothing was changed."""
    return {
        "candidates": [brief(hit.item, hit.excerpt, relevance=hit.relevance) for hit in several.hits],
        "reason": several.reason,
    }
