"""Due times. Pure: from the runs of a job, and the hours at which it is to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.instant import SECOND_US
from simonides.domain.run import Run, RunStatus
from simonides.upkeep.schedule.hours import Hours
from simonides.values import dataclass

#: A run that began this far ahead of the clock still counts: a clock that is set back by up to a day repeats nothing,
#: and puts nothing off for long. One further ahead was made by a clock that was wrong, and is passed over.
AHEAD_US: Final = 26 * 3600 * SECOND_US
#: How long a job that failed is left alone; twice as long each further time.
PAUSE_US: Final = 600 * SECOND_US
LONGEST_PAUSE_US: Final = 6 * 3600 * SECOND_US
#: How the error of a run begins that was cut off, or never began: it says nothing of the job.
_CUT_OFF: Final = ("interrupted", "busy", "another process has taken over")


@dataclass(frozen=True, slots=True)
class Past:
    """Summary of a job's runs.

    Attributes:
        last_at: When the last one began that did its work, also if it was taken back since; None if none did.
        ended_at: When that one ended.
        failures: How many failed since.
        failed_at: When the last of those began.
        tried_at: When any one last began.
    """

    last_at: int | None = None
    ended_at: int | None = None
    failures: int = 0
    failed_at: int | None = None
    tried_at: int | None = None

    @property
    def free_at(self) -> int:
        """From when on it may be tried again after it failed; 0 where it did not."""
        if self.failed_at is None:
            return 0
        return self.failed_at + min(PAUSE_US * 2 ** min(self.failures - 1, 30), LONGEST_PAUSE_US)


def past(runs: Sequence[Run], now: int) -> Past:
    """Summarise a job's runs.

    Args:
        runs: Last started first, as they were entered in the books.
        now: Runs far ahead of it are passed over.
    """
    failures = 0
    failed_at: int | None = None
    tried_at: int | None = None
    for run in runs:
        if run.started_at > now + AHEAD_US:
            continue
        if tried_at is None:
            tried_at = run.started_at
        if run.status in {RunStatus.DONE, RunStatus.UNDONE}:
            return Past(run.started_at, run.ended_at, failures, failed_at, tried_at)
        if run.status is RunStatus.FAILED and not (run.error or "").startswith(_CUT_OFF):
            failures += 1
            failed_at = run.started_at if failed_at is None else failed_at
    return Past(failures=failures, failed_at=failed_at, tried_at=tried_at)


def next_at(past: Past, hours: Hours, first_at: int | None, now: int) -> int | None:
    """Next instant at which a job is to run; what lies before now was missed, and is due.

    However many of its hours were missed, it is due once. One that never ran is due from its first hour after there
    was anything in the store. One that failed is due again, but not at once.

    Args:
        first_at: When the oldest item was recorded; None for an empty store.
    """
    if past.last_at is not None:
        at = hours.after(past.last_at)
    else:
        at = hours.after(now if first_at is None else min(first_at, now))
    return None if at is None else max(at, past.free_at)


def is_due(past: Past, hours: Hours, first_at: int | None, now: int) -> bool:
    """True if a job is to run now."""
    at = next_at(past, hours, first_at, now)
    return at is not None and at <= now
