"""Ranking: relevance from the channels, a bounded prior from what is known about an item. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simonides.domain.instant import days_between
from simonides.domain.item import Item, Validation
from simonides.domain.retention import effective_confidence
from simonides.domain.taxonomy import Taxonomy

_VALIDATION: Final = {
    Validation.VERIFIED: 1.0,
    Validation.UNVERIFIED: 0.5,
    Validation.CONTESTED: 0.2,
    Validation.RETRACTED: 0.0,
}


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the balanced profile: chosen on development data, recorded in docs/decisions/.

    Attributes:
        lexical, vector, coverage: Shares of the relevance; they add up to 1.
        speaker: Added where the question names who spoke.
        long_answer: Share that a long turn of an assistant loses: what the user said says more.
        prior_span: The prior lies in [1 − span, 1 + span].
    """

    lexical: float = 0.49
    vector: float = 0.15
    coverage: float = 0.36
    speaker: float = 0.17
    long_answer: float = 0.62
    prior_span: float = 0.1


def prior(item: Item, now: int, taxonomy: Taxonomy, span: float) -> tuple[float, Mapping[str, float]]:
    """How much speaks for an item whatever the question, in [1 − span, 1 + span], with its parts in [0, 1].

    It reorders near-ties; a clearly better match is never buried by it.
    """
    idle = days_between(item.last_used_at or item.created_at, now)
    parts = {
        "retention": taxonomy[item.type].retention.after(idle),
        "confidence": effective_confidence(item.confidence, item.decay_rate, idle),
        "reinforcement": 1 / (1 + math.exp(-0.4 * max(-5.0, min(5.0, item.reinforcement)))),
        "validation": _VALIDATION[item.validation],
        "importance": item.importance,
    }
    mean = sum(parts.values()) / len(parts)
    return 1 - span + 2 * span * mean, parts
