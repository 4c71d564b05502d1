"""Items as rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO, cast

from simonides.domain.table import COLUMNS, cell_of, row_of


def write_table(items: Iterable[Mapping[str, Any]], stream: TextIO) -> int:
    """Write items as rows under the names of their fields; how many.

    Args:
        items: As `Item.to_dict` writes them.
    """
    stream.write(row_of([*COLUMNS]))
    written = 0
    for item in items:
        stream.write(row_of([_cell(item, column) for column in COLUMNS]))
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
            return cell_of(", ".join(str(one) for one in cast("list[object]", value)))
        case Mapping():
            return json.dumps(value, ensure_ascii=False) if value else ""
        case str():
            return cell_of(value)
        case _:
            return str(value)
