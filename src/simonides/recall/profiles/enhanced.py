"""The profile `enhanced`: several searches for one question, joined, and read again by a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simonides.domain.taxonomy import Taxonomy
from simonides.errors import ProviderError
from simonides.ports.reranker import Reranker
from simonides.recall.pool import Floats, Pool, Ranking
from simonides.recall.profiles.bounds import require
from simonides.recall.profiles.classic import Classic
from simonides.recall.reread import checked, read_text
from simonides.recall.signals import order


class Expansions(Protocol):
    """What else a question might be asked with, as a model words it."""

    @property
    def lexical(self) -> Sequence[str]:
        """Other words to look for."""
        ...

    @property
    def semantic(self) -> Sequence[str]:
        """The question in other words."""
        ...

    @property
    def hypothetical(self) -> str:
        """An answer as it might be stored; empty where there is none."""
        ...


#: The candidates of a text, and how the profile beneath ranks them.
Search: TypeAlias = Callable[[str], tuple[Pool, Ranking]]
#: Raises ProviderError where the model does not answer usefully.
Expand: TypeAlias = Callable[[str], Expansions]


@dataclass(frozen=True, slots=True)
class EnhancedSettings:
    """Numbers of the profile `enhanced`.

    Attributes:
        width: Candidates that each list gives, >= 1.
        k: Damping of the ranks, >= 1.
        original, expanded: Weights of the question's own list and of the others, >= 0.
        first: Bonus of a candidate that stands first in some list, >= 0.
        near: Bonus of one that comes no later than `near_until` in some list, >= 0.
        near_until: Last rank that gets `near`.
        strong: With a relevance of at least this, and `gap` above the others, the best candidate is
            answer enough: nothing is expanded. In [0, 1].
        gap: See `strong`; in [0, 1].
        reranked: Best candidates that the reranker reads, >= 1.
        head, middle, tail: Share of the joined score against the reranker's, in [0, 1], up to
            `head_until`, up to `middle_until`, and beyond. It may not grow from one to the next.
        head_until, middle_until: Last positions of `head` and `middle`.
    """

    width: int = 40
    k: float = 60.0
    original: float = 2.0
    expanded: float = 1.0
    first: float = 0.05
    near: float = 0.02
    near_until: int = 3
    strong: float = 0.85
    gap: float = 0.15
    reranked: int = 20
    head: float = 0.75
    middle: float = 0.6
    tail: float = 0.4
    head_until: int = 3
    middle_until: int = 10

    def __post_init__(self) -> None:
        require("enhanced", self, "width", "k", "reranked", least=1)
        require("enhanced", self, "original", "expanded", "first", "near")
        require("enhanced", self, "strong", "gap", "head", most=1)
        require("enhanced", self, "near_until", "head_until", least=1)
        # A share that grew would lift what stands behind over what stands before, whatever the reranker says.
        require("enhanced", self, "middle", most=self.head)
        require("enhanced", self, "tail", most=self.middle)
        require("enhanced", self, "middle_until", least=self.head_until)


@dataclass(frozen=True, slots=True)
class Ranked:
    """What `Enhanced` found.

    Attributes:
        pool: The question's candidates, and those that only an expansion found. Of these the columns
            are as the first expansion that found them measured them.
        steps: What was done beyond the one search: `expand`, `rerank`; none after a failure.
        degradations: What failed, in words; the ranking is `classic`'s then.
    """

    pool: Pool
    ranking: Ranking
    steps: tuple[str, ...] = ()
    degradations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Enhanced:
    """Searches with a question and its expansions, joins the lists by rank, and has the best of them reread.

    Each list gives a candidate weight / (k + rank): the question's own with the ranking of the profile
    beneath, lexical expansions by BM25, semantic ones and the hypothetical answer by cosine. The best
    rank in any list brings a bonus, once. The best of the sum are reread by the reranker, and

        score = w · joined + (1 − w) · reread

    with both scaled to [0, 1] (joined by the best, reread from the lowest to the highest) and w by the
    position in the joined order: the higher a candidate stood, the less the reranker may move it. What
    was not reread counts as reread with 0.

    Args:
        search: Called once for the question and once for each expansion.
        expand: None where there is no model: the question is searched for as it is.
        reranker: None where there is none: the joined order stands.
    """

    search: Search
    expand: Expand | None = None
    reranker: Reranker | None = None
    settings: EnhancedSettings = field(default_factory=EnhancedSettings)
    classic: Classic = field(default_factory=Classic)

    def rank(self, question: str, taxonomy: Taxonomy) -> Ranked:
        """Scores in [0, 1]; what stands in no list is dropped.

        A model that fails costs what it would have added and more: the question's own candidates are
        ranked by `classic`, which asks no model, and `degradations` says why.
        """
        pool, ranking = self.search(question)
        try:
            return self._enhanced(question, pool, ranking)
        except ProviderError as error:
            why = f"enhanced: {error}; ranked by classic"
            return Ranked(pool, self.classic.rank(pool, taxonomy), degradations=(why,))

    def _enhanced(self, question: str, pool: Pool, ranking: Ranking) -> Ranked:
        pools, rankings = [pool], [ranking]
        lists = [self._list(self.settings.original, pool, _above_zero(ranking))]
        steps: list[str] = []
        if self.expand is not None and not self._strong(pool, ranking):
            steps.append("expand")
            for text, lexical in _texts(self.expand(question), question):
                found, its_ranking = self.search(text)
                pools.append(found)
                rankings.append(its_ranking)
                column = found.bm25 if lexical else found.cosine
                lists.append(self._list(self.settings.expanded, found, column))
        together = united(pools)
        joined = self._joined(together, lists)
        parts = {"fused": joined, "rerank": np.zeros(len(together))}
        if self.reranker is not None and joined.any():
            steps.append("rerank")
            parts = self._reread(self.reranker, question, together, joined)
        joined_ranking = Ranking(
            score=parts["fused"] + parts["rerank"],
            relevance=_highest_relevance(together, pools, rankings),
            parts=parts,
            factor=np.ones(len(together)),
            dropped=joined <= 0,
        )
        return Ranked(together, joined_ranking, tuple(steps))

    def _strong(self, pool: Pool, ranking: Ranking) -> bool:
        """Whether one candidate answers so well, and so much better than the others, that one search is enough."""
        ranked = order(pool, ranking.score)
        rows = ranked[~ranking.dropped[ranked]]
        if not len(rows):
            return False
        best, others = ranking.relevance[rows[0]], ranking.relevance[rows[1:]]
        # 0.95 − 0.80 is a little less than 0.15 to a computer.
        return bool(
            best >= self.settings.strong and best - others.max(initial=0.0) >= self.settings.gap - 1e-9
        )

    def _list(self, weight: float, pool: Pool, values: Floats) -> tuple[float, NDArray[np.int64]]:
        rows = order(pool, values)
        return weight, pool.keys[rows[values[rows] > 0][: self.settings.width]]

    def _joined(self, pool: Pool, lists: Sequence[tuple[float, NDArray[np.int64]]]) -> Floats:
        """What the lists give together, divided by the best; 0 for what stands in none."""
        settings = self.settings
        total, best = np.zeros(len(pool)), np.full(len(pool), np.inf)
        for weight, keys in lists:
            rows = np.searchsorted(pool.keys, keys)
            ranks = np.arange(1, len(keys) + 1)
            total[rows] += weight / (settings.k + ranks)
            best[rows] = np.minimum(best[rows], ranks)
        bonus = np.where(best == 1, settings.first, np.where(best <= settings.near_until, settings.near, 0.0))
        total += bonus
        return total / (total.max(initial=0.0) or 1.0)

    def _reread(self, reranker: Reranker, question: str, pool: Pool, joined: Floats) -> dict[str, Floats]:
        settings = self.settings
        rows = order(pool, joined)
        chosen: list[int] = rows[joined[rows] > 0][: settings.reranked].tolist()
        texts = [read_text(pool.sketches[row], pool.sought) for row in chosen]
        said = checked(reranker.rerank(question, texts), len(texts), reranker.name)
        reread = np.zeros(len(pool))
        # Where it says the same of all it says nothing: 0 for each leaves the order as it was.
        reread[chosen] = (said - said.min()) / ((said.max() - said.min()) or 1.0)
        share = np.full(len(pool), settings.tail)
        share[chosen[: settings.middle_until]] = settings.middle
        share[chosen[: settings.head_until]] = settings.head
        return {"fused": share * joined, "rerank": (1 - share) * reread}


def united(pools: Sequence[Pool]) -> Pool:
    """The candidates of several pools, by key; what stands in several is as the first of these has it.

    Args:
        pools: At least one.
    """
    keys = np.concatenate([pool.keys for pool in pools])
    together, first = np.unique(keys, return_index=True)
    sketches = [sketch for pool in pools for sketch in pool.sketches]
    columns: dict[str, Floats] = {
        name: np.concatenate([getattr(pool, name) for pool in pools])[first] for name in _columns(pools[0])
    }
    rows: list[int] = first.tolist()
    chosen = [sketches[row] for row in rows]
    return replace(pools[0], keys=together, sketches=chosen, **columns)


def _above_zero(ranking: Ranking) -> Floats:
    """Scores moved so that what is not dropped stands above 0, and what is dropped at 0."""
    standing = ~ranking.dropped
    least = ranking.score[standing].min(initial=0.0)
    return np.where(standing, ranking.score - least + 1.0, 0.0)


def _columns(pool: Pool) -> list[str]:
    names = (entry.name for entry in fields(pool) if entry.name != "keys")
    return [name for name in names if isinstance(getattr(pool, name), np.ndarray)]


def _texts(expansions: Expansions, question: str) -> Iterator[tuple[str, bool]]:
    """The texts to search with, and whether for their words; none twice, and not the question again."""
    seen = {question.strip().casefold(), ""}
    said = [
        *((text, True) for text in expansions.lexical),
        *((text, False) for text in (*expansions.semantic, expansions.hypothetical)),
    ]
    for text, lexical in said:
        if (plain := text.strip().casefold()) not in seen:
            seen.add(plain)
            yield text, lexical


def _highest_relevance(together: Pool, pools: Sequence[Pool], rankings: Sequence[Ranking]) -> Floats:
    """The best that any of the texts says of each candidate."""
    highest = np.zeros(len(together))
    for pool, ranking in zip(pools, rankings, strict=True):
        rows = np.searchsorted(together.keys, pool.keys)
        highest[rows] = np.maximum(highest[rows], ranking.relevance)
    return highest
