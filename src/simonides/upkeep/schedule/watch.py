"""Watching what is due: missed hours, sessions that are over, scopes whose short term has filled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.domain.item import Status
from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import ALL, Scope, Scopes, exactly
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.written import Written
from simonides.errors import ProviderError
from simonides.ports.buffer import SessionSelection
from simonides.ports.embedder import Embedder
from simonides.ports.runs import RunSelection
from simonides.ports.store import ReadableStore, Reader
from simonides.upkeep.jobs.sessions import over
from simonides.upkeep.schedule import trigger
from simonides.upkeep.schedule.due import PAUSE_US, Past, is_due, next_at, past
from simonides.upkeep.schedule.hours import Hour
from simonides.upkeep.schedule.lease import still_runs
from simonides.upkeep.settings import ConsolidateSettings
from simonides.values import dataclass
from simonides.writing.habits import Habits

SCHEDULE: Final = "schedule"
_CONSOLIDATE: Final = "consolidate"
_SESSIONS: Final = "sessions"
_EMBED: Final = "embed"
#: Runs of a job that are looked through for the last one that counts.
_RUNS: Final = 30
#: Items, newest first, among which scopes with something new, and what has no vector, are looked for; the nightly
#: run finds the rest.
_NEWEST: Final = 5000
#: Sessions that are looked at, longest silent first.
_OVER: Final = 100


@dataclass(frozen=True, slots=True)
class Due(Written):
    """Something that is to be done now.

    Attributes:
        trigger: schedule, session or threshold.
        why: In words.
    """

    job: str
    scope: Scopes
    trigger: str
    why: str


@dataclass(frozen=True, slots=True)
class Appointment:
    """Last and next run of a job.

    Attributes:
        setting: Setting with the job's hours; `cron` is its value.
        last: Its last run that did its work; None if it never did.
        next_at: None for never. What lies in the past is due.
    """

    job: str
    setting: str
    cron: str
    last: Run | None
    next_at: int | None
    due: bool

    def to_dict(self) -> dict[str, Any]:
        """JSON with ISO times."""
        return {
            "job": self.job,
            "setting": self.setting,
            "cron": self.cron,
            "last_run": None if self.last is None else self.last.id,
            "last_at": None if self.last is None else iso(self.last.started_at),
            "next_at": None if self.next_at is None else iso(self.next_at),
            "due": self.due,
        }


@dataclass(frozen=True, slots=True)
class Watch:
    """Looks at a store. What it reads is bounded, so that it may be asked often."""

    view: ReadableStore
    embedder: Embedder
    taxonomy: Taxonomy
    settings: ConsolidateSettings
    habits: Habits

    def due(
        self, timetable: Sequence[Hour], scope: Scopes, now: int, jobs: Collection[str]
    ) -> tuple[Due, ...]:
        """Jobs that are due now, in the order of `jobs`; nothing twice, and nothing that is being done.

        Args:
            timetable: Hours; none where nothing can say them.
            jobs: What may be done.
        """
        with self.view.read() as reader:
            first_at = _first_recorded_at(reader)
            if first_at is None:
                return ()
            due_by_job = {
                hour.job: [Due(hour.job, scope, SCHEDULE, f"{hour.setting} ({hour.expression}) has come")]
                for hour in timetable
                if hour.hours is not None
                if is_due(
                    past(reader.runs(RunSelection(job=hour.job, over=scope), _RUNS), now),
                    hour.hours,
                    first_at,
                    now,
                )
            }
            if _SESSIONS not in due_by_job and (why := self._over(reader, scope, now)) is not None:
                due_by_job[_SESSIONS] = [Due(_SESSIONS, scope, "session", why)]
            if _CONSOLIDATE not in due_by_job and _CONSOLIDATE in jobs:
                due_by_job[_CONSOLIDATE] = self._full(reader, scope, now)
            if (
                _EMBED not in due_by_job
                and _EMBED in jobs
                and (why := self._bare(reader, scope, now)) is not None
            ):
                due_by_job[_EMBED] = [Due(_EMBED, scope, "threshold", why)]
            free = [job for job in jobs if due_by_job.get(job) and not still_runs(reader, job, now)]
        return tuple(due for job in free for due in due_by_job[job])

    def appointments(self, timetable: Sequence[Hour], now: int) -> tuple[Appointment, ...]:
        """Last and next run of each job in every scope."""
        with self.view.read() as reader:
            first_at = _first_recorded_at(reader)
            return tuple(_appointment(reader, hour, first_at, now) for hour in timetable)

    def _over(self, reader: Reader, scope: Scopes, now: int) -> str | None:
        """Reason to consolidate sessions: one is over, and that was not tried a moment ago."""
        before = past(reader.runs(RunSelection(job=_SESSIONS, over=scope), _RUNS), now)
        if _rests(before, now):
            return None
        ended = over(reader, exactly(scope), self.habits, now, _OVER)
        return f"{len(ended)} sessions are over" if ended else None

    def _bare(self, reader: Reader, scope: Scopes, now: int) -> str | None:
        """Reason to embed something: it was stored while the embedder was slow or did not answer."""
        runs = reader.runs(RunSelection(job=_EMBED, over=scope), _RUNS)
        if now < past(runs, now).free_at or (runs and runs[0].status is RunStatus.UNDONE):
            return None
        try:
            model = self.embedder.identity
        except ProviderError:
            return None  # Searches say so; the nightly run fails with the reason.
        state = reader.state()
        behind = max(0, state.extent - _NEWEST)
        keys = reader.lacking_vector(model.fingerprint, (), state.change, behind, _NEWEST)
        if isinstance(scope, Scope):
            keys = reader.keys(Selection(scopes=(scope,), live_at=None, among=tuple(keys)), limit=len(keys))
        return f"{len(keys)} items have no vector yet" if keys else None

    def _full(self, reader: Reader, scope: Scopes, now: int) -> list[Due]:
        """Scopes in which consolidation is due, by path."""
        types = frozenset(name for name, spec in self.taxonomy.specs.items() if spec.merges)
        scopes = exactly(scope)
        due: list[Due] = []
        for place, newest_at in reader.scopes_with_recent(scopes, types, _NEWEST):
            before = past(reader.runs(RunSelection(job=_CONSOLIDATE, over=place), _RUNS), now)
            since = before.ended_at
            if (since is not None and newest_at <= since) or now < before.free_at:
                continue
            selection = Selection(scopes=(place,), live_at=now)
            load = trigger.load_of(reader, selection, since, self.settings, self.taxonomy)
            changed = not _rests(before, now) and _session_changed(reader, place, since)
            load = replace(load, session_changed=changed)
            if (why := trigger.due(load, self.settings)) is not None:
                due.append(Due(_CONSOLIDATE, place, "session" if changed else "threshold", why))
        return due


def _session_changed(reader: Reader, scope: Scope, since: int | None) -> bool:
    """True if a session of a scope ended, or another began, since an instant; None for ever."""
    if since is not None:
        return bool(reader.sessions(SessionSelection(scopes=(scope,), changed_since=since), 1))
    sessions = reader.sessions(SessionSelection(scopes=(scope,)), 2)
    return len(sessions) > 1 or any(session.ended_at is not None for session in sessions)


def _rests(before: Past, now: int) -> bool:
    """True if a job was tried a moment ago, or failed: what it left would be found at once again."""
    return now < before.free_at or (before.tried_at is not None and abs(now - before.tried_at) < PAUSE_US)


def _appointment(reader: Reader, hour: Hour, first_at: int | None, now: int) -> Appointment:
    runs = reader.runs(RunSelection(job=hour.job, over=ALL), _RUNS)
    before = past(runs, now)
    last = next((run for run in runs if run.started_at == before.last_at), None)
    at = None if hour.hours is None else next_at(before, hour.hours, first_at, now)
    due = first_at is not None and at is not None and at <= now
    return Appointment(hour.job, hour.setting, hour.expression, last, at, due)


def _first_recorded_at(reader: Reader) -> int | None:
    """Instant at which the oldest item was recorded; None in an empty store."""
    everything = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
    first = reader.select(everything, ItemOrder.OLDEST, limit=1).values()
    return next((item.created_at for item in first), None)
