"""Seals: in each row a hash of its other columns, so that what was changed outside Simonides shows.

A connection that writes notes which rows it wrote and seals them before it commits: no statement has to think of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
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
        key_of: The values of the primary key in a row.
        seal_row: Seals the row of a primary key.
        seal_rows: Seals every row.
        broken: The primary keys of rows that are not as they were sealed.
        sound: Of some ids those whose rows are; only of items and entities.
    """

    key: tuple[str, ...]
    key_of: Callable[[tuple[Any, ...]], Any]
    seal_row: str
    seal_rows: str
    broken: str
    sound: str


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
            key_of = tables.get(change.table_name)
            if key_of is not None and change.op != "DELETE" and change.database_name == "main":
                written.setdefault(change.table_name, set()).add(key_of(change.new))

        cast("Any", self).preupdate_hook(note, id="seals")
        self.set_rollback_hook(written.clear)

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
            "without the key it can be opened to read only (read_only=True)"
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
    names = [row[0] for row in made.execute(statement("sealed_tables"))]
    found = {name: _sealed(name, made.execute(statement("columns_of"), (name,)).fetchall()) for name in names}
    made.close()
    return found


def _sealed(name: str, rows: list[tuple[Any, ...]]) -> Sealed:
    columns = [column for column, _ in rows if column != _COLUMN]
    key = tuple(column for column, place in sorted(rows, key=itemgetter(1)) if place)

    def of(text: str) -> str:
        return (
            statement(text)
            .replace("/*table*/", name)
            .replace("/*columns*/", ", ".join(columns))
            .replace("/*key*/", ", ".join(key))
            .replace("/*values*/", ", ".join("?" * len(key)))
        )

    # The seal is the last column: the others stand where they stand in a row.
    places = [columns.index(column) for column in key]
    sound = of(_SOUND[name]) if name in _SOUND else ""
    return Sealed(key, itemgetter(*places), of("seal_row"), of("seal_rows"), of("broken_seals"), sound)
