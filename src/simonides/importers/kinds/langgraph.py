"""LangGraph's store in SQLite: documents under keys, which are records here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from simonides.domain.instant import SECOND_US
from simonides.importers.databases import json_in, opened, time_of
from simonides.importers.files import a_text
from simonides.ports.importer import Refusal, SourceEntry, SourceRecord, SourceRequest

_COLUMNS: Final = ("prefix", "key", "value")


class LangGraphImporter:
    """Documents of `SqliteStore`: a namespace is a space, its key and value stay."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        with opened(request.path) as database:
            database.require("store", _COLUMNS, "LangGraph's store")
            for place, row in database.rows("store", ("created_at", "prefix", "key")):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                    continue
                value = json_in(a_text(row["value"]))
                if not isinstance(value, dict) or not a_text(row["prefix"]) or not a_text(row["key"]):
                    yield Refusal(place=place, reason="prefix, key or a document are missing")
                    continue
                minutes = row.get("ttl_minutes")
                lasting = float(minutes) * 60 if isinstance(minutes, int | float) and minutes > 0 else None
                if lasting is None and (ends := time_of(row, "expires_at")) is not None:
                    began = time_of(row, "updated_at", "created_at") or 0
                    lasting = max(1.0, (ends - began) / SECOND_US)
                space = a_text(row["prefix"]).split(".")
                yield SourceRecord(
                    place=place, space=space, key=a_text(row["key"]), value=value, ttl_s=lasting
                )
