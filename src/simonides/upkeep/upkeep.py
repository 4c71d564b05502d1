"""Upkeep as the facade knows it: run jobs, take runs back, stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from simonides.domain.cancelled import is_cancelled
from simonides.domain.run import MAINTAIN, Run, RunStatus, together
from simonides.errors import SimonidesError
from simonides.ports.runs import LeaseHolder, RunSelection
from simonides.ports.store import Writer
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Job
from simonides.upkeep.runner import (
    Books,
    Execution,
    Progress,
    RunParts,
    begun,
    close_interrupted,
    close_run,
    finish,
    in_words,
)
from simonides.upkeep.schedule import lease as leases
from simonides.upkeep.schedule.lease import Lease
from simonides.upkeep.undo import Undoing

#: How long `close` waits for the step that is under way.
_PATIENCE_S: Final = 10.0
#: How often somebody who waits for a lease looks whether it is free.
_LOOK_AGAIN_S: Final = 0.02


class Upkeep:
    """Runs jobs and takes runs back. Safe to use from several threads; each run belongs to one."""

    def __init__(self, tools: RunParts) -> None:
        self._tools = tools
        self._stopped = False
        self._running: set[int] = set()
        self._ended = threading.Condition()

    @property
    def stopping(self) -> bool:
        """True if runs are to end before their next step: the store is being closed, or nobody waits for them."""
        return self._stopped or is_cancelled()

    def maintain(self, jobs: Sequence[Job], order: Order, progress: Progress | None = None) -> Run:
        """Run jobs one after the other.

        Returns:
            The run of a single job; of several a run of its own, whose `parts` they are. A job that
            fails does not keep the next ones from running. One that somebody else runs at present fails
            as `busy`.

        Raises:
            StoreError: The books of a run could not be kept.
        """
        return self.carry_out([(job, order) for job in jobs], order, progress)

    def carry_out(
        self, work: Sequence[tuple[Job, Order]], order: Order, progress: Progress | None = None
    ) -> Run:
        """Run jobs one after the other, each with an order of its own.

        Args:
            order: Of the whole, for the books.

        Returns:
            As `maintain`.
        """
        with self._busy():
            if len(work) == 1:
                return self._one(*work[0], None, progress)
            return self._several(work, order, progress)

    def run_for(self, job: Job, order: Order, progress: Progress | None = None) -> Run:
        """Run one job for a caller who wants to know what came of it: after whoever runs it now.

        Returns:
            The run; as `busy` where nobody could wait longer for the other one.

        Raises:
            Exception: What went wrong in the job, or what `progress` raised. The steps before stay done.
        """
        with self._busy():
            if not order.dry_run:
                self._wait_for(job)
            return self._one(job, order, None, progress, raising=True)

    def _wait_for(self, job: Job) -> None:
        """Wait until nobody runs a job, but no longer than a process may hold it that does nothing."""
        tools = self._tools
        until = time.monotonic() + tools.settings.upkeep.lease_s
        while not self.stopping and time.monotonic() < until:
            with tools.store.read() as reader:
                held = reader.lease(job.name)
            if held is None or leases.is_free(held, tools.clock.now()) or leases.is_own(held):
                return
            time.sleep(_LOOK_AGAIN_S)

    def stop(self) -> None:
        """Let runs end before their next step, and begin no more; does not wait."""
        self._stopped = True

    def undo(self, run_id: str, *, force: bool = False, progress: Progress | None = None) -> Run:
        """Take back what a run changed, newest change first.

        Args:
            force: Where items changed since, take back the rest.

        Raises:
            NotFound: There is no such run.
            UndoRefused: Items changed since; nothing was taken back.
            Conflict: The run goes on, was taken back already, or is an undo itself.
        """
        with self._busy():
            return Undoing(self._tools, run_id, force=force, progress=progress).go()

    def close(self) -> None:
        """Let runs end after the step that is under way, and wait for it a while."""
        self.stop()
        own = threading.get_ident()
        with self._ended:
            self._ended.wait_for(lambda: not self._running - {own}, _PATIENCE_S)

    @contextmanager
    def _busy(self) -> Generator[None]:
        own = threading.get_ident()
        outermost = own not in self._running
        with self._ended:
            self._running.add(own)
        try:
            yield
        finally:
            with self._ended:
                if outermost:
                    self._running.discard(own)
                self._ended.notify_all()

    def _several(self, work: Sequence[tuple[Job, Order]], order: Order, progress: Progress | None) -> Run:
        tools = self._tools
        parent = begun(MAINTAIN, order, tools.clock.now())
        if order.dry_run:
            parts = tuple(self._one(job, own, None, progress) for job, own in work)
            return replace(together(parent, parts), ended_at=tools.clock.now())
        lease = Lease(parent.id, tools.lease_us)

        def start(tx: Writer) -> None:
            lease.take(tx, parent.started_at)
            for run in tx.runs(RunSelection(job=MAINTAIN, status=RunStatus.RUNNING))[::-1]:
                if not leases.still_runs(tx, run.id, parent.started_at):
                    close_run(tx, run, parent.started_at)
            tx.put_run(replace(parent, lease_until=lease.until(parent.started_at)))

        try:
            tools.store.write(start)
        except BaseException:
            lease.let_go()
            raise
        parts: tuple[Run, ...] = ()
        try:
            for job, own in work:
                if self.stopping:
                    break
                parts = (*parts, self._one(job, own, (parent, lease), progress))
        finally:
            ended = replace(
                together(parent, parts), ended_at=max(tools.clock.now(), parent.started_at), lease_until=None
            )
            if len(parts) < len(work) and ended.status is RunStatus.DONE:
                ended = replace(ended, status=RunStatus.FAILED, error="interrupted")
            finish(tools, ended, (lease,))
        return ended

    def _one(
        self,
        job: Job,
        order: Order,
        parent: tuple[Run, Lease] | None,
        progress: Progress | None,
        *,
        raising: bool = False,
    ) -> Run:
        tools = self._tools
        above = None if parent is None else parent[0].id
        run = begun(job.name, order, tools.clock.now(), parent=above)
        lease = Lease(job.name, tools.lease_us)
        execution = Execution(
            tools,
            job,
            order,
            books := Books(run),
            stopping=lambda: self.stopping,
            leases=(lease,) if parent is None else (lease, parent[1]),
            progress=progress,
            raising=raising,
        )
        if order.dry_run:
            return execution.go()

        def start(tx: Writer) -> LeaseHolder | None:
            if (other := lease.take(tx, run.started_at)) is not None:
                tx.put_run(_busy_run(run, other))
                return other
            close_interrupted(tx, job.name, run.started_at)
            tx.put_run(replace(run, lease_until=lease.until(run.started_at)))
            return None

        try:
            other = tools.store.write(start)
        except BaseException:
            # Whether it is in the store or not, nothing is done under it.
            lease.let_go()
            raise
        if other is not None:
            return _busy_run(run, other)
        try:
            ended = execution.go()
        except BaseException as problem:
            # Interrupted by a key, an exit or the caller: the steps before stay, and the books say so.
            error = in_words(problem) if isinstance(problem, SimonidesError) else "interrupted"
            finish(tools, books.end(tools.clock.now(), RunStatus.FAILED, error), (lease,))
            raise
        finish(tools, ended, (lease,))
        return ended


def nothing_done(order: Order, at: int) -> Run:
    """A run of `maintain` that found nothing to do; it is in no books."""
    return replace(begun(MAINTAIN, order, at), ended_at=at, status=RunStatus.DONE)


def _busy_run(run: Run, other: LeaseHolder) -> Run:
    """A run that never began, because somebody else runs the job."""
    return replace(
        run,
        status=RunStatus.FAILED,
        ended_at=run.started_at,
        error=f"busy: {leases.holder_in_words(other)} runs {run.job!r} at present",
    )
