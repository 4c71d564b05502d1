"""Keeping the schedule: look, do what is due, wait, and look again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from simonides.domain.actor import UPKEEP
from simonides.errors import SimonidesError, StoreClosed
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides import SchedulerLease
    from simonides.domain.run import Run
    from simonides.memory import Memory

#: Waits no shorter than this, whatever the clock says.
_SHORTEST_S: Final = 0.05


@dataclass
class Scheduler:
    """Keeps the schedule of a store until it is told to stop.

    It looks at least every `schedule.look_s` seconds, since clocks jump and computers sleep.

    Args:
        wait: Waits for so many seconds; true to stop.
        on_run: Called with each run that did something, or failed.
        remark: Called with what else there is to say, when that changes.
    """

    memory: Memory
    wait: Callable[[float], bool]
    on_run: Callable[[Run], None]
    remark: Callable[[str], None]
    _said: str | None = None

    def keep(self) -> None:
        """Look, do what is due, wait, and look again."""
        lease = self.memory.schedule.lease()
        try:
            while True:
                self._look(lease)
                if self.wait(self._pause_s()):
                    return
        finally:
            lease.leave()

    def _look(self, lease: SchedulerLease) -> None:
        try:
            other = lease.take()
            if other is not None:
                self._say(f"{other} keeps the schedule of this store; waiting until it ends")
                return
            run = look(self.memory, lease)
        except StoreClosed:
            raise
        except SimonidesError as error:
            # A store that is locked or full by now may be free again by the next look.
            self._say(f"{error}; trying again")
            return
        if run.parts or run.job != "maintain":
            self.on_run(run)
        self._say("; ".join(run.degradations) if run.degradations and not run.parts else None)

    def _say(self, text: str | None) -> None:
        if text is not None and text != self._said:
            self.remark(text)
        self._said = text

    def _pause_s(self) -> float:
        """Until the next hour of a job, or the next look."""
        longest = self.memory.settings.schedule.look_s
        try:
            return max(_SHORTEST_S, self.memory.schedule.wait_s(longest))
        except SimonidesError:
            return longest


def once(memory: Memory, progress: Callable[[str, int], None]) -> Run | str:
    """Do what is due now.

    Args:
        progress: Called with what is done, and how much of it.

    Returns:
        The run; or who keeps the schedule of this store, who will do it.
    """
    lease = memory.schedule.lease()
    try:
        other = lease.take()
        return look(memory, lease, progress) if other is None else other
    finally:
        lease.leave()


def look(memory: Memory, lease: SchedulerLease, progress: Callable[[str, int], None] | None = None) -> Run:
    """Extract from what has gone silent, and do what is due; the lease is kept all the while."""

    def going_on(what: str, done: int) -> None:
        lease.keep()
        if progress is not None:
            progress(what, done)

    memory.extract(due_only=True, progress=lambda done, _: going_on("turns", done))
    return memory.maintain(due=True, actor=UPKEEP, progress=lambda what, done, _: going_on(what, done))
