"""A stored change as lines of a diff: the texts are read from the revisions, where they are."""

from __future__ import annotations

from simonides.domain.instant import iso
from simonides.domain.records import Place
from simonides.domain.run import RunChange
from simonides.ports.runs import RunReader
from simonides.upkeep.change import difference_lines, place_line, text_lines


def lines_of(reader: RunReader, change: RunChange) -> tuple[str, ...]:
    """The lines of a stored change; none where what it was about is gone."""
    details = change.details
    match change.kind:
        case "create" | "revise" | "hold":
            return _item_lines(reader, change)
        case "link" | "unlink" if "rel" in details:
            sign = "+" if change.kind == "link" else "-"
            return (f"{sign} link: {change.item_id} {details['rel']} {change.other_id}",)
        case "judged" if "job" in details:
            return (f"+ {details['job']} judged: {change.item_id} {change.other_id}",)
        case "place" if "after" in details:
            item_id = change.item_id or ""
            former = details.get("before")
            lines = () if former is None else (f"- {place_line(Place(item_id, *former))}",)
            return (*lines, f"+ {place_line(Place(item_id, *details['after']))}")
        case "summary" if "of" not in details:
            pairs = (("-", details.get("before")), ("+", details.get("after")))
            return tuple(f"{sign} summary: {text}" for sign, text in pairs if text is not None)
        case "session" if "session_id" in details:
            at = details.get("after")
            told = "not consolidated" if at is None else f"consolidated {iso(at)}"
            return (f"+ session {details['session_id']} ({details['scope']}): {told}",)
        case "extracted" if "item_ids" in details:
            return (f"+ session {details['session_id']}: {len(details['item_ids'])} turns extracted",)
        case "put off" if "item_ids" in details:
            at = details.get("retry_at")
            told = "stand as failed" if at is None else f"wait for another try {iso(at)}"
            return (f"+ session {details['session_id']}: {len(details['item_ids'])} turns {told}",)
        case "ended" if "after" in details:
            return (f"+ session {details['session_id']} ({details['scope']}): ended {iso(details['after'])}",)
        case "gain" if "after" in details:
            by = details["after"][1] - details["before"][1]
            return (f"+ use of {change.item_id}: {by:+d}",)
        case "vectors" if "count" in details:
            return (f"+ vectors of {details['count']} items",)
        case _:
            return (f"  {change.kind} {change.details.get('of', '')} taken back",) if "of" in details else ()


def _item_lines(reader: RunReader, change: RunChange) -> tuple[str, ...]:
    after = reader.revision(change.item_id or "", change.after or 0)
    if after is None:
        return ()
    before = reader.revision(change.item_id or "", change.before or 0)
    if before is None:
        return tuple(f"+ {line}" for line in text_lines(after.item))
    return difference_lines(before.item, after.item)
