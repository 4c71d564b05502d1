"""The growth of a store, counted from its revisions and runs."""

from __future__ import annotations

from simonides.domain.growth import Shift
from simonides.domain.selection import Selection
from simonides.ports.growth import Shifts
from simonides.storage.sql.statement_reader import StatementReader


class SqlGrowthReader(StatementReader):
    """Meets `ports.growth.GrowthReader`."""

    def shifts(self, selection: Selection, start: int, length: int, most: int) -> Shifts:
        after = max(0, self._value("last_revision_key") - most)
        rows = self._selected("shifts", selection, start=start, length=length, after_key=after)
        found = tuple(
            Shift(period, bool(raw), bool(first), reason, before, to, count)
            for period, raw, first, reason, before, to, count in rows
        )
        left_out: int | None = self._value("revised_at", key=after)
        return Shifts(found, start if left_out is None else max(start, left_out))

    def standing(self, selection: Selection) -> list[tuple[bool, str, int]]:
        rows = self._selected("standing_items", selection)
        return [(bool(raw), tier, count) for raw, tier, count in rows]

    def runs_in_periods(self, start: int, length: int, most: int) -> list[tuple[int, str, int]]:
        rows = self._rows("runs_in_periods", start=start, length=length, most=most)
        return [(period, status, count) for period, status, count in rows]
