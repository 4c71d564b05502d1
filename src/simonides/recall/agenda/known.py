"""Knowledge of a run about items: each is looked at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from simonides.domain.text import count_tokens
from simonides.recall.agenda.names import bonds_of, names_of, ordinary_words
from simonides.recall.agenda.node import Piece
from simonides.recall.agenda.source import AgendaSource, Evidence

#: A name that more than this share of the items seen mentions, and more items than a few, ties none of them.
_MOST: Final = 0.5
_FEW: Final = 5


class KnownItems:
    """The items that a run has seen, in the order in which it saw them."""

    def __init__(self, source: AgendaSource) -> None:
        self._source = source
        self._pieces: dict[int, Piece] = {}
        self._rows: dict[int, int] = {}
        self._similarity = np.zeros((0, 0))
        self._ordinary: frozenset[str] = frozenset()
        self._mentions: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Piece]:
        return iter(self._pieces.values())

    def take(self, found: Sequence[Evidence]) -> list[Piece]:
        """The pieces of what was found, in its order; what is new is looked at, all of it at once."""
        if new := {evidence.key: evidence for evidence in found if evidence.key not in self._pieces}:
            self._learn(list(new.values()))
        return [self._pieces[evidence.key] for evidence in found]

    def similarity(self, one: Piece, other: Piece) -> float:
        """Similarity of two items, in [0, 1]."""
        return float(self._similarity[self._rows[one.key], self._rows[other.key]])

    def mean_similarity(self, pieces: Sequence[Piece]) -> float:
        """Mean over all pairs, in [0, 1]; 0 for less than two items."""
        count = len(pieces)
        if count < 2:
            return 0.0
        rows = [self._rows[piece.key] for piece in pieces]
        among = self._similarity[np.ix_(rows, rows)]
        return float(among.sum() - among.trace()) / (count * (count - 1))

    def _learn(self, new: Sequence[Evidence]) -> None:
        keys = [evidence.key for evidence in new]
        relevance = np.clip(self._source.relevance(keys), 0.0, 1.0).tolist()
        holds = self._source.holds(keys)
        self._ordinary |= ordinary_words(evidence.sketch.content for evidence in new)
        self._rows |= {key: row for row, key in enumerate(keys, len(self._rows))}
        self._compare(keys)
        names = [names_of(evidence.sketch, self._ordinary) for evidence in new]
        for evidence, mentioned in zip(new, names, strict=True):
            self._mentions.update(bonds_of((*mentioned, evidence.sketch.sender), self._ordinary).every)
        telling = [tuple(name for name in mentioned if not self._everywhere(name)) for mentioned in names]
        bonds = [bonds_of(some, self._ordinary) for some in telling]
        for evidence, near, held, some, tied in zip(new, relevance, holds, telling, bonds, strict=True):
            self._pieces[evidence.key] = Piece(
                key=evidence.key,
                sketch=evidence.sketch,
                document=evidence.document,
                relevance=near,
                holds=held,
                names=some,
                bonds=tied.without(self._everywhere),
                tokens=count_tokens(f"{evidence.sketch.title} {evidence.sketch.content}"),
            )

    def _everywhere(self, name: str) -> bool:
        """True if most of what was seen mentions a name, or says it itself: then it tells nothing apart."""
        return self._mentions[name.casefold()] > max(_FEW, len(self._rows) * _MOST)

    def _compare(self, keys: Sequence[int]) -> None:
        """Grow the matrix of similarities by the new keys, which have their rows already."""
        everyone = list(self._rows)
        fresh = np.clip(self._source.similarities(keys, everyone), 0.0, 1.0)
        old = len(everyone) - len(keys)
        grown = np.zeros((len(everyone), len(everyone)))
        grown[:old, :old] = self._similarity
        grown[old:] = fresh
        grown[:, old:] = fresh.T
        self._similarity = grown
