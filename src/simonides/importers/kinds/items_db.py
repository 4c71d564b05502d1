"""Databases of memories with `memory_items`, their revisions, links and places in a palace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from simonides.domain.instant import first_instant
from simonides.errors import InvalidInput
from simonides.importers.databases import Row, first_of, json_in, opened
from simonides.importers.files import a_text, an_object
from simonides.importers.rows import has_content, item_of, link_of
from simonides.ports.importer import FormerWording, Refusal, SourceEntry, SourceItem, SourceRequest

_TABLE = "memory_items"


class ItemsDatabaseImporter:
    """`memory_items` with `memory_revisions`, `memory_links` and `memory_palace_locations`, as far as there are any."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require(_TABLE, ["id"], "memory items")
            if not has_content(database.tables[_TABLE]):
                raise InvalidInput(
                    f"{_TABLE} has no column with a text: {', '.join(database.tables[_TABLE])}"
                )
            rooms = {
                str(first_of(row, "item", "item_id", "memory_id")): _room(row)
                for _, row in _rows(database, "memory_palace_locations")
            }
            wordings: dict[str, list[FormerWording]] = {}
            for _, row in _rows(database, "memory_revisions"):
                if (wording := _wording(row)) is not None:
                    wordings.setdefault(str(first_of(row, "item", "item_id", "memory_id")), []).append(
                        wording
                    )
            for place, row in database.rows(_TABLE, ("created_at", "id")):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                    continue
                entry = item_of(row, place, _TABLE)
                if isinstance(entry, SourceItem):
                    key = str(row["id"])
                    earlier = wordings.get(key, [])
                    while earlier and earlier[-1].content == entry.content:
                        earlier.pop()
                    entry = replace(entry, room=rooms.get(key), earlier=earlier)
                yield entry
            for place, row in _rows(database, "memory_links"):
                yield link_of(row, place, _TABLE)


def _rows(database: Any, table: str) -> Iterator[tuple[str, Row]]:
    """Rows of a table that a database may lack."""
    if table in database.tables:
        for place, row in database.rows(table, ("number", "revision", "created_at", "at")):
            if not isinstance(row, str):
                yield place, row


def _wording(row: Row) -> FormerWording | None:
    snapshot = an_object(json_in(row.get("snapshot")))
    content = a_text(snapshot.get("content")) or a_text(first_of(row, "content", "text", "old_content"))
    at = first_instant(row, "at", "created_at", "timestamp")
    if not content.strip() or at is None:
        return None
    return FormerWording(content=content, at=at, reason=a_text(row.get("reason")) or "update")


def _room(row: Row) -> tuple[str, str, str] | None:
    domain, room, shelf = (a_text(row.get(name)) for name in ("domain", "room", "shelf"))
    return (domain, room, shelf) if domain and room and shelf else None
