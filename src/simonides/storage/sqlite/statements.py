"""The SQL of the store: named statements in `.sql` files beside this module."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from simonides.storage.sql.rows import COLUMNS

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def statements() -> dict[str, str]:
    """Every named statement. A name stands on a line `-- name: …` above its statement."""
    texts: dict[str, str] = {}
    for file in sorted(_folder().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            pieces = _NAME.split(file.read_text("utf-8"))
            texts.update(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True))
    return texts


@lru_cache(maxsize=1024)
def statement(name: str, *conditions: str) -> str:
    """A named statement, with its `/*conditions*/` replaced by fragments of `conditions.py`, joined by AND."""
    text = statements()[name]
    return text.replace("/*conditions*/", " AND ".join(conditions) or "TRUE") if conditions else text


def schema() -> str:
    """The schema of a new store."""
    return (resources.files("simonides.storage.sqlite") / "schema.sql").read_text("utf-8")


def _folder() -> Traversable:
    return resources.files("simonides.storage.sqlite") / "statements"


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
