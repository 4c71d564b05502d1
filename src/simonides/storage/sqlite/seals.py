"""Seals: in each row a hash of its other columns, so that what was changed outside Simonides shows.

A connection that writes notes which rows it wrote and seals them before it commits: no statement has to think of it.
Rows of statements that every write runs are sealed as they are added (`ADDED`): each is written once instead of twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import count
from operator import itemgetter
from typing import Any, Final, NamedTuple, cast

import apsw

from simonides.errors import WrongKey
from simonides.storage.sqlite.sql import Connection, table
from simonides.storage.sqlite.statements import schema, statement
from simonides.storage.sqlite.text_index import add_tokenizer

_BYTES: Final = 16
_COLUMN: Final = "seal"
#: The facts that name the key of a store, and the first audit event that its chain has under it.
KEY: Final = "key"
KEYED_FROM: Final = "keyed_from"
#: Of the tables from which prompts are written: the statement that compares some rows.
_SOUND: Final = {"memory_items": "sound_items", "memory_entities": "sound_entities"}


class Sealed(NamedTuple):
    """A table whose rows bear a seal.

    Attributes:
        key: The columns of the primary key.
        key_of: The values of the primary key in a row that is written.
        add_row: Adds a row with its seal.
        last_key: The largest key that is a number.
        seal_row: Seals the row of a primary key.
        seal_rows: Seals every row.
        broken: The primary keys of rows that are not as they were sealed.
        kinds: Of each column, what it keeps.
        sound: Of some ids those whose rows are; only of items and entities.
    """

    key: tuple[str, ...]
    key_of: Callable[[Any], Any]
    add_row: str
    last_key: str
    seal_row: str
    seal_rows: str
    broken: str
    sound: str
    kinds: tuple[str, ...]


class Added(NamedTuple):
    """Rows that are sealed as they are added.

    Attributes:
        row: The row, in the order of the table's columns, from what a statement of this name is given.
        numbered: Their keys follow the last one.
        replaces: What is in a row's way becomes that row, in every column.
    """

    table: str
    row: Callable[..., tuple[Any, ...]]
    numbered: bool = False
    replaces: bool = False


def _whole(*row: Any) -> tuple[Any, ...]:
    return row


def _waiting(item: int, session_id: str) -> tuple[Any, ...]:
    return (item, session_id, "waiting", 0, None, None)


def _mention(src: int, dst: int, at: int) -> tuple[Any, ...]:
    return (src, dst, "mentions", None, 1.0, 1.0, None, None, None, at)


def _fact(name: str, value: Any) -> tuple[Any, ...]:
    return (name, value)


def _session(
    scope_key: int, session_id: str, first_seen_at: int, last_seen_at: int, turns: int,
    consolidated_at: int | None, ended_at: int | None,
) -> tuple[Any, ...]:  # fmt: skip
    return (scope_key, session_id, first_seen_at, last_seen_at, turns, consolidated_at, ended_at)


#: Statements that every write runs.
ADDED: Final = {
    "insert_item": Added("memory_items", _whole),
    "add_revision": Added("memory_revisions", _whole, numbered=True),
    "put_vector": Added("memory_embeddings", _whole, numbered=True),
    "add_mention": Added("memory_links", _mention),
    "put_link": Added("memory_links", _whole),
    "put_session": Added("memory_sessions", _session, replaces=True),
    "put_fact": Added("meta", _fact, replaces=True),
    "await_extraction": Added("memory_buffer", _waiting),
}
_SEALED: Final = {
    (added.table, added.replaces): frozenset(
        (added.table, kind) for kind in (("INSERT", "UPDATE") if added.replaces else ("INSERT",))
    )
    for added in ADDED.values()
}
#: What is kept as it is by a column of a kind.
_STORED: Final = {
    "INTEGER": {int},
    "REAL": {float},
    "TEXT": {str},
    "BLOB": {bytes},
    "ANY": {int, float, str, bytes},
}


class SealingConnection(apsw.Connection):
    """A connection with the function `seal_of`, for statements only: a schema cannot call it."""

    def __init__(self, path: str, **options: Any) -> None:
        super().__init__(path, **options)
        #: What seals are made with; None for plain hashes.
        self.key: bytes | None = None
        #: What pages are encrypted with; None where they are not.
        self.cipher: str | None = None
        #: Whether the rows were sealed with a key that is not known here: then nothing can be compared.
        self.blind = False
        self._written: dict[str, set[Any]] = {}
        #: Changes that bring their seals with them, by table and kind.
        self._sealed: frozenset[tuple[str, str]] = frozenset()
        cast("Connection", self).create_scalar_function(
            "seal_of", self._seal, -1, deterministic=True, flags=apsw.SQLITE_DIRECTONLY
        )

    def _seal(self, *values: object) -> bytes | None:
        if self.blind:
            return None  # Compared with it, a seal is neither right nor wrong.
        # `ascii` writes each value so that it cannot be taken for another, whichever the version of Python.
        return hashlib.blake2b(ascii(values).encode(), digest_size=_BYTES, key=self.key or b"").digest()

    def note_writes(self) -> None:
        """Note from now on which rows are written."""
        tables = {name: table.key_of for name, table in sealed_tables().items()}
        written = self._written

        def note(change: Any) -> None:
            name = change.table_name
            key_of = tables.get(name)
            if key_of is None or change.op == "DELETE" or change.database_name != "main":
                return
            if (name, change.op) not in self._sealed:
                written.setdefault(name, set()).add(key_of(change))

        cast("Any", self).preupdate_hook(note, id="seals")
        self.set_rollback_hook(written.clear)

    def add(self, name: str, rows: Iterable[Any]) -> Any:
        """Run a statement of `ADDED`, each row with its seal; one that changes another in part is noted as written."""
        own, added = cast("Connection", self), ADDED[name]
        table = sealed_tables()[added.table]
        whole = (added.row(**row) if isinstance(row, dict) else added.row(*row) for row in rows)
        if added.numbered:
            first = own.execute(table.last_key).get + 1
            whole = ((key, *row) for key, row in zip(count(first), whole, strict=False))
        self._sealed = _SEALED[added.table, added.replaces]
        try:
            return own.executemany(
                _adding(name), ((*row, self._seal(added.table, *_stored(row, table.kinds))) for row in whole)
            )
        finally:
            self._sealed = frozenset()

    def commit(self) -> None:
        """Seal what was written, and commit."""
        own = cast("Connection", self)
        require_key(own)
        for name, keys in list(self._written.items()):
            table = sealed_tables()[name]
            single = len(table.key) == 1
            own.executemany(table.seal_row, [(key,) if single else key for key in tuple(keys)])
        own.execute("COMMIT")
        self._written.clear()


@cache
def _adding(name: str) -> str:
    """A statement of `ADDED` with the seal: as to what is in its way it does as it says."""
    added = ADDED[name]
    _, otherwise, what = statement(name).partition("ON CONFLICT")
    seal = ", seal = excluded.seal" if added.replaces else ""
    return f"{sealed_tables()[added.table].add_row} {otherwise}{what}{seal}"


def _stored(row: tuple[Any, ...], kinds: tuple[str, ...]) -> tuple[Any, ...]:
    """A row as it will be read: of what is a text, a number or bytes in its own way SQLite keeps that alone.

    A whole number is kept as such, or as a fraction, as the column says.
    """
    types = tuple(map(type, row))
    return row if _as_they_are(types, kinds) else tuple(map(_plain, row, kinds))


@lru_cache(maxsize=1024)
def _as_they_are(types: tuple[type, ...], kinds: tuple[str, ...]) -> bool:
    """True if columns keep values of these types as they are."""
    return all(one is type(None) or one in _STORED[kind] for one, kind in zip(types, kinds, strict=True))


def _plain(value: Any, kind: str) -> Any:
    if value is None or type(value) in _STORED[kind]:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | float):
        if kind == "INTEGER" and (isinstance(value, int) or value.is_integer()):
            return int(value)
        return float(value) if kind == "REAL" or isinstance(value, float) else int(value)
    return bytes(value)


def seal_all(connection: Connection) -> None:
    """Seal every row as it stands; the caller brings the transaction."""
    for one in sealed_tables().values():
        connection.execute(one.seal_rows)


def broken(connection: Connection, name: str) -> Iterator[tuple[Any, ...]]:
    """The primary keys of rows of a table that are not as they were sealed."""
    yield from connection.execute(sealed_tables()[name].broken)


def key_from(secret: str) -> bytes:
    """The key that a secret of the owner stands for."""
    return hashlib.blake2b(secret.encode("utf-8", "surrogatepass"), person=b"simonides key").digest()


def put_key(connection: Connection, first_event: int) -> None:
    """Note by which key the rows are sealed, and from which audit event on its chain is made with it."""
    for name, value in ((KEY, _name_of(connection.key)), (KEYED_FROM, first_event)):
        connection.execute(statement("put_fact"), {"name": name, "value": value})


def require_key(connection: Connection, *, blind: bool = False) -> None:
    """See that a store and the key that is at hand go together.

    Args:
        blind: Whether it may be read without its key; nothing is compared then.

    Raises:
        WrongKey: It is under another key, or under none.
    """
    known: object = connection.execute(statement("fact"), {"name": KEY}).get
    if known == _name_of(connection.key):
        return
    if known is None:
        raise WrongKey(
            f"{connection.filename} is not under the integrity key. If you know that it is sound, put it under the key "
            "with `simonides audit seal`; if it was before, somebody has changed it"
        )
    if connection.key is not None:
        raise WrongKey(
            f"{connection.filename} is under another integrity key; give the one it was sealed with"
        )
    if not blind:
        raise WrongKey(
            f"{connection.filename} is under an integrity key: set SIMONIDES_INTEGRITY_KEY or integrity.key_file; "
            "without the key it can only be opened to read, as `simonides export` does"
        )
    connection.blind = True


def _name_of(key: bytes | None) -> bytes | None:
    """The name of a key in a file, which does not give it away."""
    return None if key is None else hashlib.blake2b(b"name", key=key, digest_size=_BYTES).digest()


def items_and_soundness(connection: Connection, keys: Sequence[int]) -> list[tuple[Any, ...]]:
    """Rows of items, each with whether it is as it was sealed in its last column."""
    return connection.execute(sealed_tables()["memory_items"].sound, {"keys": table(keys)}).fetchall()


def altered_entities(connection: Connection, ids: Sequence[str]) -> frozenset[str]:
    """Those of the ids of entities whose rows are not as they were sealed."""
    sound = connection.execute(sealed_tables()["memory_entities"].sound, {"ids": table(ids)})
    return frozenset(ids).difference(row[0] for row in sound)


@cache
def sealed_tables() -> dict[str, Sealed]:
    """The tables whose rows bear a seal, as the schema has them."""
    made = cast("Connection", apsw.Connection(":memory:"))
    add_tokenizer(made)
    made.execute(schema())
    names = made.execute(statement("sealed_tables")).fetchall()
    sealed = {
        name: _sealed(name, made.execute(statement("columns_of"), (name,)).fetchall(), rowid=rowid == 1)
        for name, rowid in names
    }
    made.close()
    return sealed


def _sealed(name: str, rows: list[tuple[Any, ...]], *, rowid: bool) -> Sealed:
    rows = [row for row in rows if row[0] != _COLUMN]
    columns = [column for column, _, _ in rows]
    key = tuple(column for column, place, _ in sorted(rows, key=itemgetter(1)) if place)

    def of(text: str) -> str:
        return (
            statement(text)
            .replace("/*table*/", name)
            .replace("/*columns*/", ", ".join(columns))
            .replace("/*key*/", ", ".join(key))
            .replace("/*values*/", ", ".join("?" * len(key)))
            .replace("/*row*/", ", ".join("?" * len(columns)))
        )

    # The seal is the last column: the others stand where they stand in a row. A key that is the number of its row
    # is had without the row.
    values = cast("Callable[[tuple[Any, ...]], Any]", itemgetter(*(columns.index(column) for column in key)))

    def key_of(change: Any) -> Any:
        return change.rowid_new if rowid else values(change.new)

    return Sealed(
        key,
        key_of,
        of("add_row"),
        of("last_key"),
        of("seal_row"),
        of("seal_rows"),
        of("broken_seals"),
        of(_SOUND[name]) if name in _SOUND else "",
        tuple(kind for _, _, kind in rows),
    )
