"""Items, hits and verdicts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from simonides.domain.document import citation
from simonides.edges.cli.output import Output, bar, width

if TYPE_CHECKING:
    from simonides import Candidates, Hit
    from simonides.domain.item import Item
    from simonides.domain.verdict import Verdict

#: What the chief channels saw, in words, in the order in which it is shown.
MATCHES: Final = {"lex": "words", "vec": "meaning", "coverage": "coverage"}
_STATUS_COLOURS: Final = {"quarantined": "yellow", "archived": "red"}
_OUTCOME_COLOURS: Final = {"accepted": "green", "merged": "cyan", "quarantined": "yellow", "rejected": "red"}


def moment(at_us: int | None, *, short: bool = False) -> str:
    """An instant as a reader wants it: to the minute, or the day."""
    from simonides.domain.instant import iso  # noqa: PLC0415

    if at_us is None:
        return ""
    text = iso(at_us)
    return text[:10] if short else f"{text[:10]} {text[11:16]}"


def who(item: Item) -> str:
    """Speaker of an item: the sender of a turn, or its role."""
    return str(item.metadata.get("sender") or item.provenance.source_role or "")


def items(out: Output, listed: Sequence[Item]) -> None:
    """A list of items: blocks on a terminal, one aligned line each in a pipe."""
    if not out.terminal:
        rows = [
            (item.id, moment(item.happened_at), item.type, item.tier.value, item.scope, line(item))
            for item in listed
        ]
        out.table(("id", "when", "type", "tier", "scope", "content"), rows)
        return
    for item in listed:
        out.line(head(out, item))
        out.prose(line(item), 4)


def hits(out: Output, listed: Sequence[Hit]) -> None:
    """Hits, best first, each with its score."""
    if not out.terminal:
        rows = [
            (
                f"{hit.score:.3f}",
                hit.item.id,
                moment(hit.item.happened_at),
                hit.item.type,
                _content(hit),
            )
            for hit in listed
        ]
        out.table(("score", "id", "when", "type", "content"), rows)
        return
    for rank, hit in enumerate(listed, 1):
        number = out.paint(f"{rank:>2}", "bold")
        score = f"{hit.score:.2f}"
        out.line(f"{number}  {out.paint(score, 'green')}  {head(out, hit.item, len(score) + 6)}")
        out.prose(_content(hit), 4)


def _content(hit: Hit) -> str:
    """Content of a hit; of a long one, the part that matches best."""
    where = "[archive file] " if hit.moved else ""
    where += f"[superseded by {hit.superseded_by}] " if hit.superseded_by is not None else ""
    where += "".join(f"[no longer: {text}] " for text in hit.superseded_parts)
    where += f"[perhaps outdated by {hit.outdated_by}] " if hit.outdated_by is not None else ""
    return where + line(replace(hit.item, content=hit.excerpt) if hit.excerpt else hit.item)


def reasons(out: Output, matches: Mapping[str, float], cells: int = 8) -> str:
    """Matches of the chief channels in a hit, as bars with their names, in one line."""
    parts: list[str] = []
    for name, word in MATCHES.items():
        full, empty = bar(matches.get(name, 0.0), cells)
        parts.append(f"{out.paint(word, 'dim')} {out.paint(full, 'cyan')}{out.paint(empty, 'dim')}")
    return "  ".join(parts)


def head(out: Output, item: Item, indent: int = 0) -> str:
    """The line above an item: id, what it is, and whatever is unusual about it.

    Args:
        indent: Columns that stand before it. Where that leaves too few, the rest goes into a line of its own.
    """
    about = what(item)
    status = item.status.value if item.status.value in _STATUS_COLOURS else ""
    text = f"{out.paint(item.id, 'cyan')}  {out.paint(about, 'dim')}"
    if out.terminal and indent and indent + len(item.id) + 4 + width(about) + len(status) > out.width:
        text = f"{out.paint(item.id, 'cyan')}\n{' ' * 4}{out.paint(about, 'dim')}"
    return f"{text}  {out.paint(status, _STATUS_COLOURS[status])}" if status else text


def what(item: Item) -> str:
    """Type, scope and state of an item, in a few words."""
    parts = [item.type, item.tier.value, moment(item.happened_at, short=True)]
    if cited := citation(item):
        parts[1:2] = [cited]
    if item.scope != "global":
        parts.append(str(item.scope))
    if item.pinned:
        parts.append("pinned")
    return " · ".join(parts)


def item(out: Output, one: Item) -> None:
    """Everything about an item that is not at its default."""
    if one.title:
        out.prose(one.title, 0, "bold")
    out.prose(one.display)
    out.line()
    usage = one.usage
    out.fields(
        {
            "id": one.id,
            "type": one.type,
            "tier": one.tier.value,
            "scope": one.scope,
            "status": "" if one.status.value == "active" else one.status.value,
            "replaced by": one.superseded_by,
            "pinned": one.pinned or None,
            "injectable": None if one.injectable else False,
            "tags": one.tags,
            "entities": one.entities,
            "said by": who(one),
            "origin": f"{one.origin.value}, trust {one.trust.value}",
            "source": citation(one) or one.provenance.source_id,
            "session": one.session_id,
            "happened": moment(one.event_at),
            "true since": moment(one.valid_from),
            "true until": moment(one.valid_until),
            "expires": moment(one.expires_at),
            "recorded": moment(one.created_at),
            "changed": "" if one.updated_at == one.created_at else moment(one.updated_at),
            "confidence": one.confidence,
            "importance": one.importance,
            "validation": one.validation.value,
            "used": f"{usage.usage_count} times, last {moment(usage.last_used_at)}"
            if usage.usage_count
            else "",
            "reinforcement": usage.reinforcement or None,
        }
    )


def verdict(out: Output, one: Verdict) -> None:
    """Verdict on an input, in words."""
    word = one.outcome.value
    out.line(f"{out.paint(word, _OUTCOME_COLOURS[word])}  {one.item_id or ''}".rstrip())
    for reason in one.reasons:
        out.prose(reason, 4)


def candidates(out: Output, one: Candidates) -> None:
    """Items that the words may have meant."""
    rows = [(hit.item.id, f"{hit.relevance:.2f}", line(hit.item)) for hit in one.hits]
    if rows:
        out.table(("id", "match", "content"), rows)


def line(item: Item) -> str:
    """Content of an item in one line, with its speaker."""
    title = f"{item.title}: " if item.title else ""
    if cited := citation(item):
        title = f"{cited}  {title}"
    name = f"{who(item)}: " if item.type == "episode" and who(item) else ""
    return " ".join(f"{name}{title}{item.display}".split())
