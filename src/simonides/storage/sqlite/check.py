"""Looking for damage. SQLite's own check misses most overwritten bytes: rows carry hashes for that."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Final, cast

import apsw

from simonides.ports.store import Problem
from simonides.storage.sql.audit import KeyedHash
from simonides.storage.sql.check import (
    Areas,
    Progress,
    entities,
    items,
    links,
    looked_at,
    records,
    revisions,
    vectors,
)
from simonides.storage.sql.check import audit as audited
from simonides.storage.sql.rows import parsed
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import KEYED_FROM, broken, sealed_tables
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text_index import add_tokenizer

#: Settings of the text index: the version of its form, and one that releases of before left behind.
_FTS_SETTINGS: Final = frozenset({("version", 4), ("secure-delete", 0), ("secure-delete", 1)})


def problems(connection: Connection, progress: Progress | None) -> Iterator[Problem]:
    """Everything that is wrong, area by area."""
    return _looked_at(_AREAS, connection, progress)


def first_problem(connection: Connection) -> Problem | None:
    """The first thing that is wrong with what can be looked at without writing; None if nothing is."""
    areas = {name: area for name, area in _AREAS.items() if name not in {"key", "text index"}}
    return next(_looked_at(areas, connection, None), None)


def _looked_at(
    areas: Areas[SqliteDatabase], connection: Connection, progress: Progress | None
) -> Iterator[Problem]:
    advice = "restore a backup or salvage what is readable"
    return looked_at(areas, SqliteDatabase(connection), progress, broken=apsw.Error, advice=advice)


def _key(database: SqliteDatabase) -> Iterator[Problem]:
    if database.connection.blind:
        yield Problem(
            "key",
            "the store is under an integrity key that was not given: neither its rows nor its audit log can be "
            "compared; set SIMONIDES_INTEGRITY_KEY or integrity.key_file",
        )


def _file(database: SqliteDatabase) -> Iterator[Problem]:
    for (message,) in database.connection.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield Problem("file", f"{message}; restore a backup or salvage what is readable")
    for table, row, parent, _ in database.connection.execute("PRAGMA foreign_key_check"):
        yield Problem("file", f"row {row} of {table} points at a missing row of {parent}")


def _items(database: SqliteDatabase) -> Iterator[Problem]:
    return items(database, {key for (key,) in broken(database.connection, "memory_items")})


def unlike_the_log(connection: Connection, archive: Connection | None) -> Iterator[Problem]:
    """Items that are not in the state in which the audit log of a store under a key left them, or are gone."""
    if connection.key is None:
        return
    states: dict[str, bytes] = {}
    for file in (connection, archive):
        if file is not None:
            states |= dict(file.execute(statement("states_of_items")).fetchall())
    keyed = KeyedHash(SqliteDatabase(connection))
    for item_id, state in _states_in_the_log(connection).items():
        digest = states.get(item_id)
        if digest is None:
            yield Problem("items", f"item {item_id} was taken out outside Simonides; restore a backup")
        elif keyed(digest) != state:
            yield Problem(
                "items", f"item {item_id} is in a state that is not its last: an older one was put back"
            )


def _states_in_the_log(connection: Connection) -> dict[str, str]:
    """The last state of each item that the log of a store under a key knows, as `KeyedHash` names it."""
    states: dict[str, str] = {}
    for item_id, action, details in connection.execute(statement("states_in_the_log")):
        if action == "purge":
            states.pop(item_id, None)
        elif action == "seal":
            states |= parsed(details).get("states", {})
        elif (state := parsed(details).get("state")) is not None:
            states[item_id] = state
    return states


def _revisions(database: SqliteDatabase) -> Iterator[Problem]:
    return revisions(database, {key for (key,) in broken(database.connection, "memory_revisions")})


def _rows(database: SqliteDatabase) -> Iterator[Problem]:
    for name, table in sealed_tables().items():
        # Those of items and revisions are compared where their hashes are.
        for key in () if name in {"memory_items", "memory_revisions"} else broken(database.connection, name):
            row = ", ".join(f"{column} {value!r:.80}" for column, value in zip(table.key, key, strict=True))
            yield Problem(
                "rows", f"the row of {name} with {row} was changed outside Simonides; restore a backup"
            )


def _counters(database: SqliteDatabase) -> Iterator[Problem]:
    # A key that was given is never given again: a tombstone keeps it where its row is gone.
    for table, last, highest in database.rows("counters"):
        if last != highest:
            yield Problem(
                "rows", f"the last key of {table} is said to be {last}, and is {highest}; restore a backup"
            )


def _text_index(database: SqliteDatabase) -> Iterator[Problem]:
    connection = database.connection
    # To SQLite the check is a write: it has a transaction of its own, so that the lock is held no longer,
    # and goes to a copy in memory where the file must not change.
    if connection.readonly("main"):
        with closing(_copy(connection)) as copy:
            yield from _disagreement(copy)
        return
    connection.execute("COMMIT; PRAGMA query_only = OFF")
    try:
        yield from _disagreement(connection)
    finally:
        connection.execute("PRAGMA query_only = ON; BEGIN")


def _index_settings(connection: Connection) -> Iterator[Problem]:
    # What stands here says how FTS5 reads and ranks; the index itself may agree with the items all the same.
    for name, value in connection.execute(statement("settings_of_text_index")):
        if (name, value) not in _FTS_SETTINGS:
            yield Problem(
                "text index",
                f"its setting {name!r} was changed outside Simonides; run `simonides rebuild-fts`",
            )


def _disagreement(connection: Connection) -> Iterator[Problem]:
    try:
        yield from _index_settings(connection)
        connection.execute(statement("check_text_index"))
    except apsw.CorruptError:
        yield Problem("text index", "it does not agree with the items; run `simonides rebuild-fts`")
    except apsw.SQLError as error:
        yield Problem("text index", f"missing ({error}); run `simonides rebuild-fts`")


def _copy(connection: Connection) -> Connection:
    copy = cast("Connection", apsw.Connection(":memory:"))
    add_tokenizer(copy)
    if (
        connection.cipher is not None
    ):  # SQLite copies no page between a file under a key and memory, which has none.
        pages = bytearray(connection.serialize("main"))
        pages[18:20] = b"\x01\x01"  # What it is written and read by: memory has no write-ahead log.
        copy.deserialize("main", pages)
        return copy
    with copy.backup("main", connection, "main") as backup:
        backup.step(-1)
    return copy


def audit(database: SqliteDatabase) -> Iterator[Problem]:
    """Every place where the audit chain does not hold, in order; the first is where to look."""
    if database.connection.blind:
        yield Problem("audit", "the log is under an integrity key that was not given: it was not compared")
        return
    if any(broken(database.connection, "meta")):
        yield Problem("audit", "what the store knows of its log (its head, its keys) was changed")
    yield from audited(database, database.value("fact", name=KEYED_FROM) or math.inf)


_AREAS: Final[Areas[SqliteDatabase]] = {
    "key": _key,
    "file": _file,
    "items": _items,
    "revisions": _revisions,
    "rows": _rows,
    "counters": _counters,
    "text index": _text_index,
    "links": links,
    "entities": entities,
    "vectors": vectors,
    "records": partial(records, advice="restore a backup"),
    "audit": audit,
}
