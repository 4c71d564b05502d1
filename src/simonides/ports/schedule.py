"""Scopes with something new, for the schedule."""

from __future__ import annotations

from typing import Protocol

from simonides.domain.scope import Scope


class ScheduleReader(Protocol):
    """Runs of a job in a scope, and what came since. Each costs the same however large the store is."""

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        """Scopes that hold active short-term items of these types among the newest items of the store.

        Returns:
            Each with when the newest of them was recorded, by path.
        """
        ...
