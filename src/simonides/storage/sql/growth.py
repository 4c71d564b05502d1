"""The growth of a store, counted from its revisions and runs."""

from __future__ import annotations

from collections import Counter

from simonides.domain.growth import Shift
from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.ports.growth import GrowthCounts
from simonides.storage.sql.statement_reader import StatementReader


class SqlGrowthReader(StatementReader):
    """Meets `ports.growth.GrowthReader`."""

    def growth(
        self, scopes: tuple[Scope, ...] | None, start: int, length: int, *, revisions: int, runs: int
    ) -> GrowthCounts:
        everything = Selection(scopes=scopes, live_at=None, statuses=frozenset(Status))
        after = max(0, self._database.value("last_revision_key") - revisions)
        rows = self._selected("shifts", everything, start=start, length=length, after_key=after)
        shifts = tuple(
            Shift(period, bool(raw), bool(first), reason, before, to, count)
            for period, raw, first, reason, before, to, count in rows
        )
        left_out: int | None = self._database.value("revised_at", key=after)
        standing = self._selected("standing_items", Selection(scopes=scopes, live_at=None))
        begun: Counter[tuple[int, str]] = Counter()
        for period, status, scope, count in self._database.rows(
            "runs_in_periods", start=start, length=length, most=runs
        ):
            if scopes is None or scope in scopes:
                begun[period, status] += count
        return GrowthCounts(
            shifts,
            start if left_out is None else max(start, left_out),
            [(bool(raw), tier, count) for raw, tier, count in standing],
            [(period, status, count) for (period, status), count in begun.items()],
        )
