"""The default profile: a linear first look at every candidate, and trees that weigh the best of them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from simonides.domain.taxonomy import Taxonomy
from simonides.recall.features import NAMES, Scene, features
from simonides.recall.pool import Floats, Indices, Pool, Ranking
from simonides.recall.question.analysis import Analysis
from simonides.recall.rank import priors
from simonides.recall.signals import order, relevance
from simonides.recall.trees import Trees, bundled

#: Candidates that are weighed up: what a first look puts behind them has never been the answer.
SHORTLIST: Final = 64
#: What places among the candidates go by, and the places.
_VALUES: Final = [NAMES.index(name) for name in ("alone", "linear", "lexical", "cosine")]
_PLACES: Final = [NAMES.index(f"{name}_rank") for name in ("alone", "linear", "lexical", "cosine")]


@dataclass(frozen=True, slots=True)
class Balanced:
    """Ranks by what was learned from questions whose answers are known.

    score = base + what each group of features adds + prior, the prior in [−`prior_span`, `prior_span`]: it
    reorders near ties and never buries a clearly better match. Scores are comparable within one answer,
    and are log-odds in kind: a difference says how much better, not a ratio.
    """

    prior_span: float = 0.25
    trees: Trees = field(default_factory=bundled)

    def rank(self, pool: Pool, scene: Scene, analysis: Analysis, k: int, taxonomy: Taxonomy) -> Ranking:
        """Score the candidates; what the first look puts behind the shortlist is dropped.

        Args:
            k: Hits that are wanted; the shortlist is as long at least.
        """
        rows = shortlist(scene, max(SHORTLIST, k), pool)
        size = len(pool)
        columns = {name: np.zeros(size) for name in ("base", *self.trees.groups, "prior")}
        dropped = np.ones(size, bool)
        if len(rows):
            dropped[rows] = False
            parts = self.trees.parts_of(self.trees.leaves(_levelled(features(scene, analysis, rows))))
            for number, name in enumerate(self.trees.groups):
                columns[name][rows] = parts[:, number]
            columns["base"][rows] = self.trees.base
            numbers: list[int] = rows.tolist()
            chosen = [pool.sketches[row] for row in numbers]
            columns["prior"][rows] = self.prior_span * (2 * priors(chosen, pool.now, taxonomy) - 1)
        return Ranking(
            score=sum(columns.values(), np.zeros(size)),
            relevance=relevance(pool.coverage, pool.cosine),
            parts=columns,
            factor=np.ones(size),
            dropped=dropped,
        )


def shortlist(scene: Scene, size: int, pool: Pool) -> Indices:
    """Rows of the best candidates by the first look, in the order of their keys."""
    return np.sort(order(pool.keys, scene.linear)[:size])


def _levelled(rows: Floats) -> Floats:
    """Rows that match alike share the best of their places: which comes first is for the prior to say.

    What matches not at all stays in its order: to be first of many such says nothing.
    """
    alike, group = np.unique(rows[:, _VALUES], axis=0, return_inverse=True)
    group = group.reshape(-1)
    best = np.zeros((len(alike), len(_PLACES)))
    np.maximum.at(best, group, rows[:, _PLACES])
    levelled = rows.copy()
    matching = np.flatnonzero(rows[:, _VALUES[0]] > 0)
    levelled[matching[:, None], _PLACES] = best[group[matching]]
    return levelled


def assert_fits(trees: Trees) -> None:
    """Raise where trees were learned with other features than these."""
    if trees.names != NAMES:
        raise ValueError("the trees were learned with other features; run benchmarks/train.py again")
