"""Notes of basic-memory: Markdown with observations, `- [category] text #tag (context)`, and relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from simonides.domain.link import Relation
from simonides.domain.provenance import Origin
from simonides.domain.text import sha256_hex
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

_OBSERVATION: Final = re.compile(r"\s*[-*]\s+\[([^\]\[()\n]{2,60})\]\s+(\S.*)$")
_RELATION: Final = re.compile(r"\s*[-*]\s+(?:\"([^\"]+)\"|'([^']+)'|([\w][\w -]*?))?\s*\[\[([^\]]+)\]\](.*)$")
_TAG: Final = re.compile(r"(?<!\w)#([\w/-]+)")
#: Categories that are types here; others become a tag.
_TYPES: Final = {
    "decision": "decision", "preference": "preference", "fact": "fact", "definition": "definition",
    "requirement": "constraint", "constraint": "constraint", "technique": "procedure", "method": "procedure",
    "procedure": "procedure", "solution": "solution", "pattern": "pattern", "todo": "todo", "event": "event",
}  # fmt: skip
_RELATIONS: Final = {
    "depends_on": Relation.DEPENDS_ON, "requires": Relation.DEPENDS_ON, "refines": Relation.REFINES,
    "extends": Relation.REFINES, "supports": Relation.SUPPORTS, "derived_from": Relation.DERIVED_FROM,
    "caused_by": Relation.CAUSAL, "similar_to": Relation.SIMILAR,
}  # fmt: skip


class BasicMemoryImporter:
    """Notes of basic-memory: one memory for the text of each, one for each observation; relations become links."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        notes: list[tuple[Note, list[tuple[str, str, str]]]] = []
        for note in read_notes(request.path, "*.md"):
            if isinstance(note, Refusal):
                yield note
                continue
            yield from unread_fields(note)
            relations: list[tuple[str, str, str]] = []
            yield from _note(note, relations)
            notes.append((note, relations))
        named = {name.casefold(): note for note, _ in notes for name in (note.name, note.title, _key(note))}
        for note, relations in notes:
            for line, rel, target in relations:
                there = named.get(target.strip().casefold())
                place = f"{note.path}, line {line}"
                if there is None:
                    yield Refusal(place=place, reason=f"{LEFT_OUT}a relation to a note that is not there")
                else:
                    known = _RELATIONS.get(rel.strip().replace(" ", "_").casefold(), Relation.REFERENCES)
                    yield SourceLink(
                        place=place, src=_key(note), dst=_key(there), rel=known, evidence=rel or None
                    )


def _key(note: Note) -> str:
    return str(note.fields.get("permalink") or note.name)


def _note(note: Note, relations: list[tuple[str, str, str]]) -> Iterator[SourceItem]:
    kept: dict[int, str] = {}
    observations: list[tuple[int, str, str]] = []
    for number, line in enumerate(note.body.split("\n"), note.line):
        if match := _OBSERVATION.match(line):
            observations.append((number, match[1].strip(), match[2].strip()))
        elif (match := _RELATION.match(line)) and not match[5].strip(" ()"):
            relations.append((str(number), match[1] or match[2] or match[3] or "", match[4]))
        elif line.strip().casefold() not in {"## observations", "## relations"}:
            kept[number] = line
    # A note is there to be linked to, even where it says nothing but its title.
    text = "\n".join(kept.values()).strip() or note.title
    kind = str(note.fields.get("type") or "note")
    shared: dict[str, Any] = {"origin": Origin.USER_SAID, "updated_at": note.changed_at}
    shared["created_at"] = note.created_at or note.changed_at
    yield SourceItem(
        place=note.path,
        key=_key(note),
        content=text,
        fields={"title": note.title, "tags": note.tags, "metadata": {"path": note.path, "note_type": kind}},
        cut_from=CutFrom(note.text, list(kept)),
        **shared,
    )
    for line, category, content in observations:
        tags = list(dict.fromkeys([category, *_TAG.findall(content)]))
        yield SourceItem(
            place=f"{note.path}, line {line}",
            key=f"{_key(note)}#{sha256_hex(f'{category} {content}')[:32]}",
            content=content,
            fields={
                "title": note.title,
                "type": _TYPES.get(category.casefold(), "fact"),
                "tags": tags,
                "metadata": {"path": note.path, "line": line},
            },
            cut_from=CutFrom(note.text, [line]),
            **shared,
        )
