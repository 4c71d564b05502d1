"""Rise of items to the next tier. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from simonides.domain.item import Item, Status, Validation
from simonides.domain.provenance import Trust
from simonides.domain.records import Revision
from simonides.domain.taxonomy import Taxonomy, Tier

#: Uses from which an item rises, and from which it leaves the short term.
#: The reason of the revision that lifts an item.
PROMOTE: Final = "promote"
USED_ENOUGH: Final = 5
USED_AGAIN: Final = 2
_NEXT: Final = {Tier.STM: Tier.MTM, Tier.MTM: Tier.LTM}


def promoted(item: Item, taxonomy: Taxonomy) -> Item | None:
    """The item in the next tier; None if it stays where it is.

    It rises if it was used 5 times (from the short term: twice), if its type does so by itself, or if somebody verified
    or pinned it, and not upkeep alone; by one tier at a time. It needs a source; what is contested, or of low trust,
    waits for somebody to decide. Turns and chunks stay where they are.

    When it expires, and whether it may be injected, stays as somebody said; in the long term its confidence does not
    decay.
    """
    tier = _NEXT.get(item.tier)
    if tier is None or not _may_rise(item, taxonomy) or not _has_earned_it(item, taxonomy):
        return None
    return replace(
        item,
        tier=tier,
        decay_rate=0.0 if tier is Tier.LTM else item.decay_rate,
    )


def has_earned_it_anew(item: Item, revisions: Sequence[Revision]) -> bool:
    """True if anything has spoken for an item since it last rose, or a run made it above the short term.

    That is a use, or a person who verified or pinned it: the same evidence never lifts twice.

    Args:
        revisions: Of the item, oldest first; none of one that a run is about to make.
    """
    if item.tier is Tier.STM:
        return True
    risen = [place for place, revision in enumerate(revisions) if revision.reason == PROMOTE]
    if risen:
        since = revisions[risen[-1]]
    elif revisions and revisions[0].run_id is None:
        return True  # Somebody put it there.
    else:
        since = None
    at = item.created_at if since is None else since.at
    if item.last_used_at is not None and item.last_used_at > at:
        return True
    later = revisions[risen[-1] :] if risen else revisions
    return any(
        (now.item.validation is Validation.VERIFIED and before.item.validation is not Validation.VERIFIED)
        or (now.item.pinned_by_somebody and not before.item.pinned)
        for before, now in pairwise(later)
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
        or item.settled
    )
