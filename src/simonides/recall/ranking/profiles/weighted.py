"""The profile `weighted`: tags, meaning and where it comes from, in a fixed mixture."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from simonides.domain.taxonomy import Taxonomy
from simonides.recall.bounds import require
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking.match import relevance
from simonides.recall.ranking.profiles.support import Support
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Weighted:
    """score = tag · Jaccard + vector · max(0, cosine) + provenance · support.

    The words of a text do not count: what matches by them alone ranks by its provenance.

    Attributes:
        tag: Weight of the tags that question and item share, in [0, 1].
        vector: Weight of the cosine, in [0, 1].
        provenance: Weight of the support that source and validation give, in [0, 1].
    """

    tag: float = 0.3
    vector: float = 0.5
    provenance: float = 0.2
    support: Support = field(default_factory=Support)

    def __post_init__(self) -> None:
        require("recall.profiles.weighted", self, "tag", "vector", "provenance", most=1)

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:  # noqa: ARG002 - types do not count here
        """Scores in [0, tag + vector + provenance]; nothing is dropped."""
        parts = {
            "tag": self.tag * candidates.tag,
            "vec": self.vector * np.maximum(0.0, candidates.cosine),
            "provenance": self.provenance * self.support.of(candidates.sketches),
        }
        return candidates.scored(parts, relevance(candidates.coverage, candidates.cosine))
