"""The read path: analyse → candidates → fuse → rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.item import Item
from simonides.domain.taxonomy import Taxonomy
from simonides.errors import ProviderError
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader, Store, TextMatches, TextQuery
from simonides.ports.vectors import VectorIndex
from simonides.recall.rank import Weights, prior
from simonides.recall.result import Hit, Query, SearchResult
from simonides.recall.terms import terms

#: Candidates that each channel gives.
_WIDTH: Final = 80
#: Turns of an assistant with more words than this count as long.
_LONG_WORDS: Final = 60
_PRECISION: Final = 6


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Bounds of the read path.

    Attributes:
        min_relevance: Hits below it are hidden, in [0, 1].
        weights: Of the balanced profile.
    """

    min_relevance: float = 0.1
    weights: Weights = Weights()


class Recall:
    """Finds the items that answer a question. Reading changes nothing."""

    def __init__(
        self,
        store: Store,
        index: Callable[[], VectorIndex],
        embedder: Embedder,
        taxonomy: Taxonomy,
        settings: RecallSettings,
    ) -> None:
        self._store = store
        self._new_index = index
        self._index: VectorIndex | None = None
        self._embedder = embedder
        self._taxonomy = taxonomy
        self._settings = settings

    def search(self, query: Query) -> SearchResult:
        """The best hits for a question, with what stood in the way.

        Never raises because of what the question says; a channel that fails is left out and named in
        `degradations`.
        """
        vector, degradations = self._embed(query.text)
        if query.as_of is None:
            # Made once the embedder has answered: a remote one that does not must not stop the search.
            if self._index is None and vector is not None:
                self._index = self._new_index()
            with self._store.read() as reader:
                return self._search(reader, self._index, query, vector, degradations)
        past = self._store.as_of(query.as_of, query.selection.scopes)
        try:
            with past.read() as reader:
                index = None if vector is None else self._new_index()
                return self._search(reader, index, query, vector, degradations)
        finally:
            past.close()

    def _embed(self, text: str) -> tuple[NDArray[np.float32] | None, list[str]]:
        try:
            vector = self._embedder.embed([text])[0]
        except ProviderError as error:
            return None, [f"vectors: {error}"]
        return (vector, []) if vector.any() else (None, [])

    def _search(
        self,
        reader: Reader,
        index: VectorIndex | None,
        query: Query,
        vector: NDArray[np.float32] | None,
        degradations: list[str],
    ) -> SearchResult:
        wanted = terms(query.text)
        text = reader.search_text(TextQuery(wanted), query.selection, max(_WIDTH, query.k))
        if text.degraded is not None:
            degradations.append(text.degraded)
        near = np.empty(0, np.int64)
        if index is not None and vector is not None:
            index.refresh(reader)
            near = self._nearest(reader, index, query, vector)
        keys = np.union1d(text.keys, near)
        cosines = np.zeros(len(keys), np.float32)
        if index is not None and vector is not None:
            cosines = index.cosines(vector, keys)
        items = reader.load(keys.tolist())
        coverage = _coverage(reader, wanted, items)
        scored = self._score(query, keys.tolist(), text, cosines.tolist(), items, coverage)
        scored.sort(key=lambda pair: (-round(pair[1].score, _PRECISION), pair[0]))
        bound = self._settings.min_relevance if query.min_relevance is None else query.min_relevance
        hits = [hit for _, hit in scored if hit.relevance >= bound]
        channels = [name for name, found in (("text", len(text.keys)), ("vectors", len(near))) if found]
        return SearchResult(
            hits=tuple(hits[: query.k]),
            abstained=not hits,
            hidden=len(scored) - len(hits),
            strategy="+".join(channels) or "none",
            degradations=tuple(degradations),
        )

    def _nearest(
        self, reader: Reader, index: VectorIndex, query: Query, vector: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """Keys of the nearest items that pass the selection: widened until there are enough."""
        scopes = reader.scope_keys(query.selection)
        limit = wanted = max(_WIDTH, query.k)
        while True:
            keys, cosines = index.search(vector, query.selection, scopes, limit)
            keys = keys[cosines > 0]
            if not query.selection.narrow:
                return keys[:wanted]
            passing = reader.matching(keys.tolist(), query.selection)
            if len(passing) >= wanted or len(keys) < limit:
                return np.array([key for key in keys.tolist() if key in passing][:wanted], np.int64)
            limit *= 4

    def _score(
        self,
        query: Query,
        keys: Sequence[int],
        text: TextMatches,
        cosines: Sequence[float],
        items: Mapping[int, Item],
        coverage: Mapping[int, float],
    ) -> list[tuple[int, Hit]]:
        weights = self._settings.weights
        bm25 = dict(zip(text.keys.tolist(), text.scores.tolist(), strict=True))
        best = max(bm25.values(), default=1.0)
        # The best of a bad lot is not 1: it counts for what it covers of the question.
        covered = coverage.get(text.keys.tolist()[0], 0.0) if bm25 else 0.0
        scale = math.sqrt(covered) / best
        named = query.text.casefold()
        scored: list[tuple[int, Hit]] = []
        for key, cosine in zip(keys, cosines, strict=True):
            item = items.get(key)
            if item is None:
                continue
            lexical = bm25.get(key, 0.0) * scale
            nearness = max(0.0, cosine)
            held = coverage[key]
            relevance = weights.lexical * lexical + weights.vector * nearness + weights.coverage * held
            speaker = weights.speaker * _speaker_named(item, named)
            length = 1 - weights.long_answer * _is_long_answer(item)
            factor, parts = prior(item, query.at, self._taxonomy, weights.prior_span)
            score = (relevance + speaker) * length * factor
            signals = {
                "lex": lexical,
                "vec": nearness,
                "coverage": held,
                "speaker": speaker,
                "length": length,
                "prior": factor,
            }
            if query.explain:
                signals |= dict(parts)
            scored.append((key, Hit(item, score, min(1.0, relevance), signals)))
        return scored


def _coverage(reader: Reader, wanted: Sequence[str], items: Mapping[int, Item]) -> dict[int, float]:
    """The share of the question's information that each item holds: sums of IDF over distinct tokens."""
    tokens = sorted({token for found in reader.tokens(wanted) for token in found})
    counts = reader.document_counts(tokens)
    total = max(1, reader.extent())
    weights = {token: math.log(1 + total / (1 + count)) for token, count in counts.items()}
    mass = sum(weights.values())
    if not mass:
        return dict.fromkeys(items, 0.0)
    texts = reader.tokens([f"{item.title} {item.content} {' '.join(item.tags)}" for item in items.values()])
    return {
        key: sum(weight for token, weight in weights.items() if token in held) / mass
        for key, held in zip(items, map(frozenset, texts), strict=True)
    }


def _speaker_named(item: Item, question: str) -> bool:
    sender = item.metadata.get("sender")
    return isinstance(sender, str) and sender.casefold().split(" ")[0] in question


def _is_long_answer(item: Item) -> bool:
    return (
        item.provenance.source_role == "assistant"
        and item.type == "episode"
        and item.content.count(" ") > _LONG_WORDS
    )
