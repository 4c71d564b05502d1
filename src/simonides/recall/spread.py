"""Activation that flows from what was found over the links of the graph, by what the question asks for. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from simonides.domain.instant import days_between
from simonides.domain.link import Relation
from simonides.domain.retention import strength_left
from simonides.ports.entities import Edge
from simonides.recall.question.intent import Intent

#: What a link lets through from its source to its destination, and back, whatever is asked.
_ALWAYS: Final[Mapping[Relation, tuple[float, float]]] = MappingProxyType(
    {
        Relation.SUPPORTS: (0.4, 0.6),
        Relation.REFINES: (0.5, 0.8),
        Relation.SUPERSEDES: (0.2, 0.9),
        Relation.DEPENDS_ON: (0.5, 0.4),
        Relation.REFERENCES: (0.5, 0.4),
        Relation.DERIVED_FROM: (0.5, 0.6),
        Relation.CONTRADICTS: (0.4, 0.4),
        Relation.CO_RECALLED: (0.5, 0.5),
        Relation.SIMILAR: (0.5, 0.5),
        Relation.CAUSAL: (0.4, 0.4),
        Relation.CONTAINS: (0.3, 0.3),
        Relation.ADJACENT: (0.3, 0.3),
        Relation.EXTRACTED_FROM: (0.5, 0.5),
    }
)
#: A cause is linked to its effect: who asks why wants what stands before the link.
_BY_INTENT: Final[Mapping[Intent, Mapping[Relation, tuple[float, float]]]] = MappingProxyType(
    {
        Intent.WHY: {Relation.CAUSAL: (0.3, 1.0), Relation.SUPPORTS: (0.4, 1.0)},
        Intent.WHEN: {Relation.TEMPORAL: (0.6, 0.6)},
        Intent.WHO: {Relation.DERIVED_FROM: (0.7, 0.7)},
        Intent.WHAT: {Relation.DERIVED_FROM: (0.7, 0.7), Relation.REFINES: (0.6, 1.0)},
        Intent.GENERAL: {},
    }
)
#: A pair recalled together so often is tied half as firmly as one can be.
_HALF_STRENGTH: Final = 2.0


def relations(intent: Intent) -> tuple[Relation, ...]:
    """The relations over which activation flows for an intent."""
    return tuple({**_ALWAYS, **_BY_INTENT[intent]})


def spread(seeds: Mapping[int, float], edges: Sequence[Edge], intent: Intent, at: int) -> dict[int, float]:
    """One pass of activation from seeds to what they are linked to.

    received(d) = max over links s–d of activation(s) · passage(relation, direction) · firmness. The best path
    counts, not their number: items with many links gain nothing by it. The firmness of a link is its weight,
    at most 1; of one that use has learned, w / (w + 2), w being what time left of its strength.

    Args:
        seeds: Activation in [0, 1] by key.
        edges: Links that touch a seed.
        at: The instant of the question; what was learned after it counts for nothing.

    Returns:
        What each other end receives, in [0, 1], by key; a seed may receive from another seed.
    """
    passages = {**_ALWAYS, **_BY_INTENT[intent]}
    received: dict[int, float] = {}
    for edge in edges:
        along, back = passages.get(edge.rel, (0.0, 0.0))
        firmness = _firmness(edge, at)
        for source, target, passage in ((edge.src, edge.dst, along), (edge.dst, edge.src, back)):
            given = seeds.get(source, 0.0) * passage * firmness
            if given > received.get(target, 0.0):
                received[target] = given
    return received


def _firmness(edge: Edge, at: int) -> float:
    if edge.valid_from is not None and edge.valid_from > at:
        return 0.0
    if edge.rel is not Relation.CO_RECALLED:
        return min(1.0, edge.weight)
    days = 0.0 if edge.valid_from is None else days_between(edge.valid_from, at)
    left = strength_left(edge.weight, days)
    return left / (left + _HALF_STRENGTH)
