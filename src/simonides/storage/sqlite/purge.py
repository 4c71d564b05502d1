"""Removing items with every trace of their text: the only deletion there is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from simonides.errors import StoreFull, StoreLocked
from simonides.ports.vectors import saved_vectors
from simonides.storage.sql.purge import purge_rows
from simonides.storage.sql.purge_words import Traces, take_out
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text_index import is_former, make_anew, text_index_schema
from simonides.storage.sqlite.writer import SqliteWriter

_NOT_WIPED: Final = (
    "the items are gone, but there is no room to wipe what they left: free some and purge again"
)
#: Attempts to remove a folder in which others work.
_TRIES: Final = 20


def purge(
    writer: SqliteWriter,
    connection: Connection,
    item_ids: Sequence[str],
    at: int,
    other: Connection | None = None,
    *,
    scope: str | None = None,
    actor: str = "user",
    first: Callable[[SqliteWriter], None] | None = None,
) -> tuple[Mapping[str, int], Traces]:
    """Delete items, their revisions, vectors, links, names and index entries, and wipe the freed bytes.

    What they alone said goes from all that stands beside items, too. `secure_delete` (always on) zeroes what
    SQLite frees. FTS5 keeps the terms of deleted and reworded rows until it merges their segments, and what lies
    in one segment is never merged: the text index is made anew. Rows that a page split moved earlier left copies
    in the free space of their pages, which nothing zeroes: the file is written anew (`VACUUM`; it takes as much
    room again and time by the store's size). The WAL still holds old pages: it is emptied at the end, for which
    readers have to be out. Saved indexes of vectors are removed. An id that was purged before is none that is
    unknown: to purge it again empties the WAL.

    Args:
        other: The archive file: what is said there, too, is said by others.
        scope: The scope that goes as a whole: its sessions and what was asked from it go as well.
        first: As of `Store.purge`.

    Returns:
        Counts of what went, by kind; and what only these items said.

    Raises:
        NotFound: An id is unknown; nothing was removed.
        StoreLocked: The items are gone, but a reader kept the WAL in use; purge again to empty it.
        StoreFull: The items are gone, but there was no room to write the file anew; purge again.
    """
    with _transaction(connection):
        if first is not None:
            first(writer)
        if is_former(connection):
            make_anew(connection)
        connection.execute(text_index_schema())
        there = None if other is None else SqliteDatabase(other)
        counts, traces = purge_rows(writer, item_ids, at, there, scope=scope, actor=actor)
    _wipe(connection)
    return counts, traces


def purge_traces(connection: Connection, traces: Traces) -> None:
    """Take out of a file what items said that were purged from another one, and wipe the freed bytes."""
    with _transaction(connection):
        database = SqliteDatabase(connection)
        take_out(database, traces.alone(database))
    _wipe(connection)


def _wipe(connection: Connection) -> None:
    """Take what was deleted out of all that still has it.

    Apart from the transaction that deletes: on a full disk there may be room for that, but for no more.
    """
    _drop_saved_vectors(Path(connection.filename))
    # What was deleted goes from the log, and room that the log took is there for what follows.
    with _no_room(_NOT_WIPED):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with _transaction(connection):
            make_anew(connection)
    _rewrite(connection)
    _empty_wal(connection)


@contextmanager
def _transaction(connection: Connection) -> Generator[None]:
    """A transaction that writes from its beginning: one that began by reading could not wait for its turn."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.commit()
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _drop_saved_vectors(store: Path) -> None:
    """Remove what indexes keep beside the store; what another process is writing there goes with it."""
    folder = saved_vectors(store)
    why: OSError | None = None
    for _ in range(_TRIES):
        if not folder.exists():
            return
        try:
            shutil.rmtree(folder)
        except OSError as error:  # Another process removes from it, or adds to it, at the same time.
            why = error
    if folder.exists():
        raise StoreLocked(f"the items are gone, but {folder} could not be removed ({why}): purge again")


def compact(connection: Connection) -> bool:
    """Write the file anew without the space that is free in it; False where a reader keeps it from shrinking.

    Raises:
        StoreFull: There is no room for the copy.
    """
    with _transaction(connection):
        connection.execute(statement("optimize_text_index"))
    _rewrite(connection, "there is no room to write the file anew without its free space; free some")
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
    return not busy


def _rewrite(connection: Connection, full: str = _NOT_WIPED) -> None:
    # The copy may be as large as the store: it belongs on the disk, not into memory.
    kept = connection.pragma("temp_store")
    connection.pragma("temp_store", "FILE")
    try:
        with _no_room(full):
            connection.execute("VACUUM")
    finally:
        connection.pragma("temp_store", kept)


@contextmanager
def _no_room(message: str) -> Generator[None]:
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(message) from error


def _empty_wal(connection: Connection) -> None:
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
    if busy:
        raise StoreLocked(
            "the items are gone, but another reader kept the write-ahead log in use: purge again when it is done"
        )
