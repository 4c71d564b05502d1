"""The schedule of a Memory: when upkeep runs by itself, and what is due now."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.instant import DAY_US, FIRST, LAST, SECOND_US, to_datetime
from simonides.domain.scope import ALL, Scopes, looked_from
from simonides.errors import ProviderUnavailable
from simonides.parts.arguments import finite, whole, words
from simonides.ports.store import Writer
from simonides.upkeep.schedule.cron import hours_of, zone_of
from simonides.upkeep.schedule.hours import Hour, timetable
from simonides.upkeep.schedule.lease import Lease, holder_in_words

if TYPE_CHECKING:
    from simonides.upkeep.schedule.watch import Appointment, Due

_NAME = "schedule"


class SchedulerLease:
    """Lease of the scheduler: one process at a time keeps the schedule of a store.

    It is free when it is left, when its process has ended, and when it was not renewed for ten minutes.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._length_us = int(parts.settings.upkeep.lease_s * SECOND_US)
        self._lease = Lease(_NAME, self._length_us)
        self._renewed_at: int | None = None

    def take(self) -> str | None:
        """Take or renew the lease. Returns None on success, else a description of its holder."""
        at = self._parts.clock.now()

        def write(tx: Writer) -> str | None:
            if self._renewed_at is not None and self._lease.hold(tx, at):
                return None
            held = self._lease.take(tx, at)
            return None if held is None else holder_in_words(held)

        other = self._parts.store.write(write)
        self._renewed_at = at if other is None else None
        return other

    def keep(self) -> None:
        """Renew the lease, if it is time for that. Call it in long work."""
        since = self._renewed_at
        if since is not None and abs(self._parts.clock.now() - since) * 4 > self._length_us:
            self.take()

    def leave(self) -> None:
        """Give the lease up, for another process to take."""
        try:
            if self._renewed_at is not None:
                self._parts.store.write(self._lease.drop)
        finally:
            self._renewed_at = None
            self._lease.let_go()


class Schedule:
    """The schedule of upkeep."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self) -> list[Appointment]:
        """Last and next run of each job, in the order in which `maintain` runs them.

        Raises:
            ProviderUnavailable: What reads the hours is not installed.
            InvalidSettings: An expression, or the zone, cannot be read.
        """
        return list(self._parts.watch.appointments(self._hours(), self._parts.clock.now()))

    def due(self, *, scope: str | Scopes = ALL) -> Sequence[Due]:
        """Work that `maintain(due=True)` would do now.

        Raises:
            InvalidSettings: An expression, or the zone, cannot be read.
        """
        return self.find(scope=scope)[0]

    def find(
        self, *, scope: str | Scopes = ALL, jobs: Iterable[str] | None = None
    ) -> tuple[tuple[Due, ...], str | None]:
        """Due work of some jobs, None for all; and what was not looked at because something is not installed."""
        missing: str | None = None
        hours: tuple[Hour, ...] = ()
        try:
            hours = self._hours()
        except ProviderUnavailable as error:
            missing = f"hours were not looked at: {error}"
        from simonides.upkeep.jobs.registry import known_jobs  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        known = known_jobs()
        wanted = known if jobs is None else frozenset(words(jobs, "jobs"))
        chosen = [name for name in known if name in wanted]
        due = self._parts.watch.due(hours, looked_from(scope), self._parts.clock.now(), chosen)
        return due, missing

    def wait_s(self, longest: float) -> float:
        """Seconds until the next hour of a job that is not due yet, `longest` at most."""
        now = self._parts.clock.now()
        ahead = [one.next_at - now for one in self.list() if one.next_at is not None and one.next_at > now]
        return min([finite(longest, "longest"), *(wait / SECOND_US for wait in ahead)])

    def local(self, at: int) -> datetime:
        """An instant on the clock that the hours are read from."""
        return to_datetime(whole(at, "at", FIRST + DAY_US, LAST - DAY_US)).astimezone(
            zone_of(self._parts.settings.schedule)
        )

    def lease(self) -> SchedulerLease:
        """Lease of the scheduler; not taken yet."""
        return SchedulerLease(self._parts)

    def seat(self) -> SchedulerLease:
        """Former name of `lease`."""
        warnings.warn("Schedule.seat is called Schedule.lease now", DeprecationWarning, stacklevel=2)
        return self.lease()

    def stop(self) -> None:
        """Let the run that is under way end after its step, and begin no more until the store is opened again."""
        self._parts.upkeep.stop()

    def _hours(self) -> tuple[Hour, ...]:
        from simonides.upkeep.jobs.registry import known_jobs  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        settings = self._parts.settings.schedule
        return timetable(known_jobs(), settings, hours_of(settings))
