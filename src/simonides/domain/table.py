"""Cells of tables for spreadsheets: what one takes for a formula is written as the text that it is, and read back."""

from __future__ import annotations

import re
from typing import Final

#: Columns of a table of memories, in their order.
COLUMNS: Final = (
    "id", "type", "title", "content", "scope", "tags", "entities", "tier", "status", "confidence", "importance",
    "decay_rate", "pinned", "created_at", "updated_at", "event_at", "valid_from", "valid_until", "expires_at",
    "session_id", "task_id", "corpus_id", "rule_id", "origin", "trust", "validation", "usage_count", "last_used_at",
    "reinforcement", "last_hit_at", "source_id", "metadata",
)  # fmt: skip
#: Beginning of what a spreadsheet takes for a formula, or of such a text with apostrophes of its own.
_FORMULA: Final = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")
#: Characters by which a reader may take a cell or a row to end.
_ENDS: Final = re.compile(r"[\",\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def cell_of(text: str) -> str:
    """A text as a cell, an apostrophe before what begins like a formula, as spreadsheets write it themselves."""
    return f"'{text}" if _FORMULA.match(text) else text


def text_of(cell: str) -> str:
    """The text of a cell that `cell_of` wrote."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell


def row_of(cells: list[str]) -> str:
    """A line of a table; cells in which one or the row might seem to end are quoted."""
    quoted = ('"{}"'.format(cell.replace('"', '""')) if _ENDS.search(cell) else cell for cell in cells)
    return ",".join(quoted) + "\n"
