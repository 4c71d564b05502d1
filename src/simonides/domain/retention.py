"""Gain and loss of a memory's weight with time and use. Pure arithmetic."""

from __future__ import annotations

import math
from typing import Final

from simonides.errors import InvalidInput
from simonides.values import dataclass

#: Exponent of the days in the decay of confidence.
DECAY_POWER: Final = 0.8
#: Below this effective confidence the decay job archives an unprotected item.
FADED_BELOW: Final = 0.05


@dataclass(frozen=True, slots=True)
class Retention:
    """A forgetting curve: floor + (1 − floor) · exp(−rate · days^power).

    Attributes:
        floor: What always remains, in [0, 1].
        rate: Per day, >= 0.
        power: Of the days, > 0.
    """

    floor: float
    rate: float
    power: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.floor <= 1 and self.rate >= 0 and self.power > 0):
            raise InvalidInput("a retention needs floor in [0, 1], rate >= 0 and power > 0")

    def after(self, days: float) -> float:
        """Share of its weight that a memory keeps `days` after its last use, in [floor, 1]."""
        return self.floor + (1 - self.floor) * math.exp(-self.rate * max(0.0, days) ** self.power)


PERMANENT: Final = Retention(1.0, 0.0)
STEADY: Final = Retention(0.3, 0.004)
DAILY: Final = Retention(0.1, 0.023)
FADING: Final = Retention(0.0, 0.099)
#: How a `co_recalled` link fades: like most items, whose ends it joins.
CO_RECALL: Final = STEADY
#: What a vote for an item, and one against it, adds to its use.
REINFORCED_BY: Final = 3.0
DEMOTED_BY: Final = -1.0


def effective_confidence(base: float, decay_rate: float, days: float) -> float:
    """Confidence that is left `days` after the last use: base · exp(−decay_rate · days^0.8), in [0, base].

    Always computed from the base, never from an already decayed value.
    """
    return base * math.exp(-decay_rate * max(0.0, days) ** DECAY_POWER)


def strength_left(strength: float, days: float) -> float:
    """Strength left to a `co_recalled` link `days` after its items were last used together.

    strength · retention(days), in [0.3 · strength, strength]; what a link holds is its strength as of
    that last time (`valid_from`), so that reading it never makes it fade.
    """
    return strength * CO_RECALL.after(days)


def strengthened(strength: float, days: float) -> float:
    """Strength of a `co_recalled` link whose items are used together again after `days`: what is left, and 1."""
    return strength_left(strength, days) + 1


def confidence_after_use(confidence: float, usage_count: int) -> float:
    """Confidence once the `usage_count`-th use is counted: min(1, confidence + 0.05 · ln(1 + count/20))."""
    return min(1.0, confidence + 0.05 * math.log1p(usage_count / 20))


def reinforcement_factor(reinforcement: float) -> float:
    """exp(0.2 · reinforcement): 3 → 1.822, −1 → 0.819, −5 → 0.368."""
    return math.exp(0.2 * reinforcement)


def recency(days: float) -> float:
    """Recency of a memory `days` after it was last hit or used, else made: 1 / (1 + 0.01 · days), in (0, 1]."""
    return 1.0 / (1.0 + 0.01 * max(0.0, days))


def faintness(reinforcement: float, days: float) -> float:
    """Order of pruning by size, the lowest first: exp(0.2 · reinforcement) · recency."""
    # Beyond this the exponential overflows, and nothing stands out any more.
    return reinforcement_factor(max(-500.0, min(500.0, reinforcement))) * recency(days)
