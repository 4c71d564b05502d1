"""Telling a store's past from another one's: whether what was derived from a state may still be used."""

from __future__ import annotations

import zlib
from typing import Final

from simonides.storage.sqlite.audit import head
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement

#: Changes that a mark covers beside the audit chain, which knows nothing of vectors that are filled in later.
_CHANGES: Final = 256


def mark(connection: Connection) -> str:
    """The store's epoch, its last change and its last audit event, with what led there."""
    change = connection.execute(statement("last_change")).get or 0
    number, digest = head(connection)
    return ".".join((_epoch(connection), str(change), str(number), digest.hex(), _tail(connection, change)))


def holds(connection: Connection, given: str) -> bool:
    """Whether this state follows from the marked one.

    The numbers of changes alone do not tell: a copy that was put back counts on from an older state and
    reaches the same numbers with other changes. The hash of an audit event covers all events before it.
    """
    try:
        epoch, change, number, digest, tail = given.split(".")
        at, event = int(change), int(number)
    except ValueError:
        return False
    if epoch != _epoch(connection) or at > (connection.execute(statement("last_change")).get or 0):
        return False
    found = connection.execute(statement("event_hash"), {"number": event}).fetchone()
    return (found is None if event == 0 else found == (bytes.fromhex(digest),)) and _tail(
        connection, at
    ) == tail


def _epoch(connection: Connection) -> str:
    return connection.execute(statement("fact"), {"name": "epoch"}).get


def _tail(connection: Connection, change: int) -> str:
    rows = connection.execute(statement("changes_up_to"), {"change": change, "limit": _CHANGES})
    return f"{zlib.crc32(repr(rows.fetchall()).encode()):08x}"
