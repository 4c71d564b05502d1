"""Scopes with something new."""

from __future__ import annotations

from simonides.domain.scope import Scope
from simonides.storage.sql.statement_reader import StatementReader


class SqlScheduleReader(StatementReader):
    """Meets `ports.schedule.ScheduleReader`."""

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        rows = self._database.rows(
            "scopes_with_recent", types=types, newest=newest, **self._seen_from(scopes)
        )
        return [(Scope(path), at) for path, at in rows]
