"""Turns that wait for extraction, and sessions that are not over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simonides.domain.scope import Scope
from simonides.errors import NotFound
from simonides.ports.buffer import Buffered, Waiting, WaitingTurn
from simonides.storage.sql.asking import Asking
from simonides.storage.sql.rows import to_item

#: Columns of `waiting_turns` behind those of the item.
_OWN: int = 4


class SqlBufferReader(Asking):
    """Meets `ports.buffer.BufferReader`."""

    def waiting(self, scopes: tuple[Scope, ...] | None) -> list[Waiting]:
        rows = self._rows("waiting_sessions", **self._seen_from(scopes))
        return [Waiting(Scope(row[0]), *row[1:]) for row in rows]

    def waiting_turns(
        self, scope: Scope, session_id: str, limit: int, *, failed: bool = False
    ) -> list[WaitingTurn]:
        keys = self._scope_keys((scope,))
        values = {"scope_key": keys[0] if keys else 0, "session_id": session_id}
        rows = self._rows("waiting_turns", limit=limit, failed=failed, **values)
        found: list[WaitingTurn] = []
        for row in rows:
            tries, state, error, retry_at = row[-_OWN:]
            found.append(WaitingTurn(to_item(row[:-_OWN]), tries, state == "failed", error, retry_at))
        return found


class SqlBufferWriter(SqlBufferReader):
    """Meets `ports.buffer.BufferWriter`."""

    def take_turns(self, item_ids: Sequence[str]) -> int:
        self._database.execute("take_turns", {"items": self._keys(item_ids)})
        return self._database.changes()

    def put_off(self, item_ids: Sequence[str], error: str, retry_at: int | None) -> int:
        values = {"items": self._keys(item_ids), "error": error, "retry_at": retry_at}
        self._database.execute("put_off_turns", values)
        return self._database.changes()

    def wait_again(self, turns: Mapping[str, Buffered]) -> None:
        for item_id, (session_id, failed, tries, error, retry_at) in turns.items():
            key = self._value("key_of_item", id=item_id)
            if key is None:
                raise NotFound(f"there is no item {item_id!r}")
            state = "failed" if failed else "waiting"
            row = (key, session_id, state, tries, error, retry_at)
            self._database.execute("put_buffered", row)

    def end_session(self, scope: Scope, session_id: str, at: int) -> bool:
        keys = self._scope_keys((scope,))
        values = {"scope_key": keys[0] if keys else 0, "session_id": session_id, "at": at}
        self._database.execute("end_session", values)
        return self._database.changes() > 0

    def reopen_session(self, scope: Scope, session_id: str) -> None:
        keys = self._scope_keys((scope,))
        values = {"scope_key": keys[0] if keys else 0, "session_id": session_id}
        self._database.execute("reopen_session", values)

    def _keys(self, item_ids: Sequence[str]) -> list[int]:
        """Keys of items; those that do not exist are left out."""
        keys = (self._value("key_of_item", id=item_id) for item_id in item_ids)
        return [key for key in keys if key is not None]
