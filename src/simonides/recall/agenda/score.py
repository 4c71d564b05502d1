"""Worth of an explanation. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from simonides.domain.item import Validation
from simonides.domain.provenance import SourceKind
from simonides.ports.store import Sketch
from simonides.recall.agenda.node import PRECISION, AgendaNode, Goal, ScoreParts, Subgoal, SubgoalKind
from simonides.recall.agenda.settings import ScoreWeights

_VALIDATION: Final = {
    Validation.VERIFIED.value: 1.0,
    Validation.UNVERIFIED.value: 0.3,
    Validation.CONTESTED.value: 0.1,
    Validation.RETRACTED.value: 0.0,
}
_DOUBTFUL: Final = frozenset({Validation.CONTESTED.value, Validation.RETRACTED.value})
#: Worth of a source by its kind, in [0.2, 1]: one with a content hash can be checked.
_WITH_HASH: Final[Mapping[str, float]] = {
    SourceKind.DOC: 1.0, SourceKind.TOOL: 0.8, SourceKind.MIXED: 0.6, SourceKind.CHAT: 0.5,
}  # fmt: skip
_WITHOUT_HASH: Final[Mapping[str, float]] = {
    SourceKind.DOC: 0.7, SourceKind.TOOL: 0.5, SourceKind.MIXED: 0.4, SourceKind.CHAT: 0.2,
}  # fmt: skip
_COVERABLE: Final = frozenset({SubgoalKind.ENTITY, SubgoalKind.TERM})


def provenance_worth(sketch: Sketch, *, confirmed: bool = False) -> float:
    """Support that an item has by its source and standing, in [0.12, 1]: 0.6 · source + 0.4 · validation.

    Validation is 1 for a verified or just confirmed item, 0.3 for an unverified, 0.1 for a contested, 0 for a
    retracted one.
    """
    source = (_WITH_HASH if sketch.hashed else _WITHOUT_HASH)[sketch.source_kind]
    return 0.6 * source + 0.4 * (1.0 if confirmed else _VALIDATION[sketch.validation])


def doubtful(sketch: Sketch) -> bool:
    """True if an item is contested or retracted."""
    return sketch.validation in _DOUBTFUL


class Scorer:
    """Says what an explanation is worth.

    To rank explanations in another way, override `score`; the search asks nothing else. It is called
    some hundred times in a run and has to be pure.
    """

    def __init__(self, weights: ScoreWeights | None = None) -> None:
        self.weights = weights or ScoreWeights()

    def score(self, node: AgendaNode) -> ScoreParts:
        """S = 0.35·R + 0.20·P + 0.25·C − 0.10·D − 0.10·X, clamped to [0, 1] and rounded to 6 digits.

        An explanation without support is worth nothing.
        """
        if not node.support:
            return ScoreParts()
        relevance = _mean([piece.relevance for piece in node.support])
        provenance = _mean(
            [provenance_worth(p.sketch, confirmed=p.key in node.confirmed) for p in node.support]
        )
        doubt = _mean([float(doubtful(piece.sketch)) for piece in node.support])
        coverage = covered_share(node.goal, node.open)
        weights = self.weights
        score = (
            weights.relevance * relevance
            + weights.provenance * provenance
            + weights.coverage * coverage
            - weights.redundancy * node.similarity
            - weights.doubt * doubt
        )
        return ScoreParts(
            relevance=round(relevance, PRECISION),
            provenance=round(provenance, PRECISION),
            coverage=round(coverage, PRECISION),
            redundancy=round(node.similarity, PRECISION),
            doubt=round(doubt, PRECISION),
            score=round(min(1.0, max(0.0, score)), PRECISION),
        )


def covered_share(goal: Goal, left: Sequence[Subgoal]) -> float:
    """Share of the question's entities and terms, by weight, that is not left open; 1 where it has none."""
    total = math.fsum(want.weight for want in goal.wants)
    missing = math.fsum(subgoal.weight for subgoal in left if subgoal.kind in _COVERABLE)
    return max(0.0, 1 - missing / total) if total else 1.0


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
