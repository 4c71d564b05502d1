"""Changes as lines of a diff: what was, behind a minus; what is, behind a plus."""

from __future__ import annotations

from typing import Any, Final

from simonides.domain.item import Item

#: Fields of an item that a diff shows by name, besides its text.
_SHOWN: Final = (
    "type", "tier", "status", "validation", "confidence", "importance", "decay_rate", "pinned", "injectable",
    "tags", "entities", "event_at", "valid_from", "valid_until", "expires_at", "superseded_by", "narrative_id",
    "provenance", "metadata",
)  # fmt: skip


def diff(what: str, before: str | None, after: str | None) -> tuple[str, ...]:
    """The lines of a diff between two values in words; None where there is none."""
    former = () if before in {None, after} else (f"- {what}: {before}",)
    return former if after is None else (*former, f"+ {what}: {after}")


def fields_changed(before: Item, after: Item) -> dict[str, list[Any]]:
    """Fields of an item that changed, as JSON: {field: [old, new]}; text included, `updated_at` left out."""
    old, new = before.to_dict(), after.to_dict()
    return {name: [old[name], new[name]] for name in ("title", "content", *_SHOWN) if old[name] != new[name]}


def difference_lines(before: Item, after: Item) -> tuple[str, ...]:
    """The lines of a diff between two states of an item: its text, then each field that changed."""
    lines: list[str] = []
    if text_lines(before) != text_lines(after):
        lines += [f"- {line}" for line in text_lines(before)]
        lines += [f"+ {line}" for line in text_lines(after)]
    else:
        lines += [f"  {line}" for line in text_lines(after)[:1]]
    for name, (old, new) in fields_changed(before, after).items():
        if name not in {"title", "content", "type"}:
            lines += [f"- {name}: {_shown(old)}", f"+ {name}: {_shown(new)}"]
    return tuple(lines)


def text_lines(item: Item) -> list[str]:
    """The text of an item, line by line, its type in front."""
    first, *rest = item.content.split("\n")
    title = f"{item.title}: " if item.title else ""
    return [f"[{item.type}] {title}{first}", *rest]


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value) or "none"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return str(value)
