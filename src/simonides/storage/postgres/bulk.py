"""Many rows in one statement: arrays of their columns. COPY takes no notice of row-level security, and is refused."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from simonides.storage.postgres.arrays import array
from simonides.storage.postgres.statements import NamedStatement, query, query_of
from simonides.storage.postgres.vectors import Halves, halves
from simonides.storage.postgres.words import quoted, worded, words_row
from simonides.storage.sql.rows import words_of

if TYPE_CHECKING:
    from simonides.storage.postgres.database import WritingDatabase

#: From so many rows on, one statement for all is faster than one for each in a pipeline.
MANY: Final = 8
_ROW: Final = re.compile(
    r"INSERT INTO (\w+)\s*\(([^)]*)\)\s*VALUES\s*\(.*?\)(\s*ON CONFLICT.*)?\s*$", re.DOTALL
)


class Batch(NamedTuple):
    """Rows of a statement that writes one of them."""

    name: str
    rows: Sequence[Sequence[Any]]


#: What becomes of the values of a statement; None where they are more than rows of a table.
Batches = Callable[["WritingDatabase", Sequence[Any]], "list[Batch] | None"]


def columns_of(batch: Batch) -> list[str | Halves]:
    """The columns of a batch, as psycopg takes them."""
    *columns, last = zip(*batch.rows, strict=True)
    return [*map(array, columns), Halves(last) if batch.name == "put_vector" else array(last)]


def table_of(name: str) -> str:
    """The table that a statement writes one row of."""
    return _parts(name)[0]


@cache
def batch_query(name: str, types: tuple[tuple[str, str], ...]) -> tuple[NamedStatement, tuple[str, ...]]:
    """A statement for many rows, and the columns that it takes an array of each.

    Args:
        types: Of the table's columns, by name. What is an array itself, a tsvector or a sparsevec is sent as text.
    """
    table, columns, rest = _parts(name)
    known = dict(types)
    sent = {column: "text" if _as_text(known[column]) else known[column] for column in columns}
    arrays = ", ".join(f":{column}::{type_}[]" for column, type_ in sent.items())
    given = ", ".join(
        f"r.{column}::{known[column]}" if _as_text(known[column]) else f"r.{column}" for column in columns
    )
    text = (
        f"INSERT INTO {table} (tenant, {', '.join(columns)}) SELECT :tenant, {given} "
        f"FROM unnest({arrays}) AS r ({', '.join(columns)}){rest}"
    )
    return query_of(text), columns


def _as_text(type_: str) -> bool:
    return type_.endswith("[]") or type_ in {"tsvector", "jsonb", "sparsevec"}


@cache
def _parts(name: str) -> tuple[str, tuple[str, ...], str]:
    """Table and columns behind the tenant of a statement that writes a row, and what follows its values."""
    text = _BATCHES.get(name) or query(name).text
    found = _ROW.search(text)
    assert found is not None, name
    columns = tuple(column.strip() for column in found[2].split(","))
    return found[1], columns[1:], (found[3] or "").rstrip()


def _items(database: WritingDatabase, rows: Sequence[Any]) -> list[Batch]:
    stored = [database.prepared("insert_item", row) for row in rows]
    words: list[tuple[Any, ...]] = []
    for row in stored:
        said = worded(words_of(row[1:]))
        database.count_words(said)
        key, length, counts, lexemes, tallies = words_row(database.tenant, row[0], said, row[2], row[5])
        words.append((key, length, counts, _tsvector(lexemes), tallies))
    lines = [(*row[:-2], array(row[-2]), array(row[-1])) for row in stored]
    return [Batch("insert_item", lines), Batch("put_words", words)]


def _tsvector(lexemes: Sequence[str]) -> str:
    """Lexemes as a tsvector is written."""
    return "'" + quoted("\0".join(lexemes)).replace("\0", "' '") + "'"


def _vectors(database: WritingDatabase, rows: Sequence[Any]) -> list[Batch] | None:
    if not all(database.lacks_vector(item) for item, *_ in rows):
        return None
    stored: list[tuple[Any, ...]] = []
    for (item, model, *_), half in zip(rows, halves([data for *_, data in rows]), strict=True):
        place = database.take_place(item)
        database.note_change(item)
        stored.append((item, model, *place, zlib.crc32(half), half or None))
    return [Batch("put_vector", stored)]


def _mentions(_: WritingDatabase, rows: Sequence[Any]) -> list[Batch] | None:
    # Of an entity that stood there twice one row would be left out.
    return [Batch("count_mentions_of_many", rows)] if len({key for *_, key in rows}) == len(rows) else None


def _plain(name: str) -> Batches:
    return lambda database, rows: [Batch(name, [database.prepared(name, row) for row in rows])]


#: Statements of which the rows are sent together.
BULK: Final[Mapping[str, Batches]] = {
    "insert_item": _items,
    "put_vector": _vectors,
    "count_mentions": _mentions,
    "add_mention": lambda _, rows: [
        Batch("add_mention", [(src, dst, "mentions", at) for src, dst, at in rows])
    ],
    **{
        name: _plain(name)
        for name in ("add_revision", "add_event", "add_entity", "add_name", "await_extraction")
    },
}
#: Statements that are written for many rows, with an array of each column.
FOR_MANY: Final = frozenset({"count_mentions_of_many"})
#: What a row is where the statement for one works it out: vectors of new items, of which everything is known.
_BATCHES: Final = {
    "put_vector": "INSERT INTO memory_embeddings "
    "(tenant, item, model, scope_key, standing, expires_at, checksum, vector) VALUES (1)",
}
