"""The likelihood that anything answers, from how well the best candidates match by themselves. Pure."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking.model import bundled

#: Best candidates of the first look that count together.
_BEST: Final = 5
#: From this trust in the embedder on, its cosines count.
TRUSTED: Final = 0.5
#: Coverage from which a text holds every word of a question, and how likely an answer is then at least. It
#: is for questions of a word or two, on which nothing was fitted: of 1,343 development questions that nothing
#: answers it lets one through.
_EVERY_WORD: Final = 0.99
_HELD_IN_FULL: Final = 0.5
#: How likely an answer is at least where a question asks for a time and nothing else, and something is of it.
TIME_ALONE: Final = 0.5


def evidence(candidates: CandidateTable) -> dict[str, float]:
    """The figures that speak for an answer being there; none of it depends on how candidates are ranked."""
    best = np.sort(candidates.linear)[::-1][:_BEST]
    return {
        "coverage": float(candidates.coverage.max(initial=0.0)),
        "cosine": float(candidates.cosine.max(initial=0.0)),
        "linear": float(best[0]) if len(best) else 0.0,
        "linear_best": float(best.mean()) if len(best) else 0.0,
    }


def likelihood(candidates: CandidateTable) -> float:
    """The likelihood that one of the candidates answers, in [0, 1]; 0 where there are none.

    It is a half at least where one text holds every word of a question that is about something, and where a question
    asks for a time and nothing else, and something is of it.
    """
    if not len(candidates):
        return 0.0
    query, analysis = candidates.query, candidates.query.analysis
    weights = bundled().confidence[
        "words" if query.trust >= TRUSTED else "pairs" if query.unspaced else "bare"
    ]
    found = evidence(candidates)
    odds = weights["base"] + sum(weight * found[name] for name, weight in weights.items() if name != "base")
    likely = 1 / (1 + math.exp(-odds))
    if found["coverage"] >= _EVERY_WORD and query.topical:
        likely = max(likely, _HELD_IN_FULL)
    timed = analysis.window is not None or analysis.last_session
    if timed and not analysis.content_terms and candidates.window.any():
        likely = max(likely, TIME_ALONE)
    return likely
