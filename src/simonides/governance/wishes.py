"""Intended fields of a quarantined item: kept beside its verdict, and granted when it is approved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from simonides.domain.item import Item, Validation
from simonides.domain.provenance import Trust
from simonides.domain.taxonomy import Tier

#: Of an item whose wish nobody kept.
_CONFIDENCE: Final = 0.5


def wish_of(item: Item) -> dict[str, Any]:
    """Fields that quarantine takes from an item, as a JSON object; the expiry in microseconds."""
    return {
        "tier": item.tier.value,
        "validation": item.validation.value,
        "injectable": item.injectable,
        "pinned": item.pinned,
        "confidence": item.confidence,
        "expires_at": item.expires_at,
    }


def granted(item: Item, wish: Mapping[str, Any] | None, *, injectable: bool | None, at: int) -> Item:
    """A quarantined item as it was to be; only its status is not touched.

    Args:
        wish: As `wish_of` has it; None for items that were quarantined before wishes were kept.
        injectable: Whether it may be put into a prompt; None for what it was to be, which low trust never is.
        at: An expiry that has passed by then is lifted: whoever approves an item wants it.
    """
    given = wish or {"injectable": True, "confidence": max(item.confidence, _CONFIDENCE)}
    wished = bool(given.get("injectable", True)) and item.trust is not Trust.LOW
    expires_at = given.get("expires_at")
    return replace(
        item,
        tier=Tier(given.get("tier", item.tier)),
        validation=Validation(given.get("validation", item.validation)),
        injectable=wished if injectable is None else injectable,
        pinned=bool(given.get("pinned", item.pinned)),
        confidence=max(float(given.get("confidence", item.confidence)), item.confidence),
        expires_at=None if expires_at is None or expires_at <= at else int(expires_at),
    )
