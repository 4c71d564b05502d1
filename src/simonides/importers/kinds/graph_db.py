"""Databases of memories as a graph: `nodes`, `edges` and `entities`."""

from __future__ import annotations

from collections.abc import Iterator

from simonides.errors import InvalidInput
from simonides.importers.databases import first_of, opened
from simonides.importers.files import a_text
from simonides.importers.rows import has_content, item_of, link_of
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceRequest


class GraphDatabaseImporter:
    """Nodes are memories, edges their links; of an entity its summary is a memory under its name."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("nodes", ["id"], "nodes and edges")
            database.require("edges", [], "nodes and edges")
            if not has_content(database.tables["nodes"]):
                raise InvalidInput(f"nodes has no column with a text: {', '.join(database.tables['nodes'])}")
            for place, row in database.rows("nodes", ("created_at", "id")):
                yield (
                    Refusal(place=place, reason=row) if isinstance(row, str) else item_of(row, place, "nodes")
                )
            if "entities" in database.tables:
                for place, row in database.rows("entities"):
                    if isinstance(row, str):
                        yield Refusal(place=place, reason=row)
                        continue
                    name = a_text(first_of(row, "name", "canonical_name", "label"))
                    text = a_text(first_of(row, "summary", "description"))
                    if not name or not text:
                        reason = f"{LEFT_OUT}an entity without a summary (items name it)"
                        yield Refusal(place=place, reason=reason)
                        continue
                    worded = {**row, "content": text}
                    yield item_of(worded, place, "entities", title=name[:200], entities=[name[:200]])
            for place, row in database.rows("edges"):
                yield (
                    Refusal(place=place, reason=row) if isinstance(row, str) else link_of(row, place, "nodes")
                )
