"""Runs of upkeep: one execution of a job, with what it changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any, Final

from simonides.domain.written import INNER, Written, as_written
from simonides.values import dataclass

#: The run that only holds the runs of several jobs, and the one that takes a run back; no job has these names.
MAINTAIN: Final = "maintain"
UNDO: Final = "undo"
#: Jobs of runs that follow from something else, and that nobody asks for by name.
FOLLOWING: Final = frozenset({MAINTAIN, UNDO, "resolve", "retract", "retell", "rollback", "turns"})
#: What a run counts, in the order in which it is told; what is 0 is left out.
COUNTED: Final = (
    "created",
    "revised",
    "merged",
    "archived",
    "moved",
    "held_back",
    "linked",
    "unlinked",
    "placed",
    "summarised",
    "judged",
    "embedded",
    "noted",
    "restored",
    "skipped",
    "refused",
    "errors",
)


class RunStatus(StrEnum):
    """States of a run. A run that failed keeps the steps that it had done."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChange(Written):
    """One change that a run made, or of a dry run: would make.

    Attributes:
        number: From 1, in the order in which they were applied.
        step: Changes of one step were applied together.
        kind: create, revise, hold, link, unlink, judged, place, summary, session, extracted, put off, ended,
            vectors, dropped vectors, moved, compacted; of a dry run also refused.
        other_id: The far end of a link or a judged pair.
        before, after: Numbers of the item's revisions; None where it has none of its own.
        details: What else it takes to tell of it and to take it back; never the text of an item.
        undone_by: The run that took it back.
        lines: The change as lines of a diff (`- old`, `+ new`), where the texts are at hand.
    """

    number: int
    step: int
    kind: str
    item_id: str | None = None
    other_id: str | None = None
    entity_id: str | None = None
    before: int | None = None
    after: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    undone_by: str | None = None
    lines: tuple[str, ...] = field(default=(), compare=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON; what is unknown is left out."""
        return {name: value for name, value in as_written(self).items() if value not in (None, {}, [])}


@dataclass(frozen=True, slots=True)
class LeftAlone(Written):
    """A step that was not applied, and why: what it was made from had changed, or the policy refused its text.

    Attributes:
        item_ids: The items that it would have touched, as far as they exist.
    """

    item_ids: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Written):
    """One execution of a job.

    Attributes:
        job: Its name; `maintain` of one that only holds the runs of several jobs; `undo` of an undo.
        trigger: What started it: hand, schedule, threshold, session …
        scope: Path of the scope it worked in, or `ALL`.
        counts: What it did, by kind; what is 0 is left out.
        changes: In the order in which they were applied; empty where the run was read without them.
        left_alone: Steps that were not applied, the first hundred.
        degradations: What it had to do without.
        error: Why it failed; None if it did not.
        dry_run: Nothing was applied: these are the changes that it would make.
        lease_until: Up to when its process holds the job, while it runs.
        parent: The run of `maintain` that it is a part of.
        undoes: The run that it takes back.
        parts: The runs of a `maintain`, in their order. Its changes are theirs, numbered through.
    """

    id: str
    job: str
    trigger: str
    scope: str
    status: RunStatus = RunStatus.RUNNING
    started_at: int
    ended_at: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)
    changes: tuple[RunChange, ...] = ()
    left_alone: tuple[LeftAlone, ...] = ()
    degradations: tuple[str, ...] = ()
    error: str | None = None
    dry_run: bool = False
    lease_until: int | None = field(default=None, metadata=INNER)
    parent: str | None = None
    undoes: str | None = None
    parts: tuple[Run, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON with ISO times; its parts have no changes of their own, which are all in the whole."""
        parts = [
            {name: value for name, value in part.to_dict().items() if name != "changes"}
            for part in self.parts
        ]
        return as_written(self) | {"counts": in_order(self.counts), "parts": parts}


def in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts in the order in which they are told, without those that are 0."""
    names = (*COUNTED, *sorted(set(counts) - set(COUNTED)))
    return {name: counts[name] for name in names if counts.get(name)}


def numbered_through(parts: tuple[Run, ...]) -> tuple[RunChange, ...]:
    """The changes of the runs of a `maintain` as those of one run."""
    changes: list[RunChange] = []
    steps = 0
    for part in parts:
        number = len(changes)
        changes += [
            replace(change, number=change.number + number, step=change.step + steps)
            for change in part.changes
        ]
        steps = changes[-1].step if changes else 0
    return tuple(changes)


def together(parent: Run, parts: tuple[Run, ...]) -> Run:
    """The run of a `maintain` once its parts have ended: their counts summed, failed if one of them failed."""
    counts: dict[str, int] = {}
    for part in parts:
        for name, count in part.counts.items():
            counts[name] = counts.get(name, 0) + count
    errors = [f"{part.job}: {part.error}" for part in parts if part.error is not None]
    return replace(
        parent,
        parts=parts,
        counts=counts,
        changes=numbered_through(parts),
        left_alone=tuple(left for part in parts for left in part.left_alone),
        status=RunStatus.FAILED if errors else RunStatus.DONE,
        error="; ".join(errors) or None,
        degradations=tuple(dict.fromkeys(text for part in parts for text in part.degradations)),
    )
