"""The prior of a ranking: what an item is worth whatever is asked. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from simonides.domain.instant import DAY_US
from simonides.domain.item import Validation
from simonides.domain.retention import DECAY_POWER
from simonides.domain.taxonomy import Taxonomy
from simonides.ports.store import Sketch
from simonides.recall.candidates import Floats

_MOST_DECAY: Final = 1e300
_VALIDATION: Final = {
    Validation.VERIFIED.value: 1.0,
    Validation.UNVERIFIED.value: 0.5,
    Validation.CONTESTED.value: 0.2,
    Validation.RETRACTED.value: 0.0,
}


def priors(sketches: Sequence[Sketch], now: int, taxonomy: Taxonomy) -> Floats:
    """The worth of each item whatever the question, in [0, 1].

    The mean of retention, effective confidence, reinforcement, validation and importance.
    """
    if not sketches:
        return np.empty(0)
    of_type = {type_: taxonomy[type_].retention for type_ in {sketch.type for sketch in sketches}}
    curves = {type_: (curve.floor, curve.rate, curve.power) for type_, curve in of_type.items()}
    floor, rate, power = np.array([curves[sketch.type] for sketch in sketches], np.float64).T
    since = np.array([sketch.last_used_at or sketch.created_at for sketch in sketches], np.float64)
    confidence = np.array([sketch.confidence for sketch in sketches], np.float64)
    decay = np.array([sketch.decay_rate for sketch in sketches], np.float64)
    reinforcement = np.array([sketch.reinforcement for sketch in sketches], np.float64)
    validation = np.array([_VALIDATION[sketch.validation] for sketch in sketches])
    importance = np.array([sketch.importance for sketch in sketches], np.float64)
    days = np.maximum(0.0, (now - since) / DAY_US)
    retention = floor + (1 - floor) * np.exp(-rate * days**power)
    # With a greater rate nothing is left after an instant; the product would leave what a float holds.
    effective = confidence * np.exp(-np.minimum(decay, _MOST_DECAY) * days**DECAY_POWER)
    reinforced = 1 / (1 + np.exp(-0.4 * np.clip(reinforcement, -5, 5)))
    return (retention + effective + reinforced + validation + importance) / 5
