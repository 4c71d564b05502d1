"""The profile `rrf`: the rankings of text, vectors and graph, joined by rank alone."""

from __future__ import annotations

import numpy as np

from simonides.domain.taxonomy import Taxonomy
from simonides.recall.bounds import require
from simonides.recall.candidates import CandidateTable, Floats
from simonides.recall.ranking.match import relevance
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Rrf:
    """score = text / (k + rank by text) + vectors / (k + rank by vectors) + graph / (k + rank by graph).

    Ranks count from 1, each its own, of equal ones the newest first. A candidate that a channel did not see
    gets nothing from it: absence is no penalty.

    Attributes:
        k: Damping, >= 1; larger makes the first ranks differ less.
        text, vectors, graph: Weights of the rankings by BM25, cosine and activation, >= 0.
        least: Candidates below this share of the best score are dropped, in [0, 1].

    Source:
        Cormack, Clarke and Büttcher, SIGIR 2009.
    """

    k: float = 60.0
    text: float = 1.0
    vectors: float = 1.0
    graph: float = 1.0
    least: float = 0.4

    def __post_init__(self) -> None:
        require("recall.profiles.rrf", self, "k", least=1)
        require("recall.profiles.rrf", self, "text", "vectors", "graph")
        require("recall.profiles.rrf", self, "least", most=1)

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:  # noqa: ARG002 - types do not count here
        """Scores in [0, (text + vectors + graph) / (k + 1)]."""
        parts = {
            "text": self.text * self._reciprocal(candidates, candidates.bm25),
            "vectors": self.vectors * self._reciprocal(candidates, candidates.cosine),
            "graph": self.graph * self._reciprocal(candidates, candidates.activation),
        }
        found = candidates.scored(parts, relevance(candidates.coverage, candidates.cosine))
        # Sums of the same ranks may differ in their last bits: what stands at the bound stays.
        bound = self.least * found.score.max(initial=0.0) * (1 - 1e-9)
        return found.having(dropped=(found.score <= 0) | (found.score < bound))

    def _reciprocal(self, candidates: CandidateTable, values: Floats) -> Floats:
        """1 / (k + rank) by a channel's values; 0 where these are 0."""
        rows = candidates.order(values)
        ranked = rows[values[rows] > 0]
        found = np.zeros(len(candidates))
        found[ranked] = 1 / (self.k + np.arange(1, len(ranked) + 1))
        return found
