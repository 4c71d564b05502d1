"""Removing items with every trace of their text: the only deletion there is."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from simonides.domain.records import AuditEvent
from simonides.errors import NotFound, StoreFull, StoreLocked
from simonides.ports.vectors import saved_vectors
from simonides.storage.sqlite.purge_names import PurgedWords, purge_names
from simonides.storage.sqlite.purge_words import Traces, take_out, traces_of
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement, text_index_schema
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
    actor: str = "user",
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

    Returns:
        Counts of what went, by kind; and what only these items said.

    Raises:
        NotFound: An id is unknown; nothing was removed.
        StoreLocked: The items are gone, but a reader kept the WAL in use; purge again to empty it.
        StoreFull: The items are gone, but there was no room to write the file anew; purge again.
    """
    with _transaction(connection):
        keys: list[tuple[str, int]] = []
        for item_id in dict.fromkeys(item_ids):
            key = writer.key(item_id)
            if key is not None:
                keys.append((item_id, key))
            elif not _purged_before(writer, item_id):
                raise NotFound(f"there is no item {item_id!r}; nothing was purged")
        connection.execute(text_index_schema())
        counts = {"items": 0, "revisions": 0, "vectors": 0, "links": 0, "entities": 0, "injections": 0}
        said = PurgedWords()
        for _, key in keys:
            said.note(writer, connection, key)
        for item_id, key in keys:
            values = {"key": key, "item": key}
            counts["revisions"] += _delete(connection, "purge_revisions", values)
            counts["vectors"] += _delete(connection, "drop_vectors_of_item", values)
            counts["links"] += _delete(connection, "drop_links_of_item", values)
            counts["injections"] += _delete(connection, "purge_injections", {"item_id": item_id})
            # The key may be given again: what a job knows of it must not be taken for the next item's.
            _delete(connection, "keep_bookmarks", {"key": key})
            _delete(connection, "purge_judged", {"key": key})
            counts["items"] += _delete(connection, "delete_item", values)
        counts["entities"] = purge_names(writer, connection, said)
        traces = traces_of(said.states).alone(connection)
        traces = traces if other is None else traces.alone(other)
        counts["injections"] += take_out(connection, traces)
        writer.record(
            [
                AuditEvent(action="purge", at=at, item_id=item_id, actor=actor, details={"receipt": counts})
                for item_id, _ in keys
            ]
        )
    _wipe(connection)
    return counts, traces


def purge_traces(connection: Connection, traces: Traces) -> None:
    """Take out of a file what items said that were purged from another one, and wipe the freed bytes."""
    with _transaction(connection):
        take_out(connection, traces.alone(connection))
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
            connection.execute(text_index_schema())
            connection.execute(statement("rebuild_text_index"))
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


def _purged_before(writer: SqliteWriter, item_id: str) -> bool:
    return any(event.action == "purge" for event in writer.events(item_ids=[item_id]))


def _delete(connection: Connection, name: str, values: Mapping[str, object]) -> int:
    connection.execute(statement(name), dict(values))
    return connection.changes()


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
