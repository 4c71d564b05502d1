"""Items as rows of a table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, TextIO, cast

COLUMNS: Final = (
    "id", "type", "title", "content", "scope", "tags", "entities", "tier", "status", "confidence", "importance",
    "pinned", "created_at", "updated_at", "event_at", "valid_from", "valid_until", "expires_at", "session_id",
    "corpus_id", "rule_id", "origin", "trust", "validation", "usage_count", "reinforcement", "source_id", "metadata",
)  # fmt: skip
#: A spreadsheet takes what begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def write_table(items: Iterable[Mapping[str, Any]], stream: TextIO) -> int:
    """Write items as rows under the names of their fields; how many.

    Args:
        items: As `Item.to_dict` writes them.
    """
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    written = 0
    for item in items:
        writer.writerow([_cell(item, column) for column in COLUMNS])
        written += 1
    return written


def _cell(item: Mapping[str, Any], column: str) -> str:
    value = item["provenance"].get("source_id") if column == "source_id" else item.get(column)
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else ""
        case list():
            return _text(", ".join(str(one) for one in cast("list[object]", value)))
        case Mapping():
            return json.dumps(value, ensure_ascii=False) if value else ""
        case str():
            return _text(value)
        case _:
            return str(value)


def _text(value: str) -> str:
    # The apostrophe is what a spreadsheet itself puts before a text; it does not show.
    return f"'{value}" if value.startswith(_FORMULA) else value
