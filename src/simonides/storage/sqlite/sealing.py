"""Putting a store that is there already under a key of its owner."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.records import AuditEvent
from simonides.storage.sql.audit import head
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import put_key, seal_all
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.writer import SqliteWriter

#: Items whose states one audit event notes.
_PIECE = 200


def put_under_key(
    writer: SqliteWriter, connection: Connection, key: bytes, at: int, states: Sequence[tuple[str, bytes]]
) -> None:
    """Seal all rows with a key, and note in the audit log, under it, what each item is.

    Args:
        states: Ids and row hashes, those of the archive file included.
    """
    former = connection.key
    connection.execute("BEGIN IMMEDIATE")
    try:
        number, _ = head(SqliteDatabase(connection))
        connection.key = key
        put_key(connection, number + 1)
        pieces = [states[first : first + _PIECE] for first in range(0, len(states), _PIECE)] or [[]]
        writer.record(
            [
                AuditEvent(
                    action="seal",
                    at=at,
                    details={"states": {item_id: writer.state_name(digest) for item_id, digest in piece}},
                )
                for piece in pieces
            ]
        )
        seal_all(connection)
        connection.commit()
    except BaseException:
        connection.key = former
        raise
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
