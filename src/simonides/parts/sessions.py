"""The conversations of a Memory."""

from __future__ import annotations

from simonides.compose import Parts
from simonides.domain.item import Item, Status
from simonides.domain.records import Session
from simonides.domain.scope import Scopes
from simonides.domain.selection import Selection, visible
from simonides.errors import NotFound
from simonides.parts.looking import look


class Sessions:
    """Conversations."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> list[Session]:
        """Sessions, last heard of first."""
        with self._parts.store.read() as reader:
            return reader.sessions(visible(look(scope)), limit)

    def get(self, session_id: str, *, scope: str | Scopes | None = None) -> list[Item]:
        """The turns of a session in their order.

        Raises:
            NotFound: No session of this name is visible from there.
        """
        selection = Selection(
            scopes=visible(look(scope)),
            live_at=None,
            statuses=frozenset(Status) - {Status.QUARANTINED},
            session_id=session_id,
            types=frozenset({"episode"}),
        )
        with self._parts.store.read() as reader:
            turns = reader.find(selection, limit=1_000_000)
        if not turns:
            raise NotFound(f"there is no session {session_id!r}")
        return sorted(turns, key=lambda item: (item.ordinal or 0, item.id))
