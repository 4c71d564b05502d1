"""Databases of memories with scores of reinforcement: `memories`, and `memories_archive` of what faded."""

from __future__ import annotations

from collections.abc import Iterator

from simonides.importers.databases import opened
from simonides.importers.rows import item_of
from simonides.ports.importer import Refusal, SourceEntry, SourceRequest


class ScoredDatabaseImporter:
    """Memories keep score, uses and times; those of the archive are archived."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("memories", ["id"], "memories with scores")
            database.require("memories_archive", ["id"], "memories with scores")
            for table, archived in (("memories", False), ("memories_archive", True)):
                for place, row in database.rows(table, ("created_at", "id")):
                    if isinstance(row, str):
                        yield Refusal(place=place, reason=row)
                    else:
                        # The archive keeps what was moved there under the id that it had.
                        yield item_of(row, place, "memories", archived=archived)
