"""What ran when, and where something new stands."""

from __future__ import annotations

from simonides.domain.run import Run
from simonides.domain.scope import Scope, Scopes
from simonides.storage.sqlite.asking import Asking
from simonides.storage.sqlite.conditions import words_array
from simonides.storage.sqlite.runs import to_run


class SqliteScheduleReader(Asking):
    """Meets `ports.schedule.ScheduleReader`."""

    def runs_over(self, job: str, scope: Scopes, limit: int) -> list[Run]:
        return [to_run(row) for row in self._rows("runs_over_scope", job=job, scope=str(scope), limit=limit)]

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        rows = self._rows(
            "scopes_with_recent", types=words_array(types), newest=newest, **self._seen_from(scopes)
        )
        return [(Scope(path), at) for path, at in rows]

    def session_changed(self, scope: Scope, since: int) -> bool:
        keys = self._scope_keys((scope,))
        return bool(keys) and self._value("sessions_since", scope_key=keys[0], since=since) > 0
