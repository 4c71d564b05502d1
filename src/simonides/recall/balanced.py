"""The default profile: a linear first look at every candidate, and trees that weigh the best of them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from simonides.domain.taxonomy import Taxonomy
from simonides.recall.features import NAMES, Scene, features
from simonides.recall.laws import Words, newest_first, standing
from simonides.recall.pool import Indices, Pool, Ranking
from simonides.recall.question.analysis import Analysis, Intent, Tense
from simonides.recall.rank import priors
from simonides.recall.signals import order, relevance
from simonides.recall.trees import Trees, bundled

#: Best candidates of the first look that are weighed up, and best ones of each channel that it does not see.
SHORTLIST: Final = 64
_ASIDE: Final = 8
#: What a time that the question names, or an activated link, adds: the questions that the trees learned from
#: seldom name a time and have no links, so that the trees know little of either.
_IN_WINDOW: Final = 0.3
_WINDOW_ALONE: Final = 3.0
_ACTIVATED: Final = 1.5
#: Less activation than that says nothing by itself: what was merely recalled together now and then.
_FAINT: Final = 0.25
#: What a narrative loses: it is dense with the words of its session, and no evidence for any of them. The trees
#: never saw one.
_TOLD_IN_SHORT: Final = 3.0


@dataclass(frozen=True, slots=True)
class Balanced:
    """Ranks by what was learned from questions whose answers are known.

    score = base + what each group of features adds + prior + standing + versions, the prior in [−`prior_span`,
    `prior_span`]: it reorders near ties and never buries a clearly better match. What the last two add is law
    (`recall.laws`) and nothing that was learned. Scores are comparable within one answer,
    and are log-odds in kind: a difference says how much better, not a ratio.
    """

    prior_span: float = 0.25
    trees: Trees = field(default_factory=bundled)

    def __post_init__(self) -> None:
        if self.trees.names != NAMES:
            raise ValueError("the trees were learned with other features; run benchmarks/train.py again")

    def rank(self, pool: Pool, scene: Scene, analysis: Analysis, k: int, taxonomy: Taxonomy) -> Ranking:
        """Score the candidates; what the first look puts behind the shortlist is dropped.

        Args:
            k: Hits that are wanted; the shortlist is as long at least.
        """
        rows = shortlist(scene, max(SHORTLIST, k), pool)
        size = len(pool)
        columns = {
            name: np.zeros(size) for name in ("base", *self.trees.groups, "prior", "standing", "versions")
        }
        dropped = np.ones(size, bool)
        if len(rows):
            dropped[rows] = False
            parts = self.trees.parts_of(self.trees.leaves(features(scene, analysis, rows)))
            for number, name in enumerate(self.trees.groups):
                columns[name][rows] = parts[:, number]
            columns["base"][rows] = self.trees.base
            named = _IN_WINDOW if analysis.content_terms else _WINDOW_ALONE
            columns["time"][rows] += named * pool.window[rows]
            if analysis.intent is not Intent.WHEN:  # There the turns beside are what is activated.
                columns["links"][rows] += _ACTIVATED * np.maximum(0.0, pool.activation[rows] - _FAINT)
            numbers: list[int] = rows.tolist()
            chosen = [pool.sketches[row] for row in numbers]
            narratives = np.array([sketch.type == "narrative" for sketch in chosen], np.float64)
            if not analysis.last_session:  # There it is the very answer.
                columns["form"][rows] -= _TOLD_IN_SHORT * narratives
            columns["prior"][rows] = self.prior_span * (2 * priors(chosen, pool.now, taxonomy) - 1)
            at = None if analysis.tense in {Tense.FORMER, Tense.FUTURE} else pool.now
            columns["standing"][rows] = standing(chosen, at)
            columns["versions"][rows] = newest_first(
                chosen,
                _words(scene, rows),
                sum((column[rows] for column in columns.values()), np.zeros(len(rows))),
                at,
                by_age=analysis.tense is not Tense.FORMER and not analysis.order,
            )
        return Ranking(
            score=sum(columns.values(), np.zeros(size)),
            relevance=relevance(pool.coverage, pool.cosine),
            parts=columns,
            factor=np.ones(size),
            dropped=dropped,
        )


def _words(scene: Scene, rows: Indices) -> list[Words]:
    """The words of candidates, as versions of one thing are told by them."""
    held = np.concatenate([look.counts[rows] > 0 for look in scene.looks], axis=1)
    numbers: list[int] = rows.tolist()
    return [
        Words(
            scene.tokens[row],
            frozenset(np.flatnonzero(some).tolist()),
            statement=scene.sketches[row].type != "episode",
        )
        for row, some in zip(numbers, held, strict=True)
    ]


def shortlist(scene: Scene, size: int, pool: Pool) -> Indices:
    """Rows of the best candidates by the first look, and the best of each channel that it does not see."""
    chosen = [order(pool, scene.linear)[:size]]
    for column in (pool.window, pool.activation, pool.entity):
        seen = order(pool, column + scene.linear / (1 + scene.linear.max(initial=0.0)))
        chosen.append(seen[column[seen] > 0][:_ASIDE])
    return np.unique(np.concatenate(chosen))
