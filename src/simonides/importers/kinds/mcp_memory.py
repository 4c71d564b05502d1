"""The reference memory server of MCP: a file of JSON lines with entities and relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simonides.domain.text import sha256_hex
from simonides.importers.files import Fields, a_list, a_text, json_lines, sources
from simonides.ports.importer import Refusal, SourceEntry, SourceItem, SourceRequest


class McpMemoryImporter:
    """A knowledge graph: one memory for each observation and each relation, under the names of its entities."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        for file in sources(request.path, "memory.jsonl", "memory.json"):
            for place, line in json_lines(file):
                if isinstance(line, str):
                    yield Refusal(place=place, reason=line)
                elif line.get("type") == "entity" and a_text(line.get("name")).strip():
                    yield from _entity(line, place)
                elif line.get("type") == "relation" and all(
                    a_text(line.get(name)).strip() for name in ("from", "to", "relationType")
                ):
                    yield _relation(line, place)
                else:
                    yield Refusal(place=place, reason="the line is neither an entity nor a relation")


def _entity(line: Fields, place: str) -> Iterator[SourceItem]:
    name, kind = a_text(line["name"]), a_text(line.get("entityType"))
    observations = [text for one in a_list(line.get("observations")) if (text := a_text(one)).strip()]
    for text in observations or [f"{name}: {kind}" if kind else name]:
        yield SourceItem(
            place=place,
            key=f"{name}#{sha256_hex(text)[:32]}",
            content=text,
            fields=_fields(name, [name], {"entity_type": kind} if kind else {}),
        )


def _relation(line: Fields, place: str) -> SourceItem:
    source, target, rel = (a_text(line[name]) for name in ("from", "to", "relationType"))
    return SourceItem(
        place=place,
        key=f"{source}>{rel}>{target}",
        content=f"{source} {rel.replace('_', ' ')} {target}",
        fields=_fields("", [source, target], {"relation": rel}),
    )


def _fields(title: str, entities: list[str], metadata: dict[str, str]) -> dict[str, Any]:
    named = list({name.strip()[:200]: None for name in entities if "\n" not in name})
    return {"type": "fact", "title": title[:200], "entities": named, "metadata": metadata}
