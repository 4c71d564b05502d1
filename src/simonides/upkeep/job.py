"""Jobs: they read, and plan; they never write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Protocol

from simonides.domain.item import Item
from simonides.upkeep.change import Change, Create
from simonides.upkeep.ground import Ground
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Changes that are applied together, in one transaction, or not at all.

    Attributes:
        changes: In the order in which they are applied. An item that is archived before another takes its
            content frees that content; links may name items that the same step creates.
        note: Why, for whoever watches; not stored, so it may quote.
        reads: Items that the step was made from without changing them. If one is another by the time the
            step is applied (changed, purged), the step is left out, as it is for an item that it changes.
        done: Called once the step is durable; not where it was left out, nor in a dry run.
    """

    changes: tuple[Change, ...]
    note: str = ""
    reads: tuple[Item, ...] = ()
    done: Callable[[], None] | None = field(default=None, compare=False)

    def made(self) -> frozenset[str]:
        """Ids of the items that it would create."""
        return frozenset(change.new.item.id for change in self.changes if isinstance(change, Create))

    def touched(self) -> tuple[str, ...]:
        """Ids of the items that it would change, in their order, none twice; new ones are not among them."""
        made = self.made()
        ids = dict.fromkeys(item_id for change in self.changes for item_id in change.touches())
        return tuple(item_id for item_id in ids if item_id not in made)


#: Steps that are committed together: each stands or falls by itself, the next ones are asked for after all of
#: them. For many small steps that do not depend on one another: a commit costs more than they do.
Batch = tuple[Step, ...]


class Job(Protocol):
    """One kind of upkeep.

    A plan reads the store as it stands: a run that was interrupted is gone on with by planning again.
    """

    @property
    def name(self) -> str:
        """Its name in commands, runs and leases, such as decay or expire."""
        ...

    @property
    def about(self) -> str:
        """Description of the job, in a sentence that begins with a verb."""
        ...

    def plan(self, ground: Ground, /) -> Iterator[Step | Batch]:
        """Plan the job's changes, step by step.

        Each step, or batch of steps, is applied before the next is asked for; in a dry run none is. Reads
        are bounded pages (`ground.items`), each in a view of its own: never keep a view open over a `yield`
        or a call of the model. What cannot be done without a provider goes on without, and is told (`ground.degraded`).

        Raises:
            Exception: The run ends as failed; the steps before stay done.
        """
        ...
