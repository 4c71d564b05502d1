"""Applying a step inside a transaction: by id and version, so that what changed meanwhile is left alone."""

from __future__ import annotations

from dataclasses import replace

from simonides.domain.item import Status
from simonides.domain.run import RunChange
from simonides.errors import Conflict, NotFound
from simonides.upkeep.change import AddLink, Stale, Work
from simonides.upkeep.change.item import is_same
from simonides.upkeep.job import Step


def apply(work: Work, step: Step, step_number: int, last_number: int) -> list[RunChange]:
    """Apply a step; what the store is to keep of its changes, numbered behind `last_number`.

    Raises:
        Stale: An item changed or went meanwhile, or its content is taken. The caller takes back
            whatever was written.
    """
    _require_current(work, step)
    done: list[RunChange] = []
    for change in step.changes:
        try:
            row = change.apply(work)
        except (Conflict, NotFound) as error:
            raise Stale(str(error), *step.touched()) from error
        if row is not None:
            number = last_number + len(done) + 1
            done.append(replace(row, number=number, step=step_number, lines=change.lines()))
    return done


def _require_current(work: Work, step: Step) -> None:
    made = step.made()
    states = [item for change in step.changes for item in change.states() if item.id not in made]
    wanted = {
        item.id: item for item in (*step.reads, *reversed(states))
    }  # Of one that changes twice the first.
    touched = step.touched()
    items = work.tx.get([*wanted, *touched])
    for item_id in (*wanted, *touched):
        if item_id not in items:
            raise Stale("an item went meanwhile", item_id)
    for item_id, before in wanted.items():
        if not is_same(before, items[item_id]):
            raise Stale("an item changed meanwhile", item_id)
    for change in step.changes:
        for end in change.touches() if isinstance(change, AddLink) else ():
            if end in items and items[end].status is Status.QUARANTINED:
                raise Stale("an item that would be linked is quarantined", end)
