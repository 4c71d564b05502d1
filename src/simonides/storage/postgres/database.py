"""The named statements of PostgreSQL, run on a connection for one tenant."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, LiteralString, cast

import numpy as np
import psycopg
from psycopg import Pipeline

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.storage.postgres.conditions import conditions, folded_lines
from simonides.storage.postgres.head import FACTS, Head
from simonides.storage.postgres.statements import NamedStatement, query, statements
from simonides.storage.postgres.vectors import Half, half_bytes
from simonides.storage.postgres.words import worded, words_row
from simonides.storage.sql.rows import COLUMNS, words_of

Connection = psycopg.Connection[tuple[Any, ...]]
_SCOPE, _STATUS, _TAGS, _ENTITIES = (
    COLUMNS.index(name) for name in ("scope_key", "status", "tags", "entities")
)
#: Before the first statement of a view.
_VIEW: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


class Rows:
    """Rows of a statement. Meets `storage.sql.database.Cursor`.

    Within a pipeline they are read when they are first asked for: until then nothing is waited for.
    """

    def __init__(
        self, cursor: psycopg.Cursor[tuple[Any, ...]] | None = None, rows: Sequence[tuple[Any, ...]] = ()
    ) -> None:
        self._cursor = cursor
        self._known = rows
        self._next: Iterator[tuple[Any, ...]] | None = None

    def _rows(self) -> Sequence[tuple[Any, ...]]:
        if self._cursor is not None:
            self._known, self._cursor = self._cursor.fetchall(), None
        return self._known

    @property
    def get(self) -> Any:
        """The only value, the only row, or None where there is no row."""
        row = self.fetchone()
        return row[0] if row is not None and len(row) == 1 else row

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self._next is None:
            self._next = iter(self._rows())
        return self._next

    def __next__(self) -> tuple[Any, ...]:
        return next(iter(self))

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Every row that is left."""
        return list(self)

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row; None where there is none."""
        return next(iter(self), None)


class PostgresDatabase:
    """Meets `storage.sql.database.Database` for reading: one view of what a tenant has."""

    #: No key of the owner: what rows are worth is the database's word.
    key: bytes | None = None

    def __init__(self, connection: Connection, tenant: int, settings: Sequence[LiteralString] = ()) -> None:
        self._connection = connection
        self.tenant = tenant
        self._settings = settings
        #: What is sent before the first statement, once.
        self._prelude: list[LiteralString] = [_VIEW, *settings]
        self._last: psycopg.Cursor[tuple[Any, ...]] | None = None
        self._together = False

    def of(self, tenant: int) -> PostgresDatabase:
        """The same view of what another number has: the archive's, or that of which this is the archive."""
        other = PostgresDatabase(self._connection, tenant, self._settings)
        other._prelude = self._prelude
        return other

    @contextmanager
    def together(self) -> Generator[None]:
        """A block whose statements are sent in one go: their rows are asked for behind it, or waited for in it."""
        with self._connection.pipeline():
            self._together = True
            try:
                yield
            finally:
                self._together = False

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Rows:
        if name == "fact":
            return self._fact(values["name"])
        return self.run(query(name, *conditions), values)

    def _fact(self, name: str) -> Rows:
        (row,) = self.run(query("head"), None)
        return Rows(rows=[(getattr(Head(*row), FACTS[name]),)])

    def run(self, asked: NamedStatement, values: Any) -> Rows:
        """Run a statement, with its values by name or as a row."""
        cursor = self._last = self._connection.cursor(binary=True)
        bound = self._bound(asked, values)
        if not self._prelude:
            cursor.execute(asked.text, bound)
        elif self._together:
            while self._prelude:
                self._connection.execute(self._prelude.pop(0))
            cursor.execute(asked.text, bound)
        else:
            with self._connection.pipeline():
                while self._prelude:
                    self._connection.execute(self._prelude.pop(0))
                cursor.execute(asked.text, bound)
        return Rows(cursor)

    def _bound(self, asked: NamedStatement, values: Any) -> dict[str, Any]:
        if values is None:
            named: dict[str, Any] = {}
        elif isinstance(values, dict):
            named = cast("dict[str, Any]", values)
        else:
            named = dict(zip(asked.names, values, strict=True))
        bound = {name: _value(named[name]) for name in asked.names}
        bound["tenant"] = self.tenant
        return bound

    def rows(self, name: str, /, **values: Any) -> Rows:
        return self.execute(name, values)

    def value(self, name: str, /, **values: Any) -> Any:
        return self.execute(name, values).get

    def executemany(self, name: str, rows: Iterable[Any], /) -> None:
        raise NotImplementedError

    def changes(self) -> int:
        return 0 if self._last is None else max(0, self._last.rowcount)

    def fragment(self, name: str) -> str:
        return statements()[name]

    def conditions(
        self, selection: Selection, scope_keys: Callable[[Sequence[Scope]], list[int]]
    ) -> tuple[list[str], dict[str, Any]]:
        return conditions(selection, scope_keys)

    def among(self, column: str, values: str) -> str:
        return f"{column} = ANY(:{values})"

    def conflicts(self) -> AbstractContextManager[None]:
        return nullcontext()

    def version(self) -> object:
        return None


class WritingDatabase(PostgresDatabase):
    """Meets `storage.sql.database.Database` within a transaction that has locked the tenant's head.

    Statements are sent without waiting for their answers, until rows are asked for. What triggers do for SQLite is done
    here: words, numbers of changes and revisions, and where vectors stand.
    """

    def __init__(
        self,
        connection: Connection,
        pipeline: Pipeline,
        tenant: int,
        head: Head,
        parts: Callable[[], AbstractContextManager[None]],
    ) -> None:
        super().__init__(connection, tenant)
        self._prelude.clear()
        self._pipeline = pipeline
        self._parts = parts
        self.head = head
        #: Something was written.
        self.dirty = False

    def renew(self, connection: Connection, pipeline: Pipeline, head: Head) -> None:
        """Go on in another transaction."""
        self._connection, self._pipeline, self.head = connection, pipeline, head
        self.dirty = False

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Rows:
        own = _OWN.get(name)
        if own is not None:
            return own(self, values)
        asked = query(name, *conditions)
        if name in _OF_HEAD:
            self.flush()
        elif name in _OF_TERMS:
            self.flush_terms()
        self.dirty = self.dirty or asked.writes
        prepare = _PREPARED.get(name)
        if prepare is not None:
            values = prepare(self, values)
        found = self.run(asked, values)
        after = _AFTER.get(name)
        if after is not None:
            return after(self, values, found)
        return found

    def executemany(self, name: str, rows: Iterable[Any], /) -> None:
        for row in rows:
            self.execute(name, row)

    def changes(self) -> int:
        self._pipeline.sync()
        return super().changes()

    def flush(self) -> None:
        """Write down what is only known here: the head, and what goes with its numbers."""
        self.flush_terms()
        head = self.head
        if head.changed:
            self.run(
                query("note_changes"), {"items": head.changed, "before": head.last_change - len(head.changed)}
            )
            head.changed = []
        self.run(query("put_head"), {name: getattr(head, name) for name in query("put_head").names})

    def flush_terms(self) -> None:
        """Write down how many more items hold which term."""
        terms = {term: count for term, count in sorted(self.head.terms.items()) if count}
        if terms:
            self.run(query("count_terms"), {"terms": list(terms), "counts": list(terms.values())})
        self.head.terms.clear()

    def conflicts(self) -> AbstractContextManager[None]:
        return self._parts()

    def version(self) -> object:
        return self._others

    #: What others' commits change.
    _others: object = 0

    def know_others(self, commits: int) -> None:
        """Note how many transactions others had committed."""
        self._others = commits

    # What statements bring with them

    def note_change(self, item: int) -> None:
        """Tell the feed of changes of an item."""
        self.head.last_change += 1
        self.head.changed.append(item)
        self.dirty = True

    def put_words(self, key: int, row: tuple[Any, ...], scope_key: int, status: str) -> None:
        """Put an item's words into the text index. `row` as `words_of` gives it."""
        words = worded(row)
        self.head.worded += 1
        self.head.tokens += words.length
        self.head.terms.update(dict.fromkeys(words.counts, 1))
        self.run(query("put_words"), words_row(self.tenant, key, words, scope_key, status))

    def drop_words(self, keys: Sequence[int]) -> None:
        """Take items' words out of the text index."""
        self.flush_terms()
        rows, tokens = self.run(query("drop_words"), {"keys": list(keys)}).get
        self.head.worded -= rows
        self.head.tokens -= tokens

    def drop_unheld_terms(self) -> None:
        """Drop the terms that no item holds any more: each is a word that somebody said."""
        self.flush_terms()
        self.run(query("terms_gone"), {})


_COLLECTIONS: Final = (list, tuple, set, frozenset)


def _value(value: Any) -> Any:
    """A value as psycopg takes it."""
    if isinstance(value, _COLLECTIONS):
        members = list(cast("Collection[Any]", value))
        if not members or isinstance(members[0], (bytes, int, np.integer)):
            return [one if isinstance(one, bytes) else int(one) for one in members]
        return sorted(map(str, members)) if isinstance(value, set | frozenset) else list(map(str, members))
    if isinstance(value, np.ndarray):
        return cast("list[Any]", value.tolist())
    return cast("np.generic[Any]", value).item() if isinstance(value, np.generic) else value


def _stored(row: Sequence[Any], first: int) -> tuple[Any, ...]:
    """What this store keeps of an item beside `COLUMNS`, which begin at a place."""
    return folded_lines(row[first + _TAGS]), folded_lines(row[first + _ENTITIES])


def _insert_item(database: WritingDatabase, row: Any) -> Any:
    database.head.last_key = max(database.head.last_key, row[0])
    return (*row, *_stored(row, 1))


def _update_item(_: WritingDatabase, row: Any) -> Any:
    *fields, key = row
    return (*fields, *_stored(fields, 0), key)


def _updated(database: WritingDatabase, values: Any, found: Rows) -> Rows:
    key = values[-1]
    database.drop_words([key])
    database.put_words(key, words_of(values), values[_SCOPE], values[_STATUS])
    database.run(query("move_vectors"), {"key": key})
    database.note_change(key)
    return found


def _inserted(database: WritingDatabase, values: Any, found: Rows) -> Rows:
    database.put_words(values[0], words_of(values[1:]), values[1 + _SCOPE], values[1 + _STATUS])
    return found


def _delete_item(database: WritingDatabase, values: Any) -> Any:
    database.drop_words([values["key"]])
    database.note_change(values["key"])
    return values


def _add_revision(database: WritingDatabase, row: Any) -> Any:
    database.head.last_revision += 1
    return (*row, database.head.last_revision)


def _add_scope(_: WritingDatabase, values: Any) -> Any:
    return values | {"project": dict(Scope(values["path"]).parts).get("project")}


def _put_vector(database: WritingDatabase, row: Any) -> Any:
    item, model, checksum, data = row
    database.note_change(item)
    if not data:
        return item, model, checksum, None
    return item, model, zlib.crc32(half_bytes(data)), Half(data)


def _note_item(database: WritingDatabase, values: Any) -> Any:
    database.note_change(values["item"])
    return values


def _note_rows(database: WritingDatabase, _: Any, found: Rows) -> Rows:
    rows = found.fetchall()
    for (item,) in rows:
        database.note_change(item)
    return Rows(rows=rows)


def _head_fact(database: WritingDatabase, values: Any) -> Rows:
    return Rows(rows=[(getattr(database.head, FACTS[values["name"]]),)])


def _put_fact(database: WritingDatabase, values: Any) -> Rows:
    setattr(database.head, FACTS[values["name"]], values["value"])
    database.dirty = True
    return Rows()


def _of_head(name: str) -> Callable[[WritingDatabase, Any], Rows]:
    return lambda database, _: Rows(rows=[(getattr(database.head, name),)])


def _nothing(_: WritingDatabase, __: Any) -> Rows:
    return Rows()


def _leave_unnamed(database: WritingDatabase, values: Any) -> Rows:
    database.head.leave_unnamed(values["key"] - 1, values["key"])
    database.dirty = True
    return Rows()


def _leave_all_unnamed(database: WritingDatabase, _: Any) -> Rows:
    if database.head.last_key:
        database.head.names_after, database.head.names_until = 0, database.head.last_key
        database.dirty = True
    return Rows()


def _note_named(database: WritingDatabase, values: Any) -> Rows:
    database.head.note_named(values["key"])
    database.dirty = True
    return Rows()


def _end_naming(database: WritingDatabase, _: Any) -> Rows:
    database.head.end_naming()
    return Rows()


#: Statements that need no server, since the head is locked and known.
_OWN: Final[dict[str, Callable[[WritingDatabase, Any], Rows]]] = {
    "fact": _head_fact,
    "put_fact": _put_fact,
    "last_item_key": _of_head("last_key"),
    "last_change": _of_head("last_change"),
    "last_revision_key": _of_head("last_revision"),
    # Done with the rows of the items.
    "insert_item_words": _nothing,
    "leave_unnamed": _leave_unnamed,
    "leave_all_unnamed": _leave_all_unnamed,
    "note_named": _note_named,
    "end_naming": _end_naming,
}
#: Statements that read what `flush` writes, and what `flush_terms` does.
_OF_HEAD: Final = frozenset(
    {"state", "count_unnamed", "changes_up_to", "changed_vectors", "lacking_vector", "search_text"}
)
_OF_TERMS: Final = frozenset({"documents_with_terms", "terms_between"})
#: What is done with the values of statements before they run, and what follows them.
_PREPARED: Final[dict[str, Callable[[WritingDatabase, Any], Any]]] = {
    "insert_item": _insert_item,
    "update_item": _update_item,
    "delete_item": _delete_item,
    "add_revision": _add_revision,
    "add_scope": _add_scope,
    "put_vector": _put_vector,
    "drop_vectors_of_item": _note_item,
    "drop_vector": _note_item,
}
_AFTER: Final[dict[str, Callable[[WritingDatabase, Any, Rows], Rows]]] = {
    "insert_item": _inserted,
    "update_item": _updated,
    "drop_vectors_of_model": _note_rows,
    "note_vectors_of_model": _note_rows,
    "give_vectors_to_model": _note_rows,
}
