"""The first look at every candidate: a linear score of what each says by itself and what its surroundings add. Pure."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Final

import numpy as np

from simonides.errors import InvalidSettings
from simonides.recall.candidates import CandidateTable, Indices
from simonides.recall.ranking.confidence import asked_in_vain, likelihood
from simonides.recall.ranking.succession import tells_what_is_asked
from simonides.recall.ranking.texts import measured
from simonides.values import dataclass

#: Best candidates of the first look that are weighed up, and best ones of each channel that it does not see.
SHORTLIST: Final = 64
_ASIDE: Final = 8
#: The nearest by a closer reading, likewise.
_CLOSEST: Final = 32
#: How likely an answer is at least where it is told by a change, in words that the question has none of.
TOLD_ALONE: Final = 0.5


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


def first_look(candidates: CandidateTable) -> CandidateTable:
    """The candidates with the columns of their texts, the linear score, and how likely it is that any answers."""
    gathered, candidates = candidates, weighed(measured(candidates))
    vain = asked_in_vain(candidates)
    judged = weighed(measured(gathered.only(~vain))) if vain.any() else candidates
    sure = likelihood(judged)
    if sure < TOLD_ALONE and tells_what_is_asked(judged):
        sure = TOLD_ALONE
    return candidates.having(vain=vain, confidence=sure)


def weighed(candidates: CandidateTable, weights: Weights = FIRST_LOOK) -> CandidateTable:
    """The candidates with a linear score.

    alone = (lex + v·cosine + c·coverage + s·speaker) · (1 − l·[long answer]), lex being BM25 / the best BM25;
    linear = alone + g·(b·alone[before] + …) + g·w·session, where g = 1 / (1 + words/terse_words)
    lets short turns take much from their surroundings and long ones little.
    """
    lexical = candidates.bm25 / (float(np.maximum.reduce(candidates.bm25, initial=0.0)) or 1.0)
    alone = (
        lexical
        + weights.vector * candidates.cosine
        + weights.coverage * candidates.coverage
        + weights.speaker * candidates.speaker
    ) * (1 - weights.long_answer * candidates.answer * (candidates.words > weights.long_words))
    openness = 1 / (1 + candidates.words / weights.terse_words)
    linear = alone
    if candidates.neighbours:
        padded = np.append(alone, 0.0)
        before, after, earlier, later = (padded[candidates.neighbours[step]] for step in (-1, 1, -2, 2))
        linear = alone + openness * (
            weights.before * before + weights.after * after + weights.further * (earlier + later)
        )
    session = openness * weights.session * candidates.session
    return candidates.having(lexical=lexical, alone=alone, linear=linear + session)


def shortlist(candidates: CandidateTable, size: int) -> Indices:
    """Rows of the best candidates by the first look, and the best of each channel that it does not see."""
    linear = candidates.linear
    chosen = [candidates.order(linear)[:size]]
    for column in (candidates.window, candidates.activation, candidates.entity, candidates.changing):
        if (column > 0).any():
            ranked = candidates.order(column + linear / (1 + float(np.maximum.reduce(linear, initial=0.0))))
            chosen.append(ranked[column[ranked] > 0][:_ASIDE])
    if len(candidates.closeness):
        chosen.append(candidates.order(candidates.closeness)[:_CLOSEST])
    rows: set[int] = {*np.concatenate(chosen).tolist()}
    return np.array(sorted(rows), np.intp)
