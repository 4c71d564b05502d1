"""Databases of memories with scores of reinforcement: `memories`, and `memories_archive` of what faded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simonides.importers.databases import first_of, opened
from simonides.importers.rows import COLUMNS, item_of
from simonides.ports.importer import Refusal, SourceEntry, SourceRequest


class ScoredDatabaseImporter:
    """Memories keep score, uses and times; those of the archive are archived."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("memories", ["id"], "memories with scores")
            database.require("memories_archive", ["id"], "memories with scores")
            held: dict[Any, int] = {}
            for place, row in database.rows("memories", ("created_at", "id")):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                else:
                    held[row["id"]] = hash(first_of(row, *COLUMNS["content"]))
                    yield item_of(row, place, "memories")
            for place, row in database.rows("memories_archive", ("created_at", "id")):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                    continue
                # The archive keeps what was moved there under the id that it had, or numbers its rows by itself.
                words = hash(first_of(row, *COLUMNS["content"]))
                table = "memories" if held.get(row["id"], words) == words else "memories_archive"
                yield item_of(row, place, table, archived=True)
