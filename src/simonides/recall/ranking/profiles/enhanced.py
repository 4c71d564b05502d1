"""The profile `enhanced`: several searches for one question, joined, and read again by a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simonides.domain.taxonomy import Taxonomy
from simonides.errors import ProviderError
from simonides.ports.reranker import Reranker
from simonides.recall.bounds import require
from simonides.recall.candidates import CandidateTable, Floats, united
from simonides.recall.ranking.profiles.classic import Classic
from simonides.recall.ranking.rerank import checked, read_text
from simonides.values import dataclass


class ExpandedQuestion(Protocol):
    """Other words for a question, as a model puts them."""

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


#: The candidates of a text, as the profile beneath ranks them.
Search: TypeAlias = Callable[[str], CandidateTable]
#: Raises ProviderError where the model does not answer usefully.
Expand: TypeAlias = Callable[[str], ExpandedQuestion]


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
        require("recall.profiles.enhanced", self, "width", "k", "reranked", least=1)
        require("recall.profiles.enhanced", self, "original", "expanded", "first", "near")
        require("recall.profiles.enhanced", self, "strong", "gap", "head", most=1)
        require("recall.profiles.enhanced", self, "near_until", "head_until", least=1)
        # A share that grew would lift what stands behind over what stands before, whatever the reranker says.
        require("recall.profiles.enhanced", self, "middle", most=self.head)
        require("recall.profiles.enhanced", self, "tail", most=self.middle)
        require("recall.profiles.enhanced", self, "middle_until", least=self.head_until)


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

    def rank(self, question: str, taxonomy: Taxonomy) -> CandidateTable:
        """Scores in [0, 1]; what stands in no list is dropped.

        What only an expansion found has the columns that the first expansion that found it measured. A model that
        fails costs what it would have added and more: the question's own candidates are ranked by `classic`, which
        asks no model, and `degradations` says why.
        """
        searches = [self.search(question)]
        try:
            return self._enhanced(question, searches)
        except ProviderError as error:
            why = f"enhanced: {error}; ranked by classic"
            degradations = (*(said for some in searches for said in some.degradations), why)
            return self.classic.rank(searches[0], taxonomy).having(degradations=degradations)

    def _enhanced(self, question: str, searches: list[CandidateTable]) -> CandidateTable:
        """The candidates of all searches, joined and reread; `searches` is added to as they are made."""
        own = searches[0]
        lists = [self._list(self.settings.original, own, _above_zero(own))]
        steps: list[str] = []
        if self.expand is not None and not self._strong(own):
            steps.append("expand")
            for text, lexical in _texts(self.expand(question), question):
                found = self.search(text)
                searches.append(found)
                column = found.bm25 if lexical else found.cosine
                lists.append(self._list(self.settings.expanded, found, column))
        together = united(searches)
        joined = self._joined(together, lists)
        parts = {"fused": joined, "rerank": np.zeros(len(together))}
        if self.reranker is not None and joined.any():
            steps.append("rerank")
            parts = self._reread(self.reranker, question, together, joined)
        ranked = together.scored(parts, _highest_relevance(together, searches))
        return ranked.having(dropped=joined <= 0, steps=tuple(steps))

    def _strong(self, candidates: CandidateTable) -> bool:
        """True if one candidate answers so well, and so much better than the others, that one search is enough."""
        rows = candidates.ranked()
        if not rows:
            return False
        best, others = candidates.relevance[rows[0]], candidates.relevance[rows[1:]]
        # 0.95 − 0.80 is a little less than 0.15 to a computer.
        return bool(
            best >= self.settings.strong and best - others.max(initial=0.0) >= self.settings.gap - 1e-9
        )

    def _list(
        self, weight: float, candidates: CandidateTable, values: Floats
    ) -> tuple[float, NDArray[np.int64]]:
        rows = candidates.order(values)
        return weight, candidates.keys[rows[values[rows] > 0][: self.settings.width]]

    def _joined(self, together: CandidateTable, lists: Sequence[tuple[float, NDArray[np.int64]]]) -> Floats:
        """The sum of the lists, divided by the best; 0 for what stands in none."""
        settings = self.settings
        total, best = np.zeros(len(together)), np.full(len(together), np.inf)
        for weight, keys in lists:
            rows = np.searchsorted(together.keys, keys)
            ranks = np.arange(1, len(keys) + 1)
            total[rows] += weight / (settings.k + ranks)
            best[rows] = np.minimum(best[rows], ranks)
        bonus = np.where(best == 1, settings.first, np.where(best <= settings.near_until, settings.near, 0.0))
        total += bonus
        return total / (total.max(initial=0.0) or 1.0)

    def _reread(
        self, reranker: Reranker, question: str, together: CandidateTable, joined: Floats
    ) -> dict[str, Floats]:
        settings = self.settings
        rows = together.order(joined)
        chosen: list[int] = rows[joined[rows] > 0][: settings.reranked].tolist()
        texts = [read_text(together.sketches[row], together.sought) for row in chosen]
        scores = checked(reranker.rerank(question, texts), len(texts), reranker.name)
        reread = np.zeros(len(together))
        # Where it says the same of all it says nothing: 0 for each leaves the order as it was.
        reread[chosen] = (scores - scores.min()) / ((scores.max() - scores.min()) or 1.0)
        share = np.full(len(together), settings.tail)
        share[chosen[: settings.middle_until]] = settings.middle
        share[chosen[: settings.head_until]] = settings.head
        return {"fused": share * joined, "rerank": (1 - share) * reread}


def _above_zero(candidates: CandidateTable) -> Floats:
    """Scores moved so that what is not dropped stands above 0, and what is dropped at 0."""
    standing = ~candidates.dropped
    least = candidates.score[standing].min(initial=0.0)
    return np.where(standing, candidates.score - least + 1.0, 0.0)


def _texts(expansions: ExpandedQuestion, question: str) -> Iterator[tuple[str, bool]]:
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


def _highest_relevance(together: CandidateTable, searches: Sequence[CandidateTable]) -> Floats:
    """The best that any of the searches says of each candidate."""
    highest = np.zeros(len(together))
    for some in searches:
        rows = np.searchsorted(together.keys, some.keys)
        highest[rows] = np.maximum(highest[rows], some.relevance)
    return highest
