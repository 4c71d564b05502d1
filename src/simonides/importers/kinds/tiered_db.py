"""Databases of memories in tiers: `memories`, `daily_events`, and an `extraction_buffer` of messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from simonides.domain.instant import first_instant, iso
from simonides.importers.databases import Row, first_of, opened
from simonides.importers.files import a_text
from simonides.importers.rows import COLUMNS, OWNERS, item_of
from simonides.ports.importer import Refusal, SourceEntry, SourceItem, SourceRequest, SourceTurn


class TieredDatabaseImporter:
    """Memories keep their tier; a day's event is an event of that day; what waits for extraction are turns again."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("memories", ["id"], "memories in tiers")
            database.require("daily_events", ["id"], "memories in tiers")
            for table in ("memories", "daily_events"):
                for place, row in database.rows(table, ("created_at", "id")):
                    if isinstance(row, str):
                        yield Refusal(place=place, reason=row)
                    else:
                        entry = item_of(row, place, table)
                        if table == "daily_events" and isinstance(entry, SourceItem):
                            entry = replace(entry, fields={**entry.fields, "type": "event"})
                        yield entry
            if "extraction_buffer" in database.tables:
                order = ("session_id", "created_at", "timestamp", "id")
                for place, row in database.rows("extraction_buffer", order):
                    yield Refusal(place=place, reason=row) if isinstance(row, str) else _turn(row, place)


def _turn(row: Row, place: str) -> SourceEntry:
    text, key = a_text(first_of(row, "content", "text", "message")), first_of(row, "id", "message_id")
    if not text.strip() or key is None:
        return Refusal(place=place, reason="the message has no text or no id")
    turn: dict[str, Any] = {"role": a_text(row.get("role")) or "user", "content": text, "id": f"buffer:{key}"}
    if (at := first_instant(row, "created_at", "timestamp")) is not None:
        turn["at"] = iso(at)
    session_id = str(first_of(row, "session_id", "conversation_id") or "extraction-buffer")
    whose = {name: first_of(row, *COLUMNS[name]) for name in OWNERS}
    return SourceTurn(place=place, session_id=session_id, message=turn, whose=whose)
