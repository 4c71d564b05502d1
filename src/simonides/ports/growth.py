"""The growth of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from simonides.domain.growth import Shift
from simonides.domain.scope import Scope


class GrowthCounts(NamedTuple):
    """Counts of what happened to items.

    Attributes:
        shifts: Changes of items since an instant, in no order.
        complete_from: From when on they are all there: the beginning, or later where too much happened since.
        standing: Items that are active: (turns and chunks or not, tier, how many).
        runs: The newest runs by the period in which they began: (period, status, how many).
    """

    shifts: tuple[Shift, ...]
    complete_from: int
    standing: Sequence[tuple[bool, str, int]]
    runs: Sequence[tuple[int, str, int]]


class GrowthReader(Protocol):
    """Counts, by period, of what happened to items."""

    def growth(
        self, scopes: tuple[Scope, ...] | None, start: int, length: int, *, revisions: int, runs: int
    ) -> GrowthCounts:
        """Count changes of items, whatever their status, by period: of the newest revisions, those from an instant on.

        Args:
            start: When the first period, 0, begins.
            length: Of a period, in microseconds, > 0.
            revisions: Revisions that are looked at, newest first.
            runs: Runs that are looked at, newest first; those of the scopes count.
        """
        ...
