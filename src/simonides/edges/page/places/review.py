"""Review: one decision at a time, what waits for it beside the grounds, and the rest of the queue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from simonides.domain.instant import instant, iso
from simonides.domain.item import Item, Status
from simonides.domain.verdict import Outcome
from simonides.edges.page.notices import done
from simonides.edges.page.places.actions import resolution
from simonides.edges.page.visit import REVIEWER, Elsewhere, View, Visit, address
from simonides.edges.page.word_diff import DiffPart, word_diff
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides import Contradicted, Quarantined

_MOST: Final = 200
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
#: Events by which somebody decided.
_DECISIONS: Final = frozenset({"approve", "reject", "confirm", "reopen"})
_EVENTS_LOOKED_AT: Final = 200
_DIFFER: Final = {
    "number": "a number",
    "date": "a date",
    "name": "a name",
    "negation": "a denial",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEntry:
    """Something that waits for a decision.

    Attributes:
        key: Names it in the address.
        item: The proposal; of a contradiction the newer side.
        other: The memory that it stands against, where there is one.
        reasons: Why it waits, in sentences.
        asks: What a model asks to do with `other`; None of what is only proposed.
        parts: The difference from `other` to what it would say.
        low_trust: Whether it is found already, and only not put into prompts.
    """

    key: str
    item: Item
    other: Item | None
    reasons: Sequence[str]
    why: str | None = None
    actor: str = ""
    asks: str | None = None
    changes: Mapping[str, Any] | None = None
    parts: Sequence[DiffPart] = ()
    pair: bool = False
    low_trust: bool = False


def place(visit: Visit) -> View:
    """The queue, with one of it opened."""
    held = visit.memory.review.list(scope=visit.scope, limit=_MOST)
    pairs = [
        pair
        for pair in visit.memory.review.contradictions(scope=visit.scope, limit=_MOST)
        if not _apart(pair)
    ]
    low = visit.memory.review.list(scope=visit.scope, limit=_MOST, low_trust=True)
    queue = [
        *(_held(visit, one) for one in held),
        *(_pair(one) for one in pairs),
        *(_held(visit, one, low_trust=True) for one in low),
    ]
    wanted = visit.query.get("at")
    at = next((n for n, one in enumerate(queue) if one.key == wanted), 0)
    notice = done(visit)
    shown: dict[str, Any] = {
        "here": "Review",
        "queue": queue,
        "current": queue[at] if queue else None,
        "at": at,
        "notice": None if notice is None else notice[1],
        "decided": None if queue else _last_decision(visit),
    }
    data = {
        "quarantined": [one.to_dict() for one in held],
        "contradictions": [one.to_dict() for one in pairs],
        "low_trust": [one.to_dict() for one in low],
    }
    return View(template="review", shown=shown, data=data)


def _held(visit: Visit, one: Quarantined, *, low_trust: bool = False) -> ReviewEntry:
    request: Mapping[str, Any] | None = (one.wished or {}).get("request")
    other: Item | None = None
    asks: str | None = None
    changes: Mapping[str, Any] | None = None
    if request is not None:
        asks, changes = str(request.get("act")), dict(request.get("changes") or ())
        other = _seen(visit, str(request.get("item_id")))
    else:
        named = [id_ for reason in one.verdict.reasons for id_ in _ID.findall(reason)]
        other = next((item for item in (_seen(visit, name) for name in named) if item is not None), None)
    says = one.item.content if changes is None else str(changes.get("content", ""))
    return ReviewEntry(
        key=one.item.id,
        item=one.item,
        other=other,
        reasons=[_sentence(reason) for reason in one.verdict.reasons],
        why=one.verdict.why_store,
        actor=one.verdict.actor,
        asks=asks,
        changes=changes,
        parts=word_diff(other.content, says) if other is not None and says else (),
        low_trust=low_trust,
    )


def _pair(one: Contradicted) -> ReviewEntry:
    differ = _DIFFER.get(one.differ, one.differ)
    reasons = [f"They differ in {differ}{': ' + one.evidence if one.evidence else ''}"] if differ else []
    if not differ and one.evidence:
        reasons = [one.evidence]
    return ReviewEntry(
        key=f"{one.older.id}.{one.newer.id}",
        item=one.newer,
        other=one.older,
        reasons=reasons,
        parts=word_diff(one.older.content, one.newer.content),
        pair=True,
    )


def _apart(one: Contradicted) -> bool:
    """True of two that were never true at one time: somebody said when each was."""
    sides = (one.older, one.newer), (one.newer, one.older)
    return any(
        first.valid_until is not None and then.valid_from is not None and first.valid_until <= then.valid_from
        for first, then in sides
    )


def _seen(visit: Visit, item_id: str) -> Item | None:
    try:
        return visit.seen(item_id)
    except (NotFound, InvalidInput):
        return None


def _sentence(reason: str) -> str:
    """A reason of the policy without ids, which links say better."""
    return _ID.sub("it", reason)


def _last_decision(visit: Visit) -> int | None:
    """Instant of the last decision; None where there was none of late, or it is not for the visitor to know."""
    if not visit.visitor.unbound:
        return None
    events = visit.memory.audit.events(limit=_EVENTS_LOOKED_AT)
    return next((event.at for event in events if event.action in _DECISIONS), None)


def decide(visit: Visit) -> Elsewhere:
    """Decide about what the path names, and go on to what waits next."""
    visit.require(REVIEWER)
    key, verb = visit.names["key"], visit.names["verb"]
    older, _, newer = key.partition(".")
    actor, reason = visit.visitor.actor, visit.form.get("reason", "").strip()
    first = visit.own(older, REVIEWER)
    carried: dict[str, str] = {}
    on = first.id
    match verb, bool(newer):
        case "approve", False:
            verdict = visit.memory.review.approve(
                first.id, reason, injectable=_injectable(visit), actor=actor
            )
            # Of what a model asked for the change itself is taken back, where it was made.
            proposed = first.status is Status.QUARANTINED and not visit.form.get("held")
            decision = (
                "approved" if proposed else "approve" if first.status is Status.QUARANTINED else "trust"
            )
            on = first.id if decision != "approved" else verdict.item_id or first.id
        case "reject", False:
            visit.memory.review.reject(first.id, reason, actor=actor)
            decision = "reject"
        case "edit", False:
            on, stored = _edited(visit, first)
            decision = "edit"
            # What was known already stays whatever becomes of the proposal.
            carried = {"was": first.id} if stored else {}
        case "older" | "newer", True:
            second = visit.own(newer, REVIEWER)
            winner = first if verb == "older" else second
            on, decision = winner.id, "keep"
            visit.memory.confirm(winner.id, actor=actor)
            carried = resolution(visit, winner.id)
        case "both", True:
            second = visit.own(newer, REVIEWER)
            _both(visit, first, second)
            on, decision = second.id, "both"
            bounds = {"since": second.valid_from, "until": first.valid_until}
            carried = {"was": first.id} | {name: iso(at) for name, at in bounds.items() if at is not None}
        case _:
            raise NotFound(f"there is no decision called {verb!r}")
    return Elsewhere(path=address("/review", scope=visit.form.get("scope"), done=decision, on=on, **carried))


def _injectable(visit: Visit) -> bool | None:
    """True where somebody said that it may be put into prompts."""
    return True if visit.form.get("injectable") == "yes" else None


def _edited(visit: Visit, item: Item) -> tuple[str, bool]:
    """Store what the visitor says instead, as their own word, and turn the proposal down; its id, and if it is new."""
    content = visit.form.get("content", "").strip()
    if not content:
        raise InvalidInput("write what should be remembered instead; nothing was changed")
    actor = visit.visitor.actor
    given: dict[str, Any] = {"type": item.type, "title": item.title, "tags": list(item.tags)}
    [verdict] = visit.memory.add([{"content": content} | given], scope=str(item.scope), actor=actor)
    if verdict.item_id is None or verdict.outcome not in {Outcome.ACCEPTED, Outcome.MERGED}:
        raise Conflict(f"it was not stored: {'; '.join(verdict.reasons)}; the proposal waits as before")
    visit.memory.review.reject(item.id, "said in other words", actor=actor)
    return verdict.item_id, verdict.outcome is Outcome.ACCEPTED


def _both(visit: Visit, older: Item, newer: Item) -> None:
    """Let the older one end where the newer one begins."""
    at = instant(visit.form.get("from", ""), name="the day from which the newer one holds")
    actor = visit.visitor.actor
    if older.valid_from is not None and older.valid_from > at:
        raise InvalidInput("the older one holds only from a later day on; nothing was changed")
    for item, changes in ((newer, {"valid_from": iso(at)}), (older, {"valid_until": iso(at)})):
        verdict = visit.memory.update(item.id, actor=actor, **changes)
        if verdict.outcome is Outcome.REJECTED:
            raise Conflict(f"it was not changed: {'; '.join(verdict.reasons)}")
