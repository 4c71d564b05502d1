"""The audit log: a chain of hashes over events that hold ids and keyed hashes, never text."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any, Final

from simonides.domain.item import canonical_json
from simonides.domain.records import AuditEvent
from simonides.errors import StoreDamaged
from simonides.storage.sql.database import Database

GENESIS: Final = b"\0" * 32
_NUMBER_BYTES: Final = 8


def start_chain(database: Database) -> None:
    """Give a new store its key and an empty chain."""
    _put(database, "audit_key", secrets.token_bytes(32))
    _put(database, "audit_head", bytes(_NUMBER_BYTES) + GENESIS)


def append(database: Database, events: Sequence[AuditEvent]) -> None:
    """Write events at the end of the chain and move its head."""
    number, previous = head(database)
    rows: list[tuple[Any, ...]] = []
    for event in events:
        number += 1
        row = (
            number,
            event.at,
            event.action,
            event.item_id,
            event.scope,
            event.actor,
            canonical_json(dict(event.details)) if event.details else "{}",
            bytes.fromhex(event.content_hash),
        )
        previous = link_hash(previous, row, database.key)
        rows.append((*row, previous))
    database.executemany("add_event", rows)
    _put(database, "audit_head", number.to_bytes(_NUMBER_BYTES) + previous)


def head(database: Database) -> tuple[int, bytes]:
    """Number and hash of the last event, as kept outside the chain."""
    value: object = database.execute("fact", {"name": "audit_head"}).get
    if not isinstance(value, bytes) or len(value) != _NUMBER_BYTES + len(GENESIS):
        raise StoreDamaged(
            "the head of the audit log is lost: restore a backup, or save with `simonides doctor --salvage`"
        )
    return int.from_bytes(value[:_NUMBER_BYTES]), value[_NUMBER_BYTES:]


def link_hash(previous: bytes, row: Sequence[Any], key: bytes | None = None) -> bytes:
    """The hash of a row (number … content_hash) that follows a hash, under the owner's key where there is one."""
    # In a damaged row anything may stand anywhere.
    fields = [
        value.hex() if isinstance(value, bytes) else "" if value is None else str(value) for value in row
    ]
    # Lengths keep fields apart: no text can move from one into the next.
    text = "".join(f"{len(field)}:{field}" for field in fields)
    if key is not None:
        return hashlib.blake2b(previous + text.encode(), key=key, digest_size=len(GENESIS)).digest()
    return hashlib.sha256(previous + text.encode()).digest()


class KeyedHash:
    """Hashes of content under the store's own key, so that the log does not give away a text one can guess."""

    def __init__(self, database: Database) -> None:
        key: object = database.execute("fact", {"name": "audit_key"}).get
        if not isinstance(key, bytes) or not 0 < len(key) <= hashlib.blake2b.MAX_KEY_SIZE:
            raise StoreDamaged(
                "the key of the audit log is lost: restore a backup, or save with `simonides doctor --salvage`"
            )
        self._key = key

    def __call__(self, content: bytes) -> str:
        return hashlib.blake2b(content, key=self._key, digest_size=16).hexdigest()


def _put(database: Database, name: str, value: bytes) -> None:
    database.execute("put_fact", {"name": name, "value": value})
