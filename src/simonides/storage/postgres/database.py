"""The named statements of PostgreSQL, run on a connection for one tenant."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, Final, LiteralString, NamedTuple, Protocol, cast

import numpy as np
import psycopg
from psycopg.pq import Format, PipelineStatus
from psycopg.types.numeric import Int4, Int8

from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.errors import StoreError
from simonides.storage.postgres.arrays import array
from simonides.storage.postgres.bulk import BULK, FOR_MANY, MANY, batch_query, columns_of, table_of
from simonides.storage.postgres.conditions import conditions, folded_lines
from simonides.storage.postgres.head import FACTS, Head
from simonides.storage.postgres.statements import NamedStatement, numbered, query, statements
from simonides.storage.postgres.vectors import Half, Keys, Texts, half_bytes
from simonides.storage.postgres.words import Worded, worded, words_row
from simonides.storage.sql.rows import COLUMNS, words_of

Connection = psycopg.Connection[tuple[Any, ...]]
_ID, _SCOPE, _STATUS, _EXPIRY, _TAGS, _ENTITIES = (
    COLUMNS.index(name) for name in ("id", "scope_key", "status", "expires_at", "tags", "entities")
)
#: Standing of an item's vectors by its status; what is not here is never found.
_STANDINGS: Final = {"active": 0, "archived": 1}
#: Before the first statement of a view.
_VIEW: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


#: How statements are planned: for the values of each call, as what is not prepared is by itself, or once for all. Never
#: `force_custom_plan`: the server would plan its checks of foreign keys anew for every row.
_FOR_EACH: Final = "SET LOCAL plan_cache_mode = 'auto'"
_FOR_ALL: Final = "SET LOCAL plan_cache_mode = 'force_generic_plan'"


class _Prelude(list[LiteralString]):
    """Statements that are sent before the next statement of a view.

    Attributes:
        for_all: How statements are planned then.
    """

    for_all = False


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

    def read(self) -> Sequence[tuple[Any, ...]]:
        """Wait for the rows; all of them, whatever was taken."""
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
            self._next = iter(self.read())
        return self._next

    def __next__(self) -> tuple[Any, ...]:
        return next(iter(self))

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Every row that is left."""
        return list(self)

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row; None where there is none."""
        return next(iter(self), None)

    def again(self) -> Rows:
        """The same rows from the first, whatever was taken; they are waited for once."""
        return _Again(self)


class _Again(Rows):
    """Rows that others have, too."""

    def __init__(self, first: Rows) -> None:
        super().__init__()
        self._first = first

    def read(self) -> Sequence[tuple[Any, ...]]:
        return self._first.read()


class _Asked(NamedTuple):
    """A statement that was sent before anybody asked for it."""

    name: str
    asked: NamedStatement
    values: dict[str, Any]
    rows: Rows


class PostgresDatabase:
    """Meets `storage.sql.database.Database` for reading: one view of what a tenant has."""

    #: No key of the owner: what rows are worth is the database's word.
    key: bytes | None = None
    #: Rows that were asked for ahead stay what they are, however often they are wanted: nothing is written.
    _stands = True
    #: Every statement stays prepared on the connection, and the server finds out whether one plan serves all values.
    _keeps = False

    def __init__(self, connection: Connection, tenant: int, settings: Sequence[LiteralString] = ()) -> None:
        self._connection = connection
        self.tenant = tenant
        self._settings = settings
        #: What is sent before the first statement, once.
        self._prelude = _Prelude([_VIEW, *settings])
        #: Some statements stay prepared on the connection.
        self._prepares = connection.prepare_threshold is not None
        self._last: psycopg.Cursor[tuple[Any, ...]] | None = None
        self._together: ExitStack | None = None
        self._ahead: list[_Asked] = []

    def of(self, tenant: int) -> PostgresDatabase:
        """The same view of what another number has: the archive's, or that of which this is the archive."""
        other = PostgresDatabase(self._connection, tenant, self._settings)
        other._prelude = self._prelude
        return other

    @contextmanager
    def together(self, *others: PostgresDatabase) -> Generator[None]:
        """A block whose statements are sent in one go: their rows are asked for behind it, or waited for in it.

        Args:
            others: Others of the same view.
        """
        if self._together:  # A pipeline within another would wait for what the other has sent.
            yield
            return
        sending = [self, *others]
        with ExitStack() as pipeline:
            for one in sending:
                one._together = pipeline  # noqa: SLF001 - of its own kind
            try:
                yield
            finally:
                for one in sending:
                    one._together = None  # noqa: SLF001 - as above

    def _pipe(self) -> None:
        """Begin to send in one go, where that is wanted: the end of a pipeline is waited for, even of an empty one."""
        pipeline = self._together
        if pipeline is not None and self._connection.pgconn.pipeline_status == PipelineStatus.OFF:
            pipeline.enter_context(self._connection.pipeline())

    def let(self, setting: LiteralString) -> None:
        """Let a setting hold for the rest of the view."""
        self._pipe()
        while self._prelude:
            self._connection.execute(self._prelude.pop(0))
        self._connection.execute(setting)

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Rows:
        if name == "fact":
            return self._fact(values["name"])
        asked = query(name, *conditions)
        looked = self._looked(name, asked, values) if self._ahead else None
        return self.run(asked, values) if looked is None else looked

    def look(self, name: str, values: Any = None, /, *conditions: str) -> None:
        """Ask ahead: `execute` gives these rows where the same is asked, and its tables were not written to since."""
        asked = query(name, *conditions)
        bound = self._bound(asked, values)
        self._ahead.append(_Asked(name, asked, bound, self.run(asked, values)))

    def _looked(self, name: str, asked: NamedStatement, values: Any) -> Rows | None:
        bound = None
        for place, one in enumerate(self._ahead):
            if one.asked is asked:
                bound = bound or self._bound(asked, values)
                if one.values == bound or (name in _MAY_BE_MORE and _covers(one.values, bound)):
                    if self._stands:
                        return one.rows.again()
                    del self._ahead[place]
                    return one.rows
        return None

    def _fact(self, name: str) -> Rows:
        (row,) = self.run(query("head"), None)
        return Rows(rows=[(getattr(Head(*row), FACTS[name]),)])

    def run(self, asked: NamedStatement, values: Any, *, bound: bool = False) -> Rows:
        """Run a statement, with its values by name or as a row; `bound` where psycopg takes them as they are."""
        return self._run(asked, values | {"tenant": self.tenant} if bound else self._bound(asked, values))

    def _run(self, asked: NamedStatement, bound: dict[str, Any]) -> Rows:
        once = asked.once and self._prepares
        if once != self._prelude.for_all:
            self._prelude.append(_FOR_ALL if once else _FOR_EACH)
            self._prelude.for_all = once
        prepared = once or self._keeps
        if prepared:
            bound = _of_steady_types(asked, bound)
        self._pipe()
        cursor = self._last = psycopg.RawCursor(self._connection)
        cursor.format = Format.BINARY
        text, names = numbered(asked.text)
        with nullcontext() if self._together or not self._prelude else self._connection.pipeline():
            while self._prelude:
                self._connection.execute(self._prelude.pop(0))
            cursor.execute(text, [bound[name] for name in names], prepare=prepared)
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

    def count(self, name: str, values: Any = None, /) -> Callable[[], int]:
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


class Sending(Protocol):
    """A transaction whose statements are sent without waiting for their answers."""

    @property
    def connection(self) -> Connection:
        """The connection that it is on."""
        ...

    def part(self) -> AbstractContextManager[None]:
        """A part of it: where it raises, or breaks a rule, what was written in it is taken back."""
        ...

    def hear(self) -> None:
        """Wait for every answer; raise what went wrong."""
        ...


class WritingDatabase(PostgresDatabase):
    """Meets `storage.sql.database.Database` within a transaction that has locked the tenant's head.

    Statements are sent without waiting for their answers, until rows are asked for. What triggers do for SQLite is done
    here: words, numbers of changes and revisions, and where vectors stand.
    """

    _stands = False

    def __init__(self, transaction: Sending, tenant: int) -> None:
        super().__init__(transaction.connection, tenant)
        self._prelude.clear()
        self._prepares = False
        self._transaction = transaction
        self._head: Head | None = None
        #: The head as it was written down last in this transaction.
        self._flushed: Head | None = None
        #: Commits of the tenant that this process has seen.
        self._seen = -1
        #: Columns of tables, once they were asked for.
        self._types: dict[str, tuple[tuple[str, str], ...]] = {}
        #: Where vectors of items that this transaction made stand: they have none yet.
        self._fresh: dict[int, tuple[int, int, int | None]] = {}
        #: Keys of items that are known for the length of the transaction, by id.
        self.keys: dict[str, int] = {}
        #: Items as they stand, by key, until something is written to them; and numbers of their last revisions.
        self.items: dict[int, Item] = {}
        self.numbers: dict[int, int] = {}
        #: Broken rules may be told at the end of the work.
        self._late = False
        #: Something was written.
        self.dirty = False

    def begin(self) -> None:
        """Lock the tenant's head. Nothing is waited for: whoever asks for something first hears of it."""
        self._connection = self._transaction.connection
        self._head = self._flushed = None
        self._late = self.dirty = False
        self._keeps = self._connection.prepare_threshold is not None
        self.forget()
        self._locking = self._connection.cursor(binary=True)
        self._locking.execute(query("lock_head").text, {"tenant": self.tenant})

    def keep_nothing(self) -> None:
        """Prepare nothing any more in this transaction.

        psycopg takes for prepared what the server passed over behind a failure, until it hears of the rollback; then it
        forgets all, and has the server do so behind the next statement.
        """
        self._keeps = False

    def forget(self) -> None:
        """Forget what was read ahead, and what was made: it may have been taken back."""
        self._ahead.clear()
        self._fresh.clear()
        self.keys.clear()
        self.items.clear()
        self.numbers.clear()

    @property
    def head(self) -> Head:
        """The tenant's head, which is locked."""
        if self._head is None:
            row = self._locking.fetchone()
            if row is None:
                raise StoreError(f"tenant {self.tenant} has no store any more; it may have been erased")
            self._locked = Head(*row)
            self._head = self._locked.copied()
            if self._seen != self._head.commits:
                self._others = self._head.commits
        return self._head

    @property
    def added(self) -> int:
        """How many items this transaction added."""
        return 0 if self._head is None else self._head.last_key - self._locked.last_key

    def saved(self) -> Head | None:
        """The head as it is, for `take_back`; None before it was heard of."""
        return None if self._head is None else self._head.copied()

    def take_back(self, head: Head | None) -> None:
        """Go on with the head as it was, and forget what was made since."""
        if head is not None or self._head is not None:
            self._head = (head or self._locked).copied()
            self._flushed = None
        self.forget()

    def end(self) -> None:
        """Note that the transaction was committed."""
        self._seen = self.head.commits

    def look(self, name: str, values: Any = None, /, *conditions: str) -> None:
        if name in _OF_HEAD:
            self.flush()
        elif name in _OF_TERMS:
            self.flush_terms()
        super().look(name, values, *conditions)

    def hear_ahead(self) -> None:
        """Wait for what was asked ahead, and for the lock."""
        for one in self._ahead:
            one.rows.read()
        _ = self.head

    def tell_late(self) -> None:
        """Let broken rules be told at the end of the work: until then nobody waits."""
        self._late = True

    def execute(self, name: str, values: Any = None, /, *conditions: str) -> Rows:
        own = _OWN.get(name)
        if own is not None and (found := own(self, values)) is not None:
            return found
        asked = query(name, *conditions)
        if self._ahead and (looked := self._looked(name, asked, values)) is not None:
            return looked
        if name in _OF_HEAD:
            self.flush()
        elif name in _OF_TERMS:
            self.flush_terms()
        self._written(asked)
        values = self.prepared(name, values)
        found = self.run(asked, values)
        after = _AFTER.get(name)
        if after is not None:
            return after(self, values, found)
        return found

    def _written(self, asked: NamedStatement) -> None:
        if asked.writes:
            self.dirty = True
            if not _OF_ITEMS.isdisjoint(asked.tables):
                self.items.clear()
            self._ahead = [one for one in self._ahead if one.asked.tables.isdisjoint(asked.tables)]

    def executemany(self, name: str, rows: Iterable[Any], /) -> None:
        given = list(rows)
        batches = BULK[name](self, given) if len(given) >= MANY and name in BULK else None
        if batches is None:
            for row in given:
                self.execute(name, row)
            return
        for batch in batches:
            asked, columns = self._for_many(batch.name)
            self._written(asked)
            self.run(asked, dict(zip(columns, columns_of(batch), strict=True)), bound=True)

    def _for_many(self, name: str) -> tuple[NamedStatement, tuple[str, ...]]:
        """A statement for many rows, and the columns that it takes an array of each."""
        if name in FOR_MANY:
            return query(name), query(name).names
        return batch_query(name, self._types_of(table_of(name)))

    def _types_of(self, table: str) -> tuple[tuple[str, str], ...]:
        """The columns of a table, with their types."""
        if table not in self._types:
            self._types[table] = tuple(self.run(query("columns_of"), {"table": table}))
        return self._types[table]

    def changes(self) -> int:
        self._transaction.hear()
        return super().changes()

    def count(self, name: str, values: Any = None, /) -> Callable[[], int]:
        self.execute(name, values)
        cursor = self._last

        def written() -> int:
            if cursor is not None and cursor.rowcount < 0:
                self._transaction.hear()
            return 0 if cursor is None else max(0, cursor.rowcount)

        return written

    def flush(self) -> None:
        """Write down what is only known here: the head, and what goes with its numbers."""
        self.flush_terms()
        head = self.head
        if head.changed:
            noted = {"items": array(head.changed), "before": head.last_change - len(head.changed)}
            self.run(query("note_changes"), noted, bound=True)
            head.changed = []
        if head != self._flushed:
            self.run(query("put_head"), {name: getattr(head, name) for name in query("put_head").names})
            head.more_worded = head.more_tokens = 0
            self._flushed = head.copied()

    def flush_terms(self) -> None:
        """Write down how many more items hold which term."""
        terms = {term: count for term, count in sorted(self.head.terms.items()) if count}
        if terms:
            counted = {"terms": array([*terms]), "counts": array([*terms.values()])}
            self.run(query("count_terms"), counted, bound=True)
        self.head.terms.clear()

    def conflicts(self) -> AbstractContextManager[None]:
        return nullcontext() if self._late else self._transaction.part()

    def version(self) -> object:
        return self._others if self.head else None

    #: What others' commits change.
    _others: object = 0

    # What statements bring with them

    def note_change(self, item: int) -> None:
        """Tell the feed of changes of an item."""
        self.head.last_change += 1
        self.head.changed.append(item)
        self.dirty = True

    def put_words(self, key: int, row: tuple[Any, ...], scope_key: int, status: str) -> None:
        """Put an item's words into the text index. `row` as `words_of` gives it."""
        words = worded(row)
        self.count_words(words)
        self.run(query("put_words"), words_row(self.tenant, key, words, scope_key, status))

    def count_words(self, words: Worded) -> None:
        """Count an item's words among those of all."""
        self.head.more_worded += 1
        self.head.more_tokens += words.length
        self.head.terms.update(words.counts.keys())

    def prepared(self, name: str, values: Any) -> Any:
        """The values of a statement as this store takes them."""
        prepare = _PREPARED.get(name)
        return values if prepare is None else prepare(self, values)

    # Items that were made in this transaction

    def note_made(self, key: int, scope_key: int, status: str, expires_at: int | None) -> None:
        """Note where vectors of a new item are to stand."""
        self._fresh[key] = (scope_key, _STANDINGS.get(status, -1), expires_at)

    def lacks_vector(self, key: int) -> bool:
        """True of an item that was made here and has no vector yet."""
        return key in self._fresh

    def forget_made(self, key: int) -> None:
        """Note that an item is like any other by now: it has a vector, or was changed."""
        self._fresh.pop(key, None)

    def take_place(self, key: int) -> tuple[int, int, int | None]:
        """Scope, standing and expiry of such an item, which gets a vector now."""
        return self._fresh.pop(key)

    def drop_words(self, keys: Sequence[int]) -> None:
        """Take items' words out of the text index."""
        self.flush_terms()
        self.run(query("drop_words"), {"keys": list(keys)})

    def note_read(self, rows: Iterable[tuple[Any, ...]], items: Mapping[str, Item]) -> None:
        """Note items as they stand, of rows that begin with key and id."""
        for key, id_, *_ in rows:
            self.keys[id_] = key
            self.items[key] = items[id_]

    def drop_unheld_terms(self) -> None:
        """Drop the terms that no item holds any more: each is a word that somebody said."""
        self.flush_terms()
        self.run(query("terms_gone"), {})


def _covers(wide: dict[str, Any], narrow: dict[str, Any]) -> bool:
    """True if rows of a statement with some values hold all that it finds with others."""
    return all(
        value == wide[name]
        or (isinstance(value, list) and set(cast("list[object]", value)) <= set(wide[name]))
        for name, value in narrow.items()
    )


_COLLECTIONS: Final = (list, tuple, set, frozenset)


def _value(value: Any) -> Any:
    """A value as psycopg takes it."""
    if isinstance(value, _COLLECTIONS):
        members = list(cast("Collection[Any]", value))
        if not members or isinstance(members[0], (bytes, int, np.integer)):
            plain = [one if isinstance(one, bytes) else int(one) for one in members]
            return sorted(plain) if isinstance(value, set | frozenset) else plain
        return Texts(sorted(map(str, members)) if isinstance(value, set | frozenset) else map(str, members))
    if isinstance(value, np.ndarray):
        return cast("list[Any]", value.tolist())
    return cast("np.generic[Any]", value).item() if isinstance(value, np.generic) else value


def _of_steady_types(asked: NamedStatement, bound: dict[str, Any]) -> dict[str, Any]:
    """Values of a statement that is prepared: it is prepared anew for each combination of types that they have."""
    steady = {name: _steady(value, name in asked.keys) for name, value in bound.items()}
    return steady | {"tenant": Int4(bound["tenant"])}


def _steady(value: Any, of_keys: bool) -> Any:
    if isinstance(value, list):
        members = cast("list[Any]", value)
        return Keys(members) if of_keys or (members and isinstance(members[0], int)) else members
    return Int8(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _stored(row: Sequence[Any], first: int) -> tuple[Any, ...]:
    """What this store keeps of an item beside `COLUMNS`, which begin at a place."""
    return folded_lines(row[first + _TAGS]), folded_lines(row[first + _ENTITIES])


def _insert_item(database: WritingDatabase, row: Any) -> Any:
    key, *fields = row
    database.head.last_key = max(database.head.last_key, key)
    database.note_made(key, fields[_SCOPE], fields[_STATUS], fields[_EXPIRY])
    database.keys[fields[_ID]] = key
    return (*row, *_stored(row, 1))


def _update_item(database: WritingDatabase, row: Any) -> Any:
    *fields, key = row
    database.forget_made(key)
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
    database.forget_made(values["key"])
    database.keys.clear()
    database.drop_words([values["key"]])
    database.note_change(values["key"])
    return values


def _last_revision(database: WritingDatabase, values: Any) -> Rows | None:
    number = database.numbers.get(values["item"])
    return None if number is None else Rows(rows=[(number,)])


def _add_revision(database: WritingDatabase, row: Any) -> Any:
    database.head.last_revision += 1
    if row[0] in database.numbers:
        database.numbers[row[0]] = row[1]
    return (*row, database.head.last_revision)


def _add_scope(_: WritingDatabase, values: Any) -> Any:
    return values | {"project": dict(Scope(values["path"]).parts).get("project")}


def _put_vector(database: WritingDatabase, row: Any) -> Any:
    item, model, checksum, data = row
    database.note_change(item)
    database.forget_made(item)
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


#: Statements that need no server, since the head is locked and known; None of one that does need it.
_OWN: Final[dict[str, Callable[[WritingDatabase, Any], Rows | None]]] = {
    "last_revision": _last_revision,
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
#: Tables that an item as it is read comes from.
_OF_ITEMS: Final = frozenset({"memory_items", "memory_usage", "memory_scopes"})
#: Statements that read what `flush` writes, and what `flush_terms` does.
_OF_HEAD: Final = frozenset(
    {"state", "count_unnamed", "changes_up_to", "changed_vectors", "lacking_vector", "search_text"}
)
#: Statements of which more rows than were asked for do no harm.
_MAY_BE_MORE: Final = frozenset({"known_names"})
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
