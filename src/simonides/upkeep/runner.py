"""The one place where upkeep writes: a job plans, the runner applies step by step and keeps the books."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from typing import Final

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.ids import new_id
from simonides.domain.records import AuditEvent
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus, in_order
from simonides.errors import InvalidAnswer, SimonidesError, StoreFull, StoreLocked
from simonides.governance.policy import Policy
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder, StatementEncoder
from simonides.ports.files import file_of
from simonides.ports.model import LanguageModel
from simonides.ports.runs import RunSelection
from simonides.ports.store import Store, Writer
from simonides.tracing import span
from simonides.upkeep.apply import apply
from simonides.upkeep.change import Compact, Stale, Work
from simonides.upkeep.ground import Ground, Order
from simonides.upkeep.job import Batch, Job, Step
from simonides.upkeep.merge import Consolidator
from simonides.upkeep.prepare import Preparer
from simonides.upkeep.schedule.lease import Lease
from simonides.upkeep.settings import JobSettings
from simonides.values import dataclass
from simonides.writing.habits import Habits

#: What is kept of the steps that were left alone.
MOST_LEFT_ALONE: Final = 100
#: Changes that are committed together: as long as a commit takes, whoever else writes has to wait.
_TOGETHER: Final = 100
#: A lease is renewed in long work when this share of it has gone by.
_RENEWED_AFTER: Final = 0.25
_SECOND_US: Final = 1_000_000
_log = logging.getLogger("simonides.upkeep")


#: Called with (what is done, how much of it, of how much).
Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class RunParts:
    """The parts of a store that runs are made with."""

    store: Store
    policy: Policy
    embedder: Embedder
    closers: Sequence[StatementEncoder]
    model: LanguageModel | None
    clock: Clock
    settings: JobSettings
    habits: Habits
    consolidator: Consolidator | None = None

    @property
    def lease_us(self) -> int:
        return int(self.settings.upkeep.lease_s * _SECOND_US)


class RunStopped(Exception):
    """A run was told to stop, or lost its lease; the message says which."""


class Books:
    """The state of a run while it goes on: its state, counts, changes, and what was left alone."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.changes: list[RunChange] = []
        self.steps = 0
        self._counts: dict[str, int] = {}
        self._left: list[LeftAlone] = []
        self._degradations: dict[str, None] = {}

    def count(self, name: str, by: int = 1) -> None:
        if by:
            self._counts[name] = self._counts.get(name, 0) + by

    def left_alone(self, left: LeftAlone, counted: str) -> None:
        self.count(counted)
        if len(self._left) < MOST_LEFT_ALONE:
            self._left.append(left)

    def degraded(self, text: str) -> None:
        self._degradations[text] = None

    def failed(self, why: str, item_ids: tuple[str, ...]) -> None:
        self.left_alone(LeftAlone(item_ids, why), "errors")

    def state(self) -> Run:
        """The run as it stands, without its changes."""
        return replace(
            self.run,
            counts=in_order(self._counts),
            left_alone=tuple(self._left),
            degradations=tuple(self._degradations),
        )

    def end(self, at: int, status: RunStatus, error: str | None) -> Run:
        """The run as it ended."""
        self.run = replace(
            self.state(), status=status, ended_at=max(at, self.run.started_at), error=error, lease_until=None
        )
        return replace(self.run, changes=tuple(self.changes))


@dataclass(slots=True)
class Execution:
    """One run of one job.

    Attributes:
        stopping: Whether it should end before its next step.
        leases: Held while it goes on, renewed with each step.
        raising: Whether what goes wrong is raised, and not only written down.
    """

    tools: RunParts
    job: Job
    order: Order
    books: Books
    stopping: Callable[[], bool]
    leases: Sequence[Lease] = ()
    progress: Progress | None = None
    raising: bool = False
    _preparer: Preparer = field(init=False)
    _renewed_at: int = field(init=False)

    def __post_init__(self) -> None:
        self._preparer = Preparer(self.tools.policy, self.tools.embedder, self.books.degraded)
        self._renewed_at = self.tools.clock.now()

    def go(self) -> Run:
        """Apply what the job plans; the run as it ended. A job that fails keeps the steps before."""
        with span("job", job=self.job.name) as note:
            run = self._gone()
            note(status=run.status.value, changes=sum(run.counts.values()))
            return run

    def _gone(self) -> Run:
        status, error = RunStatus.DONE, None
        try:
            for steps in self._batches():
                self._check()
                self._do(steps)
        except RunStopped as stopped:
            status, error = RunStatus.FAILED, str(stopped)
        except Exception as problem:
            if self.raising:
                raise
            if isinstance(problem, SimonidesError):
                _log.info("the job %s failed: %s", self.job.name, problem)
            else:
                _log.exception("the job %s failed", self.job.name)
            status, error = RunStatus.FAILED, in_words(problem)
        return self.books.end(self.tools.clock.now(), status, error)

    def _batches(self) -> Iterator[Batch]:
        ground = Ground(
            view=self.tools.store,
            policy=self.tools.policy,
            embedder=self.tools.embedder,
            closers=self.tools.closers,
            habits=self.tools.habits,
            model=self.tools.model,
            clock=self.tools.clock,
            settings=self.tools.settings,
            order=self.order,
            progress=self._told,
            degradation=self.books.degraded,
            failure=self.books.failed,
            consolidator=self.tools.consolidator,
        )
        for planned in self.job.plan(ground):
            steps = (planned,) if isinstance(planned, Step) else planned
            if steps:
                yield steps

    def _told(self, done: int, of: int | None, what: str) -> None:
        self._check()
        now = self.tools.clock.now()
        if not self.order.dry_run and now - self._renewed_at > _RENEWED_AFTER * self.tools.lease_us:
            self.tools.store.write(lambda tx: tx.put_run(self._renewed(tx)))
        if self.progress is not None:
            self.progress(what or self.job.name, done, of)

    def _check(self) -> None:
        if self.stopping():
            raise RunStopped(
                "interrupted: it was cancelled, or the store is being closed; run the job again to go on"
            )

    def _do(self, steps: Batch) -> None:
        at = self.tools.clock.now()
        allowed, refused = self._preparer.judged(steps, at)
        for left in refused:
            self.books.left_alone(left, "refused")
        allowed = [step for step in allowed if step.changes]
        if self.order.dry_run:
            self._show(allowed)
            return
        ready, model = self._preparer.completed(allowed)
        for piece in _pieces(ready):
            self._check()
            self._apply(piece, model)

    def _show(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.books.steps += 1
            for change in step.changes:
                details = change.details()
                shown = RunChange(
                    number=len(self.books.changes) + 1,
                    step=self.books.steps,
                    kind=change.kind,
                    item_id=details.pop("item_id", None),
                    details=details,
                    lines=change.lines(),
                )
                self.books.changes.append(shown)
                self.books.count(*change.counts())

    def _apply(self, steps: Sequence[Step], model: EmbedderIdentity | None) -> None:
        """Commit steps together; where one of them cannot be applied, each half by itself."""
        try:
            done = self.tools.store.write(lambda tx: self._commit(tx, steps, model))
        except Stale as stale:
            if len(steps) > 1:
                half = len(steps) // 2
                self._apply(steps[:half], model)
                self._apply(steps[half:], model)
                return
            ids = tuple(dict.fromkeys((*stale.item_ids, *steps[0].touched())))
            self.books.left_alone(LeftAlone(ids, stale.why), "skipped")
            return
        self.books.steps += len(steps)
        self.books.changes += done
        for step in steps:
            for change in step.changes:
                self.books.count(*change.counts())
                if isinstance(change, Compact):
                    self._compact()
            if step.done is not None:
                step.done()

    def _compact(self) -> None:
        store = self.tools.store
        store.settle_archive()
        try:
            if not file_of(store, "shrink it").compact():
                self.books.degraded("a reader keeps the file from shrinking; it will when that one is done")
        except (StoreFull, StoreLocked) as error:
            self.books.degraded(f"the file was not compacted: {error}")

    def _commit(self, tx: Writer, steps: Sequence[Step], model: EmbedderIdentity | None) -> list[RunChange]:
        run = self._renewed(tx)
        work = Work(tx, run.id, self.tools.clock.now(), model)
        before = len(self.books.changes)
        done: list[RunChange] = []
        for number, step in enumerate(steps, self.books.steps + 1):
            done += apply(work, step, number, before + len(done))
        tx.put_run(run, done)
        return done

    def _renewed(self, tx: Writer) -> Run:
        """The run, with its leases held for a while longer."""
        at = self.tools.clock.now()
        for lease in self.leases:
            if not lease.hold(tx, at):
                raise RunStopped(f"another process has taken over {lease.name!r}; what was done so far stays")
        self._renewed_at = at
        return replace(self.books.state(), lease_until=self.leases[0].until(at))


def _pieces(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps in pieces of about as many changes as are committed together; no step is divided."""
    piece: list[Step] = []
    size = 0
    for step in steps:
        piece.append(step)
        size += sum(change.counts()[1] for change in step.changes)
        if size >= _TOGETHER:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def begun(job: str, order: Order, at: int, *, parent: str | None = None, undoes: str | None = None) -> Run:
    """A run that begins now."""
    return Run(
        id=new_id(at),
        job=job,
        trigger=order.trigger,
        scope=str(order.scope),
        started_at=at,
        dry_run=order.dry_run,
        parent=parent,
        undoes=undoes,
    )


def close_interrupted(tx: Writer, job: str, at: int) -> None:
    """Say of the runs of a job whose lease we took that they ended: their processes are gone."""
    for run in tx.runs(RunSelection(job=job, status=RunStatus.RUNNING))[::-1]:
        close_run(tx, run, at)


def close_run(tx: Writer, run: Run, at: int) -> None:
    """Say of a run that it was interrupted."""
    ended = replace(
        run,
        status=RunStatus.FAILED,
        ended_at=max(at, run.started_at),
        lease_until=None,
        error="interrupted: its process ended in the middle; the steps that it had done stay",
    )
    tx.put_run(ended)


def ended_event(run: Run, at: int) -> AuditEvent:
    """The entry of a run in the audit log."""
    details = {"run": run.id, "status": run.status.value, "counts": dict(run.counts)}
    return AuditEvent(action=f"run:{run.job}", at=at, actor="upkeep", details=details)


def finish(
    tools: RunParts, ended: Run, held: Sequence[Lease], mark: Callable[[Writer], None] | None = None
) -> None:
    """Store how a run ended and let go of its leases.

    Args:
        mark: Written together with that.
    """
    try:

        def write(tx: Writer) -> None:
            if mark is not None:
                mark(tx)
            tx.put_run(ended)
            tx.record([ended_event(ended, tools.clock.now())])
            for lease in held:
                lease.drop(tx)

        tools.store.write(write)
    finally:
        for lease in held:
            lease.let_go()


def in_words(problem: Exception) -> str:
    """An error as a run keeps it: without what may quote an item, which a purge could not reach."""
    if isinstance(problem, SimonidesError) and not isinstance(problem, InvalidAnswer):
        return str(problem)
    if isinstance(problem, InvalidAnswer):
        return "the model's answer is not what was asked for; the log says more"
    return f"{type(problem).__name__}; the log says more"
