"""Turns that wait for extraction, and sessions that are not over."""

from __future__ import annotations

from collections.abc import Mapping

from simonides.domain.scope import Scope
from simonides.errors import NotFound
from simonides.ports.buffer import Buffered, Waiting, WaitingTurn
from simonides.storage.sql.rows import to_item
from simonides.storage.sql.statement_reader import StatementReader

#: Columns of `waiting_turns` behind those of the item.
_OWN: int = 4


class SqlBufferReader(StatementReader):
    """Meets `ports.buffer.BufferReader`."""

    def waiting(self, scopes: tuple[Scope, ...] | None) -> list[Waiting]:
        rows = self._database.rows("waiting_sessions", **self._seen_from(scopes))
        return [Waiting(Scope(row[0]), *row[1:]) for row in rows]

    def waiting_turns(
        self, scope: Scope, session_id: str, limit: int, *, failed: bool = False
    ) -> list[WaitingTurn]:
        keys = self._scope_keys((scope,))
        values = {"scope_key": keys[0] if keys else 0, "session_id": session_id}
        rows = self._database.rows("waiting_turns", limit=limit, failed=failed, **values)
        turns: list[WaitingTurn] = []
        for row in rows:
            tries, state, error, retry_at = row[-_OWN:]
            turns.append(WaitingTurn(to_item(row[:-_OWN]), tries, state == "failed", error, retry_at))
        return turns


class SqlBufferWriter(SqlBufferReader):
    """Meets `ports.buffer.BufferWriter`."""

    def put_waiting(self, turns: Mapping[str, Buffered | None]) -> None:
        keys = dict(self._database.rows("keys_of_items", ids=list(turns)))
        if missing := turns.keys() - keys.keys():
            raise NotFound(f"there is no item {min(missing)!r}")
        gone = [(keys[item_id],) for item_id, waits in turns.items() if waits is None]
        rows = [
            (keys[item_id], *buffered_row(waits)) for item_id, waits in turns.items() if waits is not None
        ]
        self._database.executemany("drop_buffered", gone)
        self._database.executemany("put_buffered", rows)


def buffered_row(waits: Buffered) -> tuple[object, ...]:
    """The values of `put_buffered` for a turn, after its key."""
    state = "failed" if waits.failed else "waiting"
    return waits.session_id, state, waits.tries, waits.error, waits.retry_at
