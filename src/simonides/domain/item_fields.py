"""Fields of an item as callers give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from simonides.domain.instant import Moment
from simonides.domain.provenance import Provenance


class ItemFields(TypedDict, total=False):
    """Fields of an item that may be given when it is added. Times are ISO 8601 or datetimes."""

    type: str
    title: str
    tags: Sequence[str]
    entities: Sequence[str]
    tier: str
    confidence: float
    importance: float
    pinned: bool
    injectable: bool
    decay_rate: float
    event_at: Moment
    valid_from: Moment
    valid_until: Moment
    expires_at: Moment
    session_id: str
    task_id: str
    narrative_id: str
    corpus_id: str
    rule_id: str
    provenance: Mapping[str, Any] | Provenance
    metadata: Mapping[str, Any]
