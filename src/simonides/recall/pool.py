"""What a question's candidates are, and what ranking them gives: the values that every profile speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from simonides.domain.taxonomy import Taxonomy
from simonides.ports.store import Sketch
from simonides.recall.passage import Sought

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a question, in columns of equal length n, in the order of their keys.

    Attributes:
        keys: int64, ascending, no two the same.
        sketches: What is known of each.
        bm25: >= 0; 0 where the text channel did not see the candidate.
        cosine: With the question, in [0, 1]; 0 where there is no vector.
        coverage: Share of the question's information (IDF) that the text holds, in [0, 1].
        tag: Jaccard index of the question's tags (given, else its words) and the item's, in [0, 1].
        entity: Share of the entities that the question names that the item mentions, in [0, 1].
        activation: Received over links in one pass by the question's intent, in [0, 1].
        window: 1 where it happened in the time that the question names, else 0.
        now: The instant of the question, microseconds.
        sought: What is looked for in long texts.
    """

    keys: NDArray[np.int64]
    sketches: Sequence[Sketch]
    bm25: Floats
    cosine: Floats
    coverage: Floats
    tag: Floats
    entity: Floats
    activation: Floats
    window: Floats
    now: int
    sought: Sought

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores in the pool's order.

    score = (sum of `parts`) · `factor`, which a test proves for each profile: what a hit shows is all
    there is.

    Attributes:
        relevance: How well each matches by itself, in [0, 1], on a scale that does not depend on the
            other candidates.
        dropped: True where the profile leaves the candidate out altogether.
    """

    score: Floats
    relevance: Floats
    parts: Mapping[str, Floats]
    factor: Floats
    dropped: NDArray[np.bool_]


class Profile(Protocol):
    """A way of ranking. Pure."""

    def rank(self, pool: Pool, taxonomy: Taxonomy) -> Ranking:
        """Score every candidate of the pool."""
        ...
