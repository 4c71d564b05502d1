"""Decay: what has faded goes to the archive, and what was only for the moment is cleared away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from simonides.domain.instant import days_between
from simonides.domain.item import Item, Status
from simonides.domain.retention import FADED_BELOW, effective_confidence
from simonides.domain.selection import Weakness
from simonides.upkeep.change import Revise
from simonides.upkeep.ground import PAGE, Ground
from simonides.upkeep.job import Batch, Step

#: What is only for the moment (temp, debug) goes when what is kept of its importance is no more than this.
CLEARED_AT: Final = 0.001


class Decay:
    """Archives what has faded.

    Confidence is never written down lower: what is left of it is computed from what it was, the rate, and the
    days since the last use, each time anew. So a night that is missed, or a job that runs twice, changes nothing.
    Left alone is what is protected: rate 0 (episodes and chunks, identities, configuration, credentials,
    constraints, decisions), long-term, pinned or verified.
    """

    name = "decay"
    about = "Archive what has faded, and clear away what was for the moment."

    def plan(self, ground: Ground) -> Iterator[Batch]:
        yield from self._faded(ground)
        yield from self._cleared(ground)

    def _faded(self, ground: Ground) -> Iterator[Batch]:
        faded = ground.selection(unprotected=True, weak=Weakness(ground.now(), FADED_BELOW))
        for page in ground.pages(faded, what="faded items"):
            yield tuple(_archived(item) for item in page.values())

    def _cleared(self, ground: Ground) -> Iterator[Batch]:
        at, specs = ground.now(), ground.taxonomy.specs
        # Of every other type something remains for good.
        passing = frozenset(name for name, spec in specs.items() if spec.retention.floor == 0)
        if not passing:
            return
        steps: list[Step] = []
        for item in ground.items(ground.selection(types=passing)):
            kept = specs[item.type].retention.after(idle_days(item, at))
            # What has faded as well was archived a moment ago; in a dry run it still stands.
            if not item.protected and kept * item.importance <= CLEARED_AT and not _has_faded(item, at):
                steps.append(_archived(item))
            if len(steps) == PAGE:
                yield tuple(steps)
                steps = []
        yield tuple(steps)


def idle_days(item: Item, at: int) -> float:
    """Days since an item was last used, else since it was made."""
    return days_between(item.last_used_at or item.created_at, at)


def _has_faded(item: Item, at: int) -> bool:
    return effective_confidence(item.confidence, item.decay_rate, idle_days(item, at)) < FADED_BELOW


def _archived(item: Item) -> Step:
    return Step((Revise(item, replace(item, status=Status.ARCHIVED), reason="decay"),))
