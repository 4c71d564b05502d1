"""A vault of Obsidian, or any folder of notes in Markdown: a memory for each note, linked as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin
from simonides.importers.markdown import Note, read_notes, unread_fields
from simonides.ports.importer import (
    LEFT_OUT,
    CutFrom,
    Refusal,
    SourceEntry,
    SourceItem,
    SourceLink,
    SourceRequest,
)

#: Fields of the front matter that have a place in a memory.
_KNOWN: Final = frozenset({"title", "tags", "created", "created_at", "date"})


class ObsidianImporter:
    """Notes in Markdown; of a long one, its sections."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        linked: dict[str, tuple[str, list[str]]] = {}
        for note in read_notes(request.path, "*.md"):
            if isinstance(note, Refusal):
                yield note
                continue
            yield from unread_fields(note)
            keys: list[str] = []
            for item in _items(note):
                keys.append(item.key)
                yield item
            if not keys:
                yield Refusal(place=note.path, reason=f"{LEFT_OUT}an empty note")
                continue
            linked[note.name] = (keys[0], note.links)
        yield from _links(linked)


def _items(note: Note) -> Iterator[SourceItem]:
    sections = [section for section in note.sections() if section.text]
    rest = {name: value for name, value in note.fields.items() if name not in _KNOWN and value != ""}
    # What stands in front of the text goes with every part of it.
    front = range(1, note.line)
    for number, section in enumerate(sections):
        fields: dict[str, Any] = {
            "title": " / ".join([note.title, *section.heading]),
            "tags": note.tags,
            "metadata": {"path": note.path, "line": section.line} | ({"fields": rest} if rest else {}),
        }
        if note.created_at is not None:
            fields["event_at"] = iso(note.created_at)
        yield SourceItem(
            place=f"{note.path}, line {section.line}",
            key=note.name if not number else f"{note.name}#{'/'.join(section.heading)}:{number}",
            content=section.text,
            fields=fields,
            origin=Origin.USER_SAID,
            created_at=note.created_at or note.changed_at,
            updated_at=note.changed_at,
            cut_from=CutFrom(note.text, [*front, *section.lines]),
        )


def _links(linked: dict[str, tuple[str, list[str]]]) -> Iterator[SourceEntry]:
    """Links between notes, which name each other by path or by last name."""
    by_name = {name.rpartition("/")[2].casefold(): key for name, (key, _) in linked.items()}
    by_name |= {name.casefold(): key for name, (key, _) in linked.items()}
    for name, (key, targets) in linked.items():
        for target in targets:
            path = by_name.get(target.removesuffix(".md").casefold())
            if path is None:
                yield Refusal(place=f"{name}.md", reason=f"{LEFT_OUT}a link to a note that is not there")
            elif path != key:
                yield SourceLink(place=f"{name}.md", src=key, dst=path, rel=Relation.REFERENCES)
