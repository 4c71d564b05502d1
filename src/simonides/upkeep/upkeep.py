"""Upkeep as the facade knows it: run jobs, take runs back, stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from simonides.domain.ids import new_id
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus, together
from simonides.domain.scope import ALL
from simonides.errors import Conflict, NotFound, SimonidesError, UndoRefused
from simonides.ports.runs import Held, RunSelection
from simonides.ports.store import Writer
from simonides.upkeep.change import Work
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Job
from simonides.upkeep.moved import bring_back
from simonides.upkeep.runner import (
    Books,
    Execution,
    Progress,
    Stopped,
    Tools,
    begun,
    close_interrupted,
    close_run,
    ended_event,
    in_words,
)
from simonides.upkeep.schedule import lease as leases
from simonides.upkeep.schedule.lease import Lease
from simonides.upkeep.undo import changed_since, pieces, take_back, vectors_for

#: The run that only holds the runs of several jobs.
MAINTAIN: Final = "maintain"
UNDO: Final = "undo"
#: How long `close` waits for the step that is under way.
_PATIENCE_S: Final = 10.0
#: How often somebody who waits for a lease looks whether it is free.
_LOOK_AGAIN_S: Final = 0.02
#: Items that a refusal names.
_NAMED: Final = 10


class Upkeep:
    """Runs jobs and takes runs back. Safe to use from several threads; each run belongs to one."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        #: Set once by `stop` and `close`: runs end before their next step.
        self.stopping = False
        self._running: set[int] = set()
        self._ended = threading.Condition()

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
        self.stopping = True

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
            return _Undoing(self._tools, run_id, force=force, progress=progress).go()

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
        parent = begun(tools, MAINTAIN, order)
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

        tools.store.write(start)
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
            self._finish(ended, (lease,))
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
        run = begun(tools, job.name, order, parent=None if parent is None else parent[0].id)
        if order.dry_run:
            return self._execute(job, order, Books(run), (), progress, raising=raising)
        lease = Lease(job.name, tools.lease_us)
        held = (lease,) if parent is None else (lease, parent[1])

        def start(tx: Writer) -> Held | None:
            if (other := lease.take(tx, run.started_at)) is not None:
                tx.put_run(_busy_run(run, other))
                return other
            close_interrupted(tx, job.name, run.started_at)
            tx.put_run(replace(run, lease_until=lease.until(run.started_at)))
            return None

        if (other := tools.store.write(start)) is not None:
            return _busy_run(run, other)
        books = Books(run)
        try:
            ended = self._execute(job, order, books, held, progress, raising=raising)
        except BaseException as problem:
            # Interrupted by a key, an exit or the caller: the steps before stay, and the books say so.
            error = in_words(problem) if isinstance(problem, SimonidesError) else "interrupted"
            self._finish(books.end(tools.clock.now(), RunStatus.FAILED, error), (lease,))
            raise
        self._finish(ended, (lease,))
        return ended

    def _execute(
        self,
        job: Job,
        order: Order,
        books: Books,
        held: Sequence[Lease],
        progress: Progress | None,
        *,
        raising: bool,
    ) -> Run:
        execution = Execution(
            self._tools,
            job,
            order,
            books=books,
            leases=held,
            progress=progress,
            stopping=lambda: self.stopping,
            raising=raising,
        )
        return execution.go()

    def _finish(self, ended: Run, held: Sequence[Lease]) -> None:
        finish(self._tools, ended, held)


class _Undoing:
    """One undo."""

    def __init__(self, tools: Tools, run_id: str, *, force: bool, progress: Progress | None) -> None:
        self._tools = tools
        self._force = force
        self._progress = progress
        self._run, self._sources = self._found(run_id)
        order = Order(scope=ALL)
        self._books = Books(replace(begun(tools, UNDO, order, undoes=run_id), scope=self._run.scope))
        names = dict.fromkeys((UNDO, *(source.job for source in self._sources)))
        self._held = tuple(Lease(name, tools.lease_us) for name in names)

    def go(self) -> Run:
        tools = self._tools
        try:
            tools.store.write(self._start)
        except BaseException:
            self._let_go()
            raise
        try:
            changes = self._planned()
        except BaseException:
            tools.store.write(self._drop)
            self._let_go()
            raise
        status, error = RunStatus.FAILED, "interrupted"
        try:
            self._take_back(changes)
            status, error = RunStatus.DONE, None
        except Stopped as stopped:
            error = str(stopped)
        except Exception as problem:
            error = in_words(problem)
            raise
        finally:
            ended = self._books.end(tools.clock.now(), status, error)
            finish(tools, ended, self._held)
        return ended

    def _found(self, run_id: str) -> tuple[Run, list[Run]]:
        """The run, and the runs whose changes are to be taken back, last one first."""
        with self._tools.store.read() as reader:
            run = reader.run(run_id)
            if run is None:
                raise NotFound(f"there is no run {run_id!r}; `runs` lists them")
            if run.job == UNDO:
                raise Conflict(f"{run_id} is an undo itself; run the job again to have its changes back")
            if run.status is RunStatus.UNDONE:
                by = next((undo.id for undo in reader.runs(RunSelection(undoes=run_id), 1)), "another run")
                raise Conflict(f"{run_id} was taken back already, by {by}")
            parts = reader.runs(RunSelection(parent=run_id))[::-1]
        left = [part for part in parts if part.status is not RunStatus.UNDONE]
        return run, left[::-1] if run.job == MAINTAIN else [run]

    def _start(self, tx: Writer) -> None:
        """Take the leases: while a job goes on, nothing of it is taken back."""
        at = self._tools.clock.now()
        for lease in self._held:
            if (other := lease.take(tx, at)) is not None:
                raise Conflict(f"busy: {leases.told(other)} runs {lease.name!r}; try again when it is done")
            close_interrupted(tx, lease.name, at)

    def _planned(self) -> dict[str, list[RunChange]]:
        """The changes to take back by run, newest first.

        Raises:
            UndoRefused: Something changed since, and the rest was not asked for.
        """
        bring_back(
            self._tools.store,
            [source.id for source in self._sources],
            lambda left: self._books.left_alone(left, "skipped"),
        )
        with self._tools.store.read() as reader:
            self._sources = [
                found for source in self._sources if (found := reader.run(source.id)) is not None
            ]
            changes = {source.id: reader.run_changes(source.id, left=True)[::-1] for source in self._sources}
            changed = changed_since(reader, changes)
        if changed and not self._force:
            raise refusal(changed)
        return changes

    def _take_back(self, changes: Mapping[str, Sequence[RunChange]]) -> None:
        tools = self._tools
        total = sum(map(len, changes.values()))
        for source in self._sources:
            for piece in pieces(changes[source.id]):
                self._piece(source, piece)
                if self._progress is not None:
                    self._progress(UNDO, len(self._books.changes), total)
        tools.store.write(self._mark)

    def _piece(self, source: Run, piece: Sequence[RunChange]) -> None:
        tools = self._tools
        with tools.store.read() as reader:
            vectors = vectors_for(reader, piece, tools.embedder, self._books.degraded)

        def write(tx: Writer) -> tuple[list[RunChange], Work]:
            at = tools.clock.now()
            self._renew(tx, at)
            work = Work(tx, self._books.run.id, at, tools.embedder.identity, source.id, vectors)
            done: list[RunChange] = []
            for change in piece:
                if (told := take_back(work, change)) is not None:
                    told = replace(told, number=len(self._books.changes) + len(done) + 1)
                    # At once: what the next change finds its item to stand for depends on it.
                    tx.add_run_changes(self._books.run.id, [told])
                    done.append(told)
            tx.mark_undone(source.id, [change.details["of"] for change in done], self._books.run.id)
            return done, work

        done, work = tools.store.write(write)
        self._books.changes += done
        self._books.count("restored", len(done))
        for told in dict.fromkeys(work.left):
            self._books.left_alone(told, "merged" if told.why.startswith("merged") else "skipped")

    def _renew(self, tx: Writer, at: int) -> None:
        for lease in self._held:
            if not lease.hold(tx, at):
                raise Stopped(f"another process has taken over {lease.name!r}; undo again to go on")
        tx.put_run(replace(self._books.state(), lease_until=self._held[0].until(at)))

    def _drop(self, tx: Writer) -> None:
        for lease in self._held:
            lease.drop(tx)

    def _let_go(self) -> None:
        for lease in self._held:
            lease.let_go()

    def _mark(self, tx: Writer) -> None:
        for run in {run.id: run for run in (*self._sources, self._run)}.values():
            current = tx.run(run.id)
            assert current is not None
            tx.put_run(replace(current, status=RunStatus.UNDONE))


def refusal(changed: Sequence[LeftAlone]) -> UndoRefused:
    """Why an undo is refused, with what changed since."""
    told = "; ".join(
        f"{left.why} ({', '.join(left.item_ids)})" if left.item_ids else left.why for left in changed[:_NAMED]
    )
    more = f"; and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    ids = dict.fromkeys(item_id for left in changed for item_id in left.item_ids)
    return UndoRefused(f"{told}{more}: nothing was taken back; with force the rest is", tuple(ids))


def finish(tools: Tools, ended: Run, held: Sequence[Lease]) -> None:
    """Store how a run ended and let go of its leases."""
    try:

        def write(tx: Writer) -> None:
            tx.put_run(ended)
            tx.record([ended_event(ended, tools.clock.now())])
            for lease in held:
                lease.drop(tx)

        tools.store.write(write)
    finally:
        for lease in held:
            lease.let_go()


def nothing_done(order: Order, at: int) -> Run:
    """A run of `maintain` that found nothing to do; it is in no books."""
    return Run(
        id=new_id(at),
        job=MAINTAIN,
        trigger=order.trigger,
        scope=str(order.scope),
        started_at=at,
        ended_at=at,
        status=RunStatus.DONE,
        dry_run=order.dry_run,
    )


def _busy_run(run: Run, other: Held) -> Run:
    """A run that never began, because somebody else runs the job."""
    return replace(
        run,
        status=RunStatus.FAILED,
        ended_at=run.started_at,
        error=f"busy: {leases.told(other)} runs {run.job!r} at present",
    )
