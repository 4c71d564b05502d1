"""The profile `weighted`: tags, meaning and where it comes from, in a fixed mixture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import cjk_runs
from simonides.ports.store import Sketch
from simonides.recall.pool import Pool, Ranking
from simonides.recall.profiles.bounds import require
from simonides.recall.signals import relevance
from simonides.recall.support import Support
from simonides.recall.terms import STOP_WORDS, terms

#: A shorter word of a question is no tag.
_MIN_LETTERS: Final = 3


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


def question_tags(question: str, given: Iterable[str] = ()) -> frozenset[str]:
    """The tags that a question looks for, case folded: those given, else its words.

    Words are those of at least three letters that are no stop words; of CJK text, whose words nothing
    separates, pairs of characters.
    """
    if tags := frozenset(tag.strip().casefold() for tag in given if tag.strip()):
        return tags
    return frozenset(
        term.casefold()
        for term in terms(question)
        if (len(term) >= _MIN_LETTERS and term.casefold() not in STOP_WORDS) or cjk_runs(term)
    )


def tag_overlap(wanted: frozenset[str], sketches: Sequence[Sketch]) -> NDArray[np.float64]:
    """Jaccard index of the wanted tags and each item's, without case; shape (n,), in [0, 1].

    0 where there are no tags on either side.
    """

    def jaccard(lines: str) -> float:
        tags = frozenset(tag for tag in lines.casefold().split("\n") if tag)
        return len(wanted & tags) / len(wanted | tags) if wanted & tags else 0.0

    return np.array([jaccard(sketch.tags) for sketch in sketches], np.float64)
