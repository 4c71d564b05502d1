"""The growth of a store."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simonides.domain.growth import Shift
from simonides.domain.selection import Selection


class Shifts(NamedTuple):
    """Changes since an instant.

    Attributes:
        shifts: In no order.
        complete_from: From when on they are all there: the beginning, or later where too much happened since.
    """

    shifts: tuple[Shift, ...]
    complete_from: int


class GrowthReader(Protocol):
    """Counts, by period, of what happened to items."""

    def shifts(self, selection: Selection, start: int, length: int, most: int) -> Shifts:
        """Changes of items that pass, by period: of the newest revisions, those from an instant on.

        Args:
            start: When the first period, 0, begins.
            length: Of a period, in microseconds, > 0.
            most: Revisions that are looked at, newest first.
        """
        ...

    def standing(self, selection: Selection) -> list[tuple[bool, str, int]]:
        """Count items that pass: (turns and chunks or not, tier, how many)."""
        ...

    def runs_in_periods(self, start: int, length: int, most: int) -> list[tuple[int, str, int]]:
        """Count the newest runs by the period in which they began: (period, status, how many)."""
        ...
