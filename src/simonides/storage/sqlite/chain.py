"""Checking the chain of the audit log, and reading out of it what items were last."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simonides.storage.sql.audit import GENESIS, head, link_hash
from simonides.storage.sql.rows import parsed
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.seals import KEYED_FROM, broken
from simonides.storage.sqlite.sql import Connection
from simonides.storage.sqlite.statements import statement


def breaks(connection: Connection) -> Iterator[str]:
    """Every place where the chain does not hold, in order; the first is where to look."""
    if connection.blind:
        yield "the log is under an integrity key that was not given: it was not compared"
        return
    if any(broken(connection, "meta")):
        yield "what the store knows of its log (its head, its keys) was changed"
    keyed_from = connection.execute(statement("fact"), {"name": KEYED_FROM}).get or math.inf
    previous = GENESIS
    expected = 0
    for *row, stored in connection.execute(statement("events_in_order")):
        expected += 1
        if row[0] != expected:
            yield f"audit events {expected} to {row[0] - 1} are missing"
            expected = row[0]
        elif link_hash(previous, row, connection.key if row[0] >= keyed_from else None) != stored:
            yield f"audit event {row[0]} does not fit the hash before it: it, or one before it, was changed"
        previous = stored if isinstance(stored, bytes) else GENESIS
    number, last = head(SqliteDatabase(connection))
    if number != expected or last != previous:
        yield f"the audit log ends at event {expected}, but {number} were written"


def states_in_the_log(connection: Connection) -> dict[str, str]:
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
