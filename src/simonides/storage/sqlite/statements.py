"""The SQL of the store: named statements in `.sql` files beside this module, and those that all databases share."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from simonides.storage.sql.rows import COLUMNS
from simonides.storage.sql.statements import named, shared

_TENANT: Final = r"(?:\w\.)?tenant = (?::tenant|\w+\.tenant)"
#: What a shared statement says that SQLite says otherwise, or has no need of: a file has one tenant.
_OTHERWISE: Final = tuple(
    (re.compile(theirs), ours)
    for theirs, ours in (
        (rf"\b{_TENANT}\s+AND\s+", ""),
        (rf"\s+(?:AND|WHERE) {_TENANT}\b", ""),
        (r"(?<=\()(\s*)tenant, ", r"\1"),
        (r":tenant,\s+", ""),
        (r"= ANY\(:(\w+)(?:::\w+\[\])?\)", r"IN (SELECT value FROM carray(:\1))"),
        (r"simonides_without_nul\(([\w.]+)\)::json", r"\1"),
        (r"::\w+(?:\[\])?", ""),
        (r' COLLATE "C"', ""),
        # Of values that are never null: of others, SQLite's are null.
        (r"\bgreatest\(", "max("),
        (r"\bleast\(", "min("),
        (r"/\*(INDEXED BY \w+)\*/", r"\1"),
    )
)


@cache
def statements() -> dict[str, str]:
    """Every named statement, the shared ones as they are written."""
    return shared() | named("simonides.storage.sqlite")


@cache
def reworded(name: str) -> str:
    """A named statement as SQLite takes it."""
    text = statements()[name]
    for theirs, ours in _OTHERWISE:
        text = theirs.sub(ours, text)
    return text


@lru_cache(maxsize=1024)
def statement(name: str, *conditions: str) -> str:
    """A named statement, with its `/*conditions*/` replaced by fragments of `conditions.py`, joined by AND."""
    text = reworded(name)
    return text.replace("/*conditions*/", " AND ".join(conditions) or "TRUE") if conditions else text


def schema() -> str:
    """The schema of a new store."""
    return (resources.files("simonides.storage.sqlite") / "schema.sql").read_text("utf-8")


def insert_item(*columns: str) -> str:
    """The statement that adds a row with these columns, after its key."""
    return (
        statement("insert_item")
        .replace("/*columns*/", ", ".join(columns))
        .replace("/*values*/", ", ".join("?" * (len(columns) + 1)))
    )


INSERT_ITEM: Final = insert_item(*COLUMNS)
UPDATE_ITEM: Final = statement("update_item").replace(
    "/*assignments*/", ", ".join(f"{name} = ?" for name in COLUMNS)
)
#: Statements that speak of every column of an item.
WHOLE: Final = {"insert_item": INSERT_ITEM, "update_item": UPDATE_ITEM}
