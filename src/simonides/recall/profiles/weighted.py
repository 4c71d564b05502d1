"""The profile `weighted`: tags, meaning and where it comes from, in a fixed mixture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simonides.domain.taxonomy import Taxonomy
from simonides.recall.pool import Pool, Ranking
from simonides.recall.profiles.bounds import require
from simonides.recall.signals import relevance
from simonides.recall.support import Support


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
        require("weighted", self, "tag", "vector", "provenance", most=1)

    def rank(self, pool: Pool, taxonomy: Taxonomy) -> Ranking:  # noqa: ARG002 - types do not count here
        """Scores in [0, tag + vector + provenance]; nothing is dropped."""
        parts = {
            "tag": self.tag * pool.tag,
            "vec": self.vector * np.maximum(0.0, pool.cosine),
            "provenance": self.provenance * self.support.of(pool.sketches),
        }
        return Ranking(
            score=sum(parts.values(), np.zeros(len(pool))),
            relevance=relevance(pool.coverage, pool.cosine),
            parts=parts,
            factor=np.ones(len(pool)),
            dropped=np.zeros(len(pool), np.bool_),
        )
