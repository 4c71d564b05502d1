"""Taking back what a run changed: newest change first, exactly, and nothing that came since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from simonides.domain.link import Relation
from simonides.domain.run import MAINTAIN, UNDO, LeftAlone, Run, RunChange, RunStatus
from simonides.domain.scope import ALL
from simonides.errors import Advice, Conflict, NotFound, ProviderError, UndoRefused
from simonides.ports.embedder import Embedder
from simonides.ports.runs import RunReader, RunSelection, run_of
from simonides.ports.store import Reader, Writer
from simonides.upkeep.archive import bring_back
from simonides.upkeep.change import Revise, Subject, Work, subject_of
from simonides.upkeep.change.item import ItemState, was_held_back
from simonides.upkeep.ground import Order
from simonides.upkeep.runner import (
    Books,
    Progress,
    RunParts,
    RunStopped,
    begun,
    close_interrupted,
    finish,
    in_words,
)
from simonides.upkeep.schedule.lease import Lease, holder_in_words

#: Changes that are taken back in one transaction, at least; a step is never divided.
PIECE: Final = 200
#: Items that a refusal names.
_NAMED: Final = 10


class Undoing:
    """One undo."""

    def __init__(self, tools: RunParts, run_id: str, *, force: bool, progress: Progress | None) -> None:
        self._tools = tools
        self._force = force
        self._progress = progress
        self._run, self._sources = self._found(run_id)
        order = Order(scope=ALL)
        self._books = Books(
            replace(begun(UNDO, order, tools.clock.now(), undoes=run_id), scope=self._run.scope)
        )
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
        except RunStopped as stopped:
            error = str(stopped)
        except Exception as problem:
            error = in_words(problem)
            raise
        finally:
            ended = self._books.end(tools.clock.now(), status, error)
            # A run that counts as taken back without an undo in the books could not be taken back again.
            finish(tools, ended, self._held, self._mark if status is RunStatus.DONE else None)
        return ended

    def _found(self, run_id: str) -> tuple[Run, list[Run]]:
        """The run, and the runs whose changes are to be taken back, last one first."""
        with self._tools.store.read() as reader:
            run = run_of(reader, run_id)
            if run is None:
                raise NotFound(f"there is no run {run_id!r}", Advice("{} lists them", "runs.list"))
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
                raise Conflict(
                    f"busy: {holder_in_words(other)} runs {lease.name!r}; try again when it is done"
                )
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
                run for source in self._sources if (run := run_of(reader, source.id)) is not None
            ]
            changes = {source.id: reader.run_changes(source.id, left=True)[::-1] for source in self._sources}
            changed = changed_since(reader, changes)
        if changed and not self._force:
            raise refusal(changed)
        return changes

    def _take_back(self, changes: Mapping[str, Sequence[RunChange]]) -> None:
        total = sum(map(len, changes.values()))
        for source in self._sources:
            for piece in pieces(changes[source.id]):
                self._piece(source, piece)
                if self._progress is not None:
                    self._progress(UNDO, len(self._books.changes), total)

    def _piece(self, source: Run, piece: Sequence[RunChange]) -> None:
        tools = self._tools
        with tools.store.read() as reader:
            vectors = vectors_for(reader, piece, tools.embedder, self._books.degraded)
        model = tools.embedder.identity if vectors else None

        def write(tx: Writer) -> tuple[list[RunChange], Work]:
            at = tools.clock.now()
            run = self._renewed(tx, at)
            work = Work(tx, self._books.run.id, at, model, source.id, vectors)
            done: list[RunChange] = []
            for change in piece:
                if (row := take_back(work, change)) is not None:
                    row = replace(row, number=len(self._books.changes) + len(done) + 1)
                    # At once: what the next change finds its item to stand for depends on it.
                    tx.put_run(run, [row])
                    done.append(row)
            tx.put_run(run)
            tx.mark_undone(source.id, [change.details["of"] for change in done], self._books.run.id)
            return done, work

        done, work = tools.store.write(write)
        self._books.changes += done
        self._books.count("restored", len(done))
        for left in dict.fromkeys(work.left):
            self._books.left_alone(left, "merged" if left.why.startswith("merged") else "skipped")

    def _renewed(self, tx: Writer, at: int) -> Run:
        """The run, with its leases held for a while longer."""
        for lease in self._held:
            if not lease.hold(tx, at):
                raise RunStopped(f"another process has taken over {lease.name!r}; undo again to go on")
        return replace(self._books.state(), lease_until=self._held[0].until(at))

    def _drop(self, tx: Writer) -> None:
        for lease in self._held:
            lease.drop(tx)

    def _let_go(self) -> None:
        for lease in self._held:
            lease.let_go()

    def _mark(self, tx: Writer) -> None:
        for run in {run.id: run for run in (*self._sources, self._run)}.values():
            current = run_of(tx, run.id)
            assert current is not None
            tx.put_run(replace(current, status=RunStatus.UNDONE))


def changed_since(reader: Reader, runs: Mapping[str, Sequence[RunChange]]) -> list[LeftAlone]:
    """Find what changed since these changes were made, in the order in which it is met: items, links, places and so on.

    Args:
        runs: Changes by id of their run, newest first; the later run first.
    """
    stands: dict[Subject, Any] = {}
    changed: dict[Subject, LeftAlone] = {}
    for run_id, change in ((run_id, change) for run_id, changes in runs.items() for change in changes):
        subject = subject_of(change)
        if (why := subject.changed()) is None:
            continue
        if subject not in stands:
            stands[subject] = subject.read(reader)
        if stands[subject] == subject.after(change) or change.details.get("rel") == Relation.CO_RECALLED:
            differs = _went_on(reader, run_id, change, frozenset(runs))
        else:
            differs = not subject.is_back(reader, change)
        if differs:
            changed.setdefault(subject, why)
        stands[subject] = subject.before(change)
    return list(changed.values())


def take_back(work: Work, change: RunChange) -> RunChange | None:
    """Take one change back; what the store is to keep of that, or None if it was left alone."""
    subject = subject_of(change)
    if (why := subject.changed()) is not None and (
        subject.read(work.tx) != subject.after(change) or _went_on(work.tx, work.source, change)
    ):
        if not subject.is_back(work.tx, change):
            work.left.append(why)
        return None
    return subject.take_back(work, change)


def _went_on(
    reader: RunReader, run_id: str, change: RunChange, taken_back: frozenset[str] = frozenset()
) -> bool:
    """True if another run began with what this change left: it may have been changed back since, and look the same.

    Args:
        taken_back: Runs that are to be taken back as well.
    """
    subject = subject_of(change)
    if not subject.kinds:
        return False
    rel, left = change.details.get("rel"), subject.after(change)
    return any(
        later.run_id not in taken_back
        and later.details.get("rel") == rel
        and later.details.get("before") == left
        for later in reader.standing_changes(
            subject.kinds,
            item_id=change.item_id,
            other_id=change.other_id,
            entity_id=change.entity_id,
            after=run_id,
        )
    )


def pieces(changes: Sequence[RunChange]) -> Iterator[list[RunChange]]:
    """Changes of a run, newest first, in pieces of whole steps."""
    piece: list[RunChange] = []
    for change in changes:
        if len(piece) >= PIECE and piece[-1].step != change.step:
            yield piece
            piece = []
        piece.append(change)
    if piece:
        yield piece


def vectors_for(
    reader: Reader, piece: Sequence[RunChange], embedder: Embedder, degraded: Callable[[str], None]
) -> dict[str, Any]:
    """Vectors of the texts that a piece brings back, by text; none of a remote embedder."""
    texts: dict[str, None] = {}
    for change in piece:
        if change.kind == Revise.kind or was_held_back(change):
            was, made = ItemState.of(change).states(reader, change)
            if was is not None and made is not None and (was.text != made.text or was_held_back(change)):
                texts[was.text] = None
    if not texts or not embedder.local:
        return {}
    try:
        return dict(zip(texts, embedder.embed(list(texts)), strict=True))
    except ProviderError as error:
        degraded(f"embedder: {error}; `simonides backfill` embeds what was brought back")
        return {}


def refusal(changed: Sequence[LeftAlone]) -> UndoRefused:
    """The error that refuses an undo, with what changed since."""
    whys = "; ".join(
        f"{left.why} ({', '.join(left.item_ids)})" if left.item_ids else left.why for left in changed[:_NAMED]
    )
    more = f"; and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    ids = dict.fromkeys(item_id for left in changed for item_id in left.item_ids)
    return UndoRefused(f"{whys}{more}: nothing was taken back; with force the rest is", tuple(ids))
