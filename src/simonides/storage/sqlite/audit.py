"""The audit log: a chain of hashes over events that hold ids and keyed hashes, never text."""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from simonides.domain.item import canonical_json
from simonides.domain.records import AuditEvent
from simonides.errors import StoreDamaged
from simonides.storage.sqlite.rows import parsed
from simonides.storage.sqlite.seals import KEYED_FROM, broken
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement

_GENESIS: Final = b"\0" * 32
_NUMBER_BYTES: Final = 8


def start_chain(connection: Connection) -> None:
    """Give a new store its key and an empty chain."""
    _put(connection, "audit_key", secrets.token_bytes(32))
    _put(connection, "audit_head", bytes(_NUMBER_BYTES) + _GENESIS)


def append(connection: Connection, events: Sequence[AuditEvent]) -> None:
    """Write events at the end of the chain and move its head."""
    number, previous = head(connection)
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
        previous = link_hash(previous, row, connection.key)
        rows.append((*row, previous))
    connection.executemany(statement("add_event"), rows)
    _put(connection, "audit_head", number.to_bytes(_NUMBER_BYTES) + previous)


def head(connection: Connection) -> tuple[int, bytes]:
    """Number and hash of the last event, as kept outside the chain."""
    value: object = connection.execute(statement("fact"), {"name": "audit_head"}).get
    if not isinstance(value, bytes) or len(value) != _NUMBER_BYTES + len(_GENESIS):
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
        return hashlib.blake2b(previous + text.encode(), key=key, digest_size=len(_GENESIS)).digest()
    return hashlib.sha256(previous + text.encode()).digest()


def breaks(connection: Connection) -> Iterator[str]:
    """Every place where the chain does not hold, in order; the first is where to look."""
    if connection.blind:
        yield "the log is under an integrity key that was not given: it was not compared"
        return
    if any(broken(connection, "meta")):
        yield "what the store knows of its log (its head, its keys) was changed"
    keyed_from = connection.execute(statement("fact"), {"name": KEYED_FROM}).get or math.inf
    previous = _GENESIS
    expected = 0
    for *row, stored in connection.execute(statement("events_in_order")):
        expected += 1
        if row[0] != expected:
            yield f"audit events {expected} to {row[0] - 1} are missing"
            expected = row[0]
        elif link_hash(previous, row, connection.key if row[0] >= keyed_from else None) != stored:
            yield f"audit event {row[0]} does not fit the hash before it: it, or one before it, was changed"
        previous = stored if isinstance(stored, bytes) else _GENESIS
    number, last = head(connection)
    if number != expected or last != previous:
        yield f"the audit log ends at event {expected}, but {number} were written"


def states_in_the_log(connection: Connection) -> dict[str, str]:
    """The last state of each item that the log of a store under a key knows, as `KeyedHash` names it."""
    found: dict[str, str] = {}
    for item_id, action, details in connection.execute(statement("states_in_the_log")):
        if action == "purge":
            found.pop(item_id, None)
        elif action == "seal":
            found |= parsed(details).get("states", {})
        elif (state := parsed(details).get("state")) is not None:
            found[item_id] = state
    return found


class KeyedHash:
    """Hashes of content under the store's own key, so that the log does not give away a text one can guess."""

    def __init__(self, connection: Connection) -> None:
        key: object = connection.execute(statement("fact"), {"name": "audit_key"}).get
        if not isinstance(key, bytes) or not 0 < len(key) <= hashlib.blake2b.MAX_KEY_SIZE:
            raise StoreDamaged(
                "the key of the audit log is lost: restore a backup, or save with `simonides doctor --salvage`"
            )
        self._key = key

    def __call__(self, content: bytes) -> str:
        return hashlib.blake2b(content, key=self._key, digest_size=16).hexdigest()


def _put(connection: Connection, name: str, value: bytes) -> None:
    connection.execute(statement("put_fact"), {"name": name, "value": value})
