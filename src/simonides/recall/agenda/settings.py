"""Bounds and numbers of the agenda."""

from __future__ import annotations

import math
from dataclasses import field, fields
from typing import Final

from simonides.errors import InvalidSettings
from simonides.recall.bounds import require
from simonides.values import dataclass

#: Least value of each whole number.
_LEAST: Final = {
    "start": 1,
    "start_documents": 0,
    "width": 1,
    "children": 1,
    "considered": 1,
    "expansions": 0,
    "patience": 1,
    "tokens": 1,
    "searches": 1,
    "checks": 0,
    "anchors": 0,
    "companions": 0,
    "shared": 0,
    "kept": 0,
}


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """Weights of the parts of a score.

    Attributes:
        relevance, provenance, coverage: What speaks for an explanation.
        redundancy, doubt: What speaks against it.
    """

    relevance: float = 0.35
    provenance: float = 0.20
    coverage: float = 0.25
    redundancy: float = 0.10
    doubt: float = 0.10

    def __post_init__(self) -> None:
        require("recall.agenda.weights", self, *(entry.name for entry in fields(self)))


@dataclass(frozen=True, slots=True)
class AgendaSettings:
    """Bounds of an agenda.

    Attributes:
        start: Items of the ordinary search that the first explanation is made of.
        start_documents: Pieces of documents that join them, where the search found some further down.
        width: Items that each search gives.
        children: Explanations that one expansion adds.
        considered: Items of each operator that are weighed for them.
        expansions: Most expansions.
        patience: Expansions in a row without a better explanation, after which it gives up.
        tokens: Most tokens of an explanation's support.
        seconds: Most time; nothing is begun after it.
        searches: Most whole searches, the first one included: they take nearly all of the time.
        checks: Most questions to a validator.
        enough: An explanation that leaves nothing open is an answer above this score.
        anchors: Names of the support that a new query goes on from.
        companions: Open terms that join the one that a new query is for.
        shared: Items that a look-up by entities and tags gives.
        same_claim: Least similarity of two items that say the same.
        kept: Best hits of the ordinary search whose places nothing takes.
        earned: Share of the question that an item must close, where the agenda found it, to be put among
            the hits.
        weights: Of the parts of an explanation's score.
    """

    start: int = 5
    start_documents: int = 2
    width: int = 20
    children: int = 3
    considered: int = 8
    expansions: int = 20
    patience: int = 4
    tokens: int = 3000
    seconds: float = 10.0
    searches: int = 3
    checks: int = 3
    enough: float = 0.4
    anchors: int = 2
    companions: int = 3
    shared: int = 12
    same_claim: float = 0.6
    kept: int = 3
    earned: float = 0.05
    weights: ScoreWeights = field(default_factory=ScoreWeights)

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if (value := getattr(self, name)) < least:
                raise InvalidSettings(f"recall.agenda.{name} must be a whole number >= {least}, got {value}")
        require("recall.agenda", self, "enough", "same_claim", "earned", most=1)
        if not 0 < self.seconds < math.inf:
            raise InvalidSettings(f"recall.agenda.seconds must be a number above 0, got {self.seconds}")
