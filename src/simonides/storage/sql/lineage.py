"""Telling a store's past from another one's: whether what was derived from a state may still be used."""

from __future__ import annotations

import zlib
from typing import Final

from simonides.storage.sql.audit import head
from simonides.storage.sql.database import Database

#: Changes that a mark covers beside the audit chain, which knows nothing of vectors that are filled in later.
_CHANGES: Final = 256


def mark(database: Database) -> str:
    """The store's epoch, its last change and its last audit event, with what led there."""
    change = database.execute("last_change").get or 0
    number, digest = head(database)
    return ".".join((_epoch(database), str(change), str(number), digest.hex(), _tail(database, change)))


def holds(database: Database, given: str) -> bool:
    """True if this state follows from the marked one.

    The numbers of changes alone do not tell: a copy that was put back counts on from an older state and
    reaches the same numbers with other changes. The hash of an audit event covers all events before it.
    """
    try:
        epoch, change, number, digest, tail = given.split(".")
        at, event = int(change), int(number)
    except ValueError:
        return False
    if epoch != _epoch(database) or at > (database.execute("last_change").get or 0):
        return False
    row = database.execute("event_hash", {"number": event}).fetchone()
    return (row is None if event == 0 else row == (bytes.fromhex(digest),)) and _tail(database, at) == tail


def _epoch(database: Database) -> str:
    return database.execute("fact", {"name": "epoch"}).get


def _tail(database: Database, change: int) -> str:
    rows = database.execute("changes_up_to", {"change": change, "limit": _CHANGES})
    return f"{zlib.crc32(repr(rows.fetchall()).encode()):08x}"
