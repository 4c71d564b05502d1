"""Which items rise to the next tier. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from simonides.domain.item import Item, Status, Validation
from simonides.domain.provenance import Trust
from simonides.domain.taxonomy import Taxonomy, Tier
from simonides.upkeep.derived import PINNED_BY

#: Uses from which an item rises, and from which it leaves the short term.
USED_ENOUGH: Final = 5
USED_AGAIN: Final = 2
_NEXT: Final = {Tier.STM: Tier.MTM, Tier.MTM: Tier.LTM}


def promoted(item: Item, taxonomy: Taxonomy) -> Item | None:
    """The item in the next tier; None if it stays where it is.

    It rises if it was used 5 times (from the short term: twice), if its type does so by itself, or if somebody verified
    or pinned it, and not upkeep alone; by one tier at a time. It needs a source; what is contested, or of low trust,
    waits for somebody to decide. Turns and chunks stay where they are.

    Risen, it does not expire and may be injected; in the long term its confidence does not decay.
    """
    tier = _NEXT.get(item.tier)
    if tier is None or not _may_rise(item, taxonomy) or not _has_earned_it(item, taxonomy):
        return None
    return replace(
        item,
        tier=tier,
        expires_at=None,
        injectable=True,
        decay_rate=0.0 if tier is Tier.LTM else item.decay_rate,
    )


def _may_rise(item: Item, taxonomy: Taxonomy) -> bool:
    return (
        item.status is Status.ACTIVE
        and item.validation not in {Validation.CONTESTED, Validation.RETRACTED}
        and item.trust is not Trust.LOW
        and item.provenance.source_id is not None
        and taxonomy[item.type].merges
    )


def _has_earned_it(item: Item, taxonomy: Taxonomy) -> bool:
    return (
        item.usage_count >= USED_ENOUGH
        or (item.tier is Tier.STM and item.usage_count >= USED_AGAIN)
        or taxonomy[item.type].auto_promote
        or item.validation is Validation.VERIFIED
        or (item.pinned and PINNED_BY not in item.metadata)
    )
