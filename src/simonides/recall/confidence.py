"""Whether anything answers: a likelihood from how well the best candidates match by themselves. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from simonides.recall.features import Scene
from simonides.recall.pool import Pool

#: Best candidates of the first look that count together.
_BEST: Final = 5
#: From this trust in the embedder on, its cosines count.
TRUSTED: Final = 0.5
#: Coverage from which a text holds every word of a question, and how likely an answer is then at least. It
#: is for questions of a word or two, on which nothing was fitted: of 1,343 development questions that nothing
#: answers it lets one through.
_EVERY_WORD: Final = 0.99
_HELD_IN_FULL: Final = 0.5

#: Log-odds by what there is to go by, fitted by `benchmarks/train.py`: questions of a conversation against
#: questions of others. `words`: the embedder knows the script. `pairs`: CJK, where pairs of characters are
#: compared and the embedder knows nothing. `bare`: words without vectors. The bases are set so that one bound
#: turns away as many answerable questions of each.
WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        "words": {"base": -9.57, "coverage": 3.11, "cosine": 7.74, "linear": 1.45, "linear_best": 1.49},
        "pairs": {"base": -5.36, "coverage": 19.68, "linear": 2.47},
        "bare": {"base": -3.45, "coverage": 6.97},
    }
)


def evidence(pool: Pool, scene: Scene) -> dict[str, float]:
    """What speaks for an answer being there; none of it depends on how candidates are ranked."""
    best = np.sort(scene.linear)[::-1][:_BEST]
    return {
        "coverage": float(pool.coverage.max(initial=0.0)),
        "cosine": float(pool.cosine.max(initial=0.0)),
        "linear": float(best[0]) if len(best) else 0.0,
        "linear_best": float(best.mean()) if len(best) else 0.0,
    }


def confidence(pool: Pool, scene: Scene, *, trust: float, unspaced: bool, topical: bool = True) -> float:
    """The likelihood that one of the candidates answers, in [0, 1]; 0 where there are none.

    Where one text holds every word of a question that is about something, it is a half at least.

    Args:
        trust: How far the embedder knows the question's script, in [0, 1]; 0 without vectors.
        unspaced: Whether the question is mostly of a script without spaces.
        topical: Whether the question has any word that carries a topic.
    """
    if not len(pool):
        return 0.0
    weights = WEIGHTS["words" if trust >= TRUSTED else "pairs" if unspaced else "bare"]
    found = evidence(pool, scene)
    odds = weights["base"] + sum(weight * found[name] for name, weight in weights.items() if name != "base")
    likely = 1 / (1 + math.exp(-odds))
    return max(likely, _HELD_IN_FULL) if topical and found["coverage"] >= _EVERY_WORD else likely
