"""Ranking: what each candidate says by itself, what its surroundings add, and a bounded prior. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import DAY_US
from simonides.domain.item import Validation
from simonides.domain.retention import DECAY_POWER
from simonides.domain.taxonomy import Taxonomy
from simonides.errors import InvalidSettings
from simonides.ports.store import Sketch

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
#: Rows of the turns before, after, two before and two after; -1 for none.
Neighbours = tuple[Indices, Indices, Indices, Indices]

_VALIDATION: Final = {
    Validation.VERIFIED.value: 1.0,
    Validation.UNVERIFIED.value: 0.5,
    Validation.CONTESTED.value: 0.2,
    Validation.RETRACTED.value: 0.0,
}


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the balanced profile: chosen on development data, recorded in docs/decisions/.

    Attributes:
        vector, coverage, speaker: Of these signals, against 1 for the lexical one.
        long_answer: Share that an assistant's turn of more than `long_words` words loses: what the user
            said says more.
        before, after, further: What a turn gets of the turn before it, after it, and two away.
        session: Weight of what the whole session holds of the question.
        terse_words: Turns of about so many words get half of what their surroundings give; longer ones
            say enough by themselves.
    """

    vector: float = 0.53
    coverage: float = 0.71
    speaker: float = 0.60
    long_answer: float = 0.55
    long_words: float = 70.0
    before: float = 0.29
    after: float = 0.15
    further: float = 0.03
    session: float = 0.48
    terse_words: float = 165.0

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if not 0 <= value < math.inf:
                raise InvalidSettings(f"the first look's {entry.name} must be a number >= 0, got {value}")
        if self.long_answer > 1:
            raise InvalidSettings(f"the first look's long_answer lies in [0, 1], got {self.long_answer}")
        if self.terse_words == 0:
            raise InvalidSettings("the first look's terse_words must be above 0")


#: The first look, as the trees behind it were learned with: other weights would show them another world.
FIRST_LOOK: Final = Weights()


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of a question's candidates, in columns of equal length.

    Attributes:
        bm25: >= 0; 0 where the text channel did not see the candidate.
        cosine: With the question, >= 0.
        coverage: Share of the question's information (IDF) that the text holds, in [0, 1].
        speaker: 1 where the question names who said it.
        words: Length of the text.
        answer: 1 for a turn of an assistant.
        neighbours: Rows of the turns before, after, two before and two after; -1 for none.
        session: Share of the question's information that the candidates of the same session hold together.
    """

    keys: NDArray[np.int64]
    bm25: Floats
    cosine: Floats
    coverage: Floats
    speaker: Floats
    words: Floats
    answer: Floats
    neighbours: Neighbours
    session: Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """The outcome, in the features' order; `score` is `alone` and what surroundings and session add."""

    score: Floats
    lexical: Floats
    alone: Floats


def scores(features: Features, weights: Weights) -> Scores:
    """Score candidates.

    alone = (lex + v·cosine + c·coverage + s·speaker) · (1 − l·[long answer]), lex being BM25 / the best BM25;
    score = alone + g·(b·alone[before] + …) + g·w·session, where g = 1 / (1 + words/terse_words)
    lets short turns take much from their surroundings and long ones little.
    """
    lexical = features.bm25 / (features.bm25.max(initial=0.0) or 1.0)
    alone = (
        lexical
        + weights.vector * features.cosine
        + weights.coverage * features.coverage
        + weights.speaker * features.speaker
    ) * (1 - weights.long_answer * features.answer * (features.words > weights.long_words))
    openness = 1 / (1 + features.words / weights.terse_words)
    padded = np.append(alone, 0.0)
    before, after, earlier, later = (padded[rows] for rows in features.neighbours)
    surroundings = openness * (
        weights.before * before + weights.after * after + weights.further * (earlier + later)
    )
    session = openness * weights.session * features.session
    return Scores(
        score=alone + surroundings + session,
        lexical=lexical,
        alone=alone,
    )


def priors(sketches: list[Sketch], now: int, taxonomy: Taxonomy) -> Floats:
    """What speaks for each item whatever the question, in [0, 1].

    The mean of retention, effective confidence, reinforcement, validation and importance.
    """
    if not sketches:
        return np.empty(0)
    columns = np.array(
        [
            (
                sketch.last_used_at or sketch.created_at,
                sketch.confidence,
                sketch.decay_rate,
                sketch.reinforcement,
                _VALIDATION[sketch.validation],
                sketch.importance,
                curve.floor,
                curve.rate,
                curve.power,
            )
            for sketch in sketches
            for curve in (taxonomy[sketch.type].retention,)
        ]
    ).T
    since, confidence, decay, reinforcement, validation, importance, floor, rate, power = columns
    days = np.maximum(0.0, (now - since) / DAY_US)
    retention = floor + (1 - floor) * np.exp(-rate * days**power)
    effective = confidence * np.exp(-decay * days**DECAY_POWER)
    reinforced = 1 / (1 + np.exp(-0.4 * np.clip(reinforcement, -5, 5)))
    return (retention + effective + reinforced + validation + importance) / 5
