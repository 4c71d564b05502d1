"""Keeping every store of a database up: take one that is due, do what it needs, and take the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from simonides.edges import scheduler
from simonides.errors import SimonidesError

if TYPE_CHECKING:
    from simonides import DueStore, DueStores
    from simonides.domain.run import Run
    from simonides.memory import Memory

#: A store that nobody writes to is looked at this often: for sessions that have gone silent.
_IDLE_S: Final = 900.0
#: A worker that has nothing to do asks at least this often.
_LONGEST_WAIT_S: Final = 30.0
_SHORTEST_WAIT_S: Final = 0.2
#: After a failure; twice as long each further time.
_PAUSE_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 3600.0
#: A claim is renewed when this share of it has gone by.
_RENEWED_AFTER: Final = 0.25


class Worker:
    """Keeps up the stores of a database that are due, one after the other, until it is told to stop.

    Args:
        opened: Opens the store of a claim.
        lease_s: How long a claim holds without being renewed.
        wait: Waits for so many seconds; true to stop.
        on_run: Called with the name of a store and a run there that did something, or failed.
        remark: Called with what else there is to say.
        index: Makes the indexes of vectors that the store of a claim needs.
    """

    def __init__(
        self,
        due: DueStores,
        opened: Callable[[DueStore], Memory],
        lease_s: float,
        *,
        wait: Callable[[float], bool],
        on_run: Callable[[str, Run], None],
        remark: Callable[[str], None],
        index: Callable[[DueStore], None],
    ) -> None:
        self._due = due
        self._opened = opened
        self._lease_s = lease_s
        self._wait = wait
        self._on_run = on_run
        self._remark = remark
        self._index = index

    def keep(self) -> None:
        """Keep up what is due, wait for what will be, and so on."""
        while True:
            try:
                while self.one():
                    if self._wait(0):
                        return
                due_in = self._due.wait_s()
            except SimonidesError as error:
                self._remark(f"{error}; trying again")
                due_in = _LONGEST_WAIT_S
            pause = _LONGEST_WAIT_S if due_in is None else min(due_in, _LONGEST_WAIT_S)
            if self._wait(max(pause, _SHORTEST_WAIT_S)):
                return

    def one(self) -> bool:
        """Keep up one store that is due; False where there is none."""
        claim = self._due.claim()
        if claim is None:
            return False
        try:
            wait_s = self._keep_up(claim)
        except SimonidesError as error:
            self._remark(f"{claim.name}: {error}; trying again later")
            pause = min(_PAUSE_S * 2 ** min(claim.tries - 1, 30), _LONGEST_PAUSE_S)
            self._due.leave(claim, pause, failed=True)
        else:
            self._due.leave(claim, wait_s)
        return True

    def _keep_up(self, claim: DueStore) -> float:
        """Do what a store needs; seconds until it is to be looked at again."""
        with self._opened(claim) as memory, self._renewed(claim, memory):
            lease = memory.schedule.lease()
            try:
                if (other := lease.take()) is not None:
                    self._remark(f"{claim.name}: {other} keeps its schedule")
                    return _IDLE_S
                run = scheduler.look(memory, lease)
            finally:
                lease.leave()
            if run.parts or run.job != "maintain":
                self._on_run(claim.name, run)
            try:
                self._index(claim)
            except SimonidesError as error:  # What was kept up is; an index only makes searches faster.
                self._remark(f"{claim.name}: {error}; its index will be made later")
            return memory.schedule.wait_s(_IDLE_S)

    @contextmanager
    def _renewed(self, claim: DueStore, memory: Memory) -> Generator[None]:
        """Renew a claim meanwhile; where another worker has taken it over, no step is begun any more."""
        over = threading.Event()

        def renew() -> None:
            while not over.wait(self._lease_s * _RENEWED_AFTER):
                try:
                    if not self._due.keep(claim):
                        memory.schedule.stop()
                        return
                except SimonidesError:
                    continue  # It may answer again before the claim is over.

        thread = threading.Thread(target=renew, name="simonides-claim", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
