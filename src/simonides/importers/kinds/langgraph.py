"""LangGraph's store in SQLite: documents under keys, which are records here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from simonides.domain.instant import SECOND_US, first_instant
from simonides.importers.databases import Row, opened
from simonides.importers.files import a_text
from simonides.ports.importer import Refusal, SourceEntry, SourceRecord, SourceRequest

_COLUMNS: Final = ("prefix", "key", "value")


class LangGraphImporter:
    """Documents of `SqliteStore`: a namespace is a space, its key and value stay."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("store", _COLUMNS, "LangGraph's store")
            for place, row in database.rows("store", ("created_at", "prefix", "key")):
                yield Refusal(place=place, reason=row) if isinstance(row, str) else _record(row, place)


def _record(row: Row, place: str) -> SourceEntry:
    prefix, key, value = a_text(row["prefix"]), a_text(row["key"]), _value(row["value"])
    if not prefix or not key:
        return Refusal(place=place, reason="the row has no prefix or no key")
    if not isinstance(value, dict):
        return Refusal(place=place, reason="its value is no JSON object")
    minutes = row.get("ttl_minutes")
    lasting = float(minutes) * 60 if isinstance(minutes, int | float) and minutes > 0 else None
    if lasting is None and (ends := first_instant(row, "expires_at")) is not None:
        if (began := first_instant(row, "updated_at", "created_at")) is None:
            return Refusal(
                place=place, reason="it expires, and has no time that tells how long it was to last"
            )
        lasting = max(1.0, (ends - began) / SECOND_US)
    return SourceRecord(place=place, space=prefix.split("."), key=key, value=value, ttl_s=lasting)


def _value(cell: object) -> Any:
    """The JSON value of a cell: `SqliteStore` writes it as bytes into a column of texts."""
    if isinstance(cell, str | bytes):
        with suppress(ValueError, RecursionError):
            return json.loads(cell)
    return None
