"""Looking for damage. SQLite's own check misses most overwritten bytes: rows carry hashes for that."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, Protocol, cast

import apsw

from simonides.domain.entity import fold
from simonides.errors import SimonidesError, StoreDamaged
from simonides.ports.store import Problem
from simonides.storage.sql.audit import KeyedHash
from simonides.storage.sql.reader import to_injection, to_verdict
from simonides.storage.sql.rows import ILLEGIBLE, parsed, row_hash, stored_hash, to_item
from simonides.storage.sql.runs import to_link, to_run
from simonides.storage.sqlite.chain import breaks, states_in_the_log
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import broken, sealed_tables
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text_index import add_tokenizer

#: Settings of the text index: the version of its form, and one that releases of before left behind.
_FTS_SETTINGS: Final = frozenset({("version", 4), ("secure-delete", 0), ("secure-delete", 1)})
Progress = Callable[[str, float], None]


class Area(Protocol):
    """Looks for what is wrong in one area, which has its name."""

    __name__: str

    def __call__(self, connection: Connection, /) -> Iterator[Problem]: ...


def problems(connection: Connection, progress: Progress | None) -> Iterator[Problem]:
    """Everything that is wrong, area by area."""
    areas = (
        _key,
        _file,
        _items,
        _revisions,
        _rows,
        _counters,
        _text_index,
        _links,
        _entities,
        _vectors,
        _records,
        audit,
    )
    for number, area in enumerate(areas):
        if progress is not None:
            progress(_named(area), number / len(areas))
        yield from _looked_at(area, connection)
    if progress is not None:
        progress("done", 1.0)


def first_problem(connection: Connection) -> Problem | None:
    """The first thing that is wrong with what can be looked at without writing; None if nothing is."""
    areas = (_file, _items, _revisions, _rows, _counters, _links, _entities, _vectors, _records, audit)
    return next((problem for area in areas for problem in _looked_at(area, connection)), None)


def _looked_at(area: Area, connection: Connection) -> Iterator[Problem]:
    try:
        yield from area(connection)
    except (apsw.Error, SimonidesError, *ILLEGIBLE) as error:
        yield Problem(_named(area), f"unreadable: {error}; restore a backup or salvage what is readable")


def _named(area: Area) -> str:
    return area.__name__.strip("_").replace("_", " ")


def _key(connection: Connection) -> Iterator[Problem]:
    if connection.blind:
        yield Problem(
            "key",
            "the store is under an integrity key that was not given: neither its rows nor its audit log can be "
            "compared; set SIMONIDES_INTEGRITY_KEY or integrity.key_file",
        )


def _file(connection: Connection) -> Iterator[Problem]:
    for (message,) in connection.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield Problem("file", f"{message}; restore a backup or salvage what is readable")
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem("file", f"row {row} of {table} points at a missing row of {parent}")


def _items(connection: Connection) -> Iterator[Problem]:
    changed = set(broken(connection, "memory_items"))
    for row in connection.execute(statement("every_item")):
        # The view's confidence holds what use added; the hash covers the row's own, in column 11.
        item = replace(to_item(row), confidence=row[11])
        if stored_hash(item) != row[-1] or item.content_hash != row[-2] or (row[0],) in changed:
            yield Problem(
                "items", f"item {item.id} was changed outside Simonides; its revisions show what it said"
            )
    for (item_id,) in connection.execute(statement("items_without_revision")):
        yield Problem("items", f"item {item_id} has no revision of its present state")


def unlike_the_log(connection: Connection, archive: Connection | None) -> Iterator[Problem]:
    """Items that are not in the state in which the audit log of a store under a key left them, or are gone."""
    if connection.key is None:
        return
    states: dict[str, bytes] = {}
    for file in (connection, archive):
        if file is not None:
            states |= dict(file.execute(statement("states_of_items")).fetchall())
    keyed = KeyedHash(SqliteDatabase(connection))
    for item_id, state in states_in_the_log(connection).items():
        digest = states.get(item_id)
        if digest is None:
            yield Problem("items", f"item {item_id} was taken out outside Simonides; restore a backup")
        elif keyed(digest) != state:
            yield Problem(
                "items", f"item {item_id} is in a state that is not its last: an older one was put back"
            )


def _revisions(connection: Connection) -> Iterator[Problem]:
    changed = set(broken(connection, "memory_revisions"))
    for key, item, number, snapshot, check in connection.execute(statement("every_revision")):
        if row_hash(snapshot) != check or (key,) in changed:
            yield Problem("revisions", f"revision {number} of item key {item} was changed outside Simonides")


def _rows(connection: Connection) -> Iterator[Problem]:
    for name, table in sealed_tables().items():
        # Those of items and revisions are compared where their hashes are.
        for key in () if name in {"memory_items", "memory_revisions"} else broken(connection, name):
            row = ", ".join(f"{column} {value!r:.80}" for column, value in zip(table.key, key, strict=True))
            yield Problem(
                "rows", f"the row of {name} with {row} was changed outside Simonides; restore a backup"
            )


def _counters(connection: Connection) -> Iterator[Problem]:
    # A key that was given is never given again: a tombstone keeps it where its row is gone.
    for table, last, highest in connection.execute(statement("counters")):
        if last != highest:
            yield Problem(
                "rows", f"the last key of {table} is said to be {last}, and is {highest}; restore a backup"
            )


def _text_index(connection: Connection) -> Iterator[Problem]:
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


def _links(connection: Connection) -> Iterator[Problem]:
    dangling = connection.execute(statement("dangling_links")).get
    if dangling:
        yield Problem("links", f"{dangling} links have an end that does not exist")


def _entities(connection: Connection) -> Iterator[Problem]:
    again = "run `simonides backfill --again`"
    miscounted = connection.execute(statement("miscounted_entities")).get
    if miscounted:
        yield Problem("entities", f"{miscounted} entities miscount what mentions them; {again}")
    dangling = connection.execute(statement("dangling_names")).get
    if dangling:
        yield Problem("entities", f"{dangling} names mean an entity that does not exist; {again}")
    nameless = 0
    for key, scope, name, aliases in connection.execute(statement("every_entity")):
        for known in (name, *parsed(aliases)):
            values = {"folded": fold(known), "scope_key": scope}
            nameless += connection.execute(statement("holder_of_name"), values).get != key
    if nameless:
        yield Problem("entities", f"{nameless} names of entities cannot be looked up; {again}")


def _vectors(connection: Connection) -> Iterator[Problem]:
    for item, dimension, checksum, vector in connection.execute(statement("every_checksum")):
        if zlib.crc32(vector) != checksum or len(vector) not in (0, dimension * 4):
            yield Problem(
                "vectors", f"the vector of item key {item} was changed; run `simonides backfill --again`"
            )


#: Rows without a hash: what reads those of a statement.
_RECORDS: Final[tuple[tuple[str, Callable[[Sequence[Any]], object]], ...]] = (
    ("every_injection", to_injection),
    ("every_link", to_link),
    ("every_run", to_run),
    ("every_verdict", to_verdict),
    ("details_of_changes", lambda row: parsed(row[-1])),
    ("tellings_of_entities", lambda row: parsed(row[-1])),
)


def _records(connection: Connection) -> Iterator[Problem]:
    for name, read in _RECORDS:
        for row in connection.execute(statement(name)):
            try:
                read(row)
            except StoreDamaged as error:
                yield Problem("records", f"{name.replace('_', ' ')}: {error}; restore a backup")


def audit(connection: Connection) -> Iterator[Problem]:
    """Every place where the audit chain does not hold."""
    for message in breaks(connection):
        yield Problem("audit", message)
