"""The profile `hebbian`: what proved useful, and lately, comes first."""

from __future__ import annotations

from typing import Final

import numpy as np

from simonides.domain.instant import DAY_US
from simonides.domain.taxonomy import Taxonomy
from simonides.recall.bounds import require
from simonides.recall.candidates import CandidateTable
from simonides.values import dataclass

#: Candidates are fetched as so many times the hits that are wanted, since what was reinforced may rise from below.
FETCH: Final = 3


@dataclass(frozen=True, slots=True)
class Hebbian:
    """score = bm25 · exp(strength · r) / (1 + fading · d), d days since the last hit, else since creation.

    r is the reinforcement, held to [−most, most], so that no item can outrank every match for good. A
    use is no hit: being found does not make an item rise.

    Attributes:
        strength: How much reinforcement counts, in [0, 1].
        fading: How fast a hit is forgotten, per day, >= 0.
        most: Reinforcement beyond it counts no more, either way; in [0, 20].
    """

    strength: float = 0.2
    fading: float = 0.01
    most: float = 5.0

    def __post_init__(self) -> None:
        # e^20 is half a billion: no match can make up for that.
        require("recall.profiles.hebbian", self, "strength", most=1)
        require("recall.profiles.hebbian", self, "most", most=20)
        require("recall.profiles.hebbian", self, "fading")

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:  # noqa: ARG002 - types do not count here
        """Scores >= 0 on the scale of BM25; what the text channel did not see is dropped."""
        reinforcement = np.array([sketch.reinforcement for sketch in candidates.sketches], np.float64)
        since = np.array(
            [
                sketch.created_at if sketch.last_hit_at is None else sketch.last_hit_at
                for sketch in candidates.sketches
            ],
            np.float64,
        )
        days = np.maximum(0.0, (candidates.query.now - since) / DAY_US)
        factor = np.exp(self.strength * np.clip(reinforcement, -self.most, self.most)) / (
            1 + self.fading * days
        )
        found = candidates.scored({"text": candidates.bm25}, candidates.coverage, factor)
        return found.having(dropped=candidates.bm25 <= 0)
