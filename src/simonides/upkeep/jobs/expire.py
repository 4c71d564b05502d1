"""Expiry: what has outlived its time goes to the archive, what waited too long for a decision too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from simonides.domain.item import Status
from simonides.domain.selection import ItemOrder
from simonides.upkeep.change import Revise
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step

_STANDING: Final = frozenset({Status.ACTIVE, Status.QUARANTINED})


class Expire:
    """Archives items whose `expires_at` has passed.

    They are out of every read from that instant on; this only puts them where they are not looked through.
    """

    name = "expire"
    about = "Archive what has expired."

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        over = ground.selection(live_at=None, statuses=_STANDING, expired_at=ground.now())
        for page in ground.pages(over, ItemOrder.EXPIRY, what="expired items"):
            yield tuple(
                Step((Revise(item, replace(item, status=Status.ARCHIVED), reason="expire"),))
                for item in page.values()
            )
