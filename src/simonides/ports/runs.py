"""Upkeep as a store keeps it: runs, their changes, leases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from simonides.domain.item import Usage
from simonides.domain.link import Relation
from simonides.domain.run import Run, RunChange, RunStatus
from simonides.domain.scope import Scope, Scopes
from simonides.values import dataclass


class LeaseHolder(NamedTuple):
    """A lease that somebody took.

    Attributes:
        taken_at: When it was taken or last renewed, by the holder's clock.
        until: When it is over, by the same clock.
    """

    holder: str
    taken_at: int
    until: int


class StandingChange(NamedTuple):
    """A change that a run made and that nobody has taken back.

    Attributes:
        at: When the run began.
        details: Those of the change.
    """

    run_id: str
    at: int
    details: Mapping[str, Any]


class JudgedPair(NamedTuple):
    """Two items that a job has looked at; of a bookmark twice the same one."""

    job: str
    a_id: str
    b_id: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSelection:
    """A filter over runs. A field of None does not restrict.

    Attributes:
        id: This one.
        over: It took in this scope: exactly this one, or every scope.
        parent: It is a part of this run.
        undoes: It took this run back, or began to.
    """

    id: str | None = None
    job: str | None = None
    status: RunStatus | None = None
    over: Scopes | None = None
    parent: str | None = None
    undoes: str | None = None


EVERY_RUN: Final = RunSelection()


class RevisionNumbers(NamedTuple):
    """Numbers of an item's revisions.

    Attributes:
        last: Of the newest; 0 of an unknown item.
        stands_for: Of the one whose state the item is in. That is the newest, unless an undo made it: then the one that
            it restored. 0 of an unknown item, and of one that a run made which was taken back.
    """

    last: int
    stands_for: int


class RunReader(Protocol):
    """Runs, their changes and leases, what they looked at, and what came since."""

    def revision_numbers(self, item_id: str) -> RevisionNumbers:
        """Numbers of an item's newest revision, and of the one that it stands for."""
        ...

    def runs(self, selection: RunSelection = EVERY_RUN, limit: int = 1 << 53) -> list[Run]:
        """Runs that pass, without their changes and parts, last started first."""
        ...

    def run_changes(
        self, run_id: str, *, after: int = 0, limit: int = 1_000_000, left: bool = False
    ) -> list[RunChange]:
        """Changes of a run with a number above `after`, in their order; `left` for those not taken back."""
        ...

    def standing_changes(
        self,
        kinds: frozenset[str],
        *,
        item_id: str | None = None,
        other_id: str | None = None,
        entity_id: str | None = None,
        after: str | None = None,
    ) -> list[StandingChange]:
        """Changes of these kinds of an item, of one with a far end, or of an entity, that nobody has taken back.

        Those that took others back are not among them.

        Args:
            after: Id of a run; only what runs changed that began after it.

        Returns:
            The latest first.
        """
        ...

    def links_undone(
        self, item_ids: Sequence[str], relations: Iterable[Relation]
    ) -> list[tuple[str, str, Relation]]:
        """Links to these items that runs made and that were taken back: (source, one of these, relation)."""
        ...

    def lease(self, name: str) -> LeaseHolder | None:
        """The holder of a lease; None if nobody took it."""
        ...

    def bookmark(self, job: str) -> int:
        """The key of the newest item that was noted as a pair with itself, to go on from there; 0 for none.

        The name has a colon (`causes:turns`): where the item is purged, such a mark moves to the one before it.
        """
        ...

    def scopes_with_recent(
        self, scopes: tuple[Scope, ...] | None, types: frozenset[str], newest: int
    ) -> list[tuple[Scope, int]]:
        """Scopes that hold active short-term items of these types among the newest items of the store.

        Costs the same however large the store is.

        Returns:
            Each with when the newest of them was recorded, by path.
        """
        ...

    def judged_pairs(self, job: str | None = None, among: Sequence[str] | None = None) -> list[JudgedPair]:
        """Pairs that a job has looked at, None: any, of these items or of all; by job and keys."""
        ...


def run_of(reader: RunReader, run_id: str) -> Run | None:
    """The run of an id; None if there is none."""
    return next(iter(reader.runs(RunSelection(id=run_id), 1)), None)


def judged(reader: RunReader, job: str, pairs: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of these pairs of items that a job has looked at, in either order, as they were given."""
    ends = sorted({item_id for pair in pairs for item_id in pair})
    known = {frozenset((pair.a_id, pair.b_id)) for pair in reader.judged_pairs(job, ends)} if ends else ()
    return {pair for pair in pairs if frozenset(pair) in known}


class RunWriter(RunReader, Protocol):
    """Changes that only upkeep makes, and its book-keeping."""

    def put_run(self, run: Run, changes: Sequence[RunChange] = ()) -> None:
        """Store a run, or its new state, and further changes of it; those that it bears are not stored with it."""
        ...

    def mark_undone(self, run_id: str, numbers: Sequence[int], by: str) -> None:
        """Note which run took changes back."""
        ...

    def drop_link(self, src: str, dst: str, rel: Relation) -> None:
        """Remove a link between items; nothing happens if there is none."""
        ...

    def put_lease(self, name: str, held: LeaseHolder | None) -> None:
        """Give a lease to somebody, whoever held it; None lets go of it."""
        ...

    def note_judged(self, job: str, a: str, b: str, at: int | None) -> bool:
        """Note that a job looked at a pair, None: that it did not; whether that was new."""
        ...

    def set_usage(self, item_id: str, usage: Usage) -> None:
        """Set what changes with use, except the confidence that was gained by it.

        Raises:
            NotFound: There is no such item.
        """
        ...
