"""Changes of a run as rows that a person reads: sentences instead of ids, and what became of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.domain.run import RunChange
from simonides.edges.page.visit import Visit
from simonides.edges.page.word_diff import DiffPart, word_diff
from simonides.edges.page.wording import FIELDS
from simonides.edges.wording import line
from simonides.errors import Conflict, NotFound
from simonides.values import dataclass

#: The type of an item before its text, in the lines of a diff.
_TYPE: Final = re.compile(r"\[([^\]\s]+)\] ")
#: A field of an item, in the lines of a diff.
_FIELD: Final = re.compile(r"(\w+): (.*)")
#: Fields that say something to nobody but the engine.
_UNTOLD: Final = frozenset({"metadata", "superseded_by"})
_LONGEST: Final = 160


@dataclass(frozen=True, slots=True)
class NamedItem:
    """An item that a change names.

    Attributes:
        text: Its sentence; empty where it is gone.
        stored: What a plan would make is not yet.
    """

    id: str
    text: str
    stored: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """A change of a run.

    Attributes:
        mark: `+` of what came, `-` of what went; empty of what is another now.
        type: Of the item, where its text is told.
        parts: Its text: as it is, or with what became of it.
        fields: (name, before, after) of what changed besides.
        relation: Of a link: in words, between `item` and `other`.
        here: Whether the item is stored by now: that which a plan would make is not.
    """

    change: RunChange
    mark: str = ""
    type: str = ""
    parts: Sequence[DiffPart] = ()
    fields: Sequence[tuple[str, str, str]] = ()
    item: NamedItem | None = None
    other: NamedItem | None = None
    relation: str = ""
    here: bool = True


class ChangeRows:
    """Reads the changes of one run."""

    def __init__(self, visit: Visit, changes: Sequence[RunChange], *, plan: bool) -> None:
        self._visit = visit
        self._plan = plan
        made = [change for change in changes if change.kind == "create"]
        self._made = {_made_id(change): line(_text(change.lines, "+")[1], _LONGEST) for change in made}
        self._named: dict[str, NamedItem] = {}

    def row(self, change: RunChange) -> ChangeRow:
        """The row of a change."""
        match change.kind:
            case "link" | "unlink":
                # Of a plan the link itself is told: its ends may not be stored yet.
                planned: Mapping[str, Any] = change.details.get("link") or {}
                relation = str(change.details.get("rel") or planned.get("rel") or "linked")
                return ChangeRow(
                    change=change,
                    mark="+" if change.kind == "link" else "-",
                    item=self._item(change.item_id or planned.get("src")),
                    other=self._item(change.other_id or planned.get("dst")),
                    relation=relation.replace("_", " "),
                )
            case "place":
                planned: Mapping[str, Any] = change.details.get("place") or {}
                after = [planned[name] for name in ("domain", "room", "shelf")] if planned else None
                before = change.details.get("before")
                now = change.details.get("after") or after
                item = self._item(change.item_id or planned.get("item_id"))
                text = "" if item is None else item.text
                return ChangeRow(
                    change=change,
                    parts=[DiffPart("same", text)],
                    fields=[("stands in", _place(before), _place(now))],
                )
            case _:
                return self._of_text(change)

    def _of_text(self, change: RunChange) -> ChangeRow:
        """The row of an item or a summary that was made or changed."""
        kind, old = _text(change.lines, "-")
        new_kind, new = _text(change.lines, "+")
        same_kind, same = _text(change.lines, " ")
        mark = "" if same or (old and new) else "+" if new else "-" if old else ""
        if old and new:
            parts: Sequence[DiffPart] = word_diff(old, new)
        else:
            parts = [DiffPart("same", same or new or old)]
        return ChangeRow(
            change=change,
            mark=mark,
            type=new_kind or same_kind or kind,
            parts=parts,
            fields=_fields(change.lines),
            here=not (self._plan and change.kind == "create"),
        )

    def _item(self, item_id: str | None) -> NamedItem | None:
        if item_id is None:
            return None
        if item_id not in self._named:
            made = self._made.get(item_id)
            stored = not (self._plan and made is not None)
            self._named[item_id] = NamedItem(item_id, made or self._stored(item_id), stored)
        return self._named[item_id]

    def _stored(self, item_id: str) -> str:
        try:
            return line(self._visit.seen(item_id).display, _LONGEST)
        except (NotFound, Conflict):  # Purged since, or in the archive file.
            return ""


def _made_id(change: RunChange) -> str:
    """The id of an item that a change makes, or would make."""
    planned: Mapping[str, Any] = change.details.get("item") or {}
    return change.item_id or str(planned.get("id"))


def _text(lines: Sequence[str], sign: str) -> tuple[str, str]:
    """Type and text behind a sign of a diff; both empty where there is none."""
    texts = [text[2:] for text in lines if text.startswith(sign)]
    if texts and (match := _TYPE.match(texts[0])):
        # A text goes on until a field begins.
        end = next((n for n, text in enumerate(texts) if n and _field(text) is not None), len(texts))
        return match[1], "\n".join([texts[0][match.end() :], *texts[1:end]])
    words = [text.removeprefix("summary: ") for text in texts if _field(text) is None]
    return "", "\n".join(words)


def _field(text: str) -> tuple[str, str] | None:
    match = _FIELD.fullmatch(text)
    return (match[1], match[2]) if match and match[1] in FIELDS.keys() | _UNTOLD else None


def _fields(lines: Sequence[str]) -> list[tuple[str, str, str]]:
    """Fields that changed, by their names in words."""
    sides: dict[str, Mapping[str, str]] = {}
    for sign in "-+":
        pairs = [_field(text[2:]) for text in lines if text.startswith(sign)]
        sides[sign] = dict(pair for pair in pairs if pair is not None)
    names = dict.fromkeys([*sides["-"], *sides["+"]])
    return [
        (FIELDS[name], sides["-"].get(name, ""), sides["+"].get(name, ""))
        for name in names
        if name not in _UNTOLD
    ]


def _place(place: object) -> str:
    return " / ".join(map(str, place)) if isinstance(place, list | tuple) else ""  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
