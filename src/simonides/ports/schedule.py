"""What a store tells the schedule: what ran when, and where something new stands."""

from __future__ import annotations

from typing import Protocol

from simonides.domain.run import Run
from simonides.domain.scope import Scope, Scopes


class ScheduleReader(Protocol):
    """Runs of a job in a scope, and what came since. Each costs the same however large the store is."""

    def runs_over(self, job: str, scope: Scopes, limit: int) -> list[Run]:
        """Runs of a job that took in this scope, last started first; of ALL those that took in every scope."""
        ...

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        """Scopes that hold active short-term items of these types among the newest items of the store.

        Returns:
            Each with when the newest of them was recorded, by path.
        """
        ...

    def session_changed(self, scope: Scope, since: int) -> bool:
        """Whether a session of exactly this scope began or ended after an instant."""
        ...
