"""The read path: analyse → candidates → features → rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import SECOND_US
from simonides.domain.taxonomy import Taxonomy
from simonides.errors import InvalidSettings, ProviderError
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader, Sketch, Store, TextMatches, TextQuery
from simonides.ports.vectors import VectorIndex
from simonides.recall.rank import Features, Neighbours, Scores, Weights, priors, scores
from simonides.recall.result import Hit, Query, SearchResult
from simonides.recall.terms import terms

#: Candidates that each channel gives.
_WIDTH: Final = 80
#: Of the best candidates, the turns around them become candidates too.
_SURROUNDED: Final = 30
_REACH: Final = 2
#: A conversation that is silent for so long has ended.
_SILENCE_US: Final = 30 * 60 * SECOND_US
_PRECISION: Final = 6
#: A text is in Latin script if this share of its letters is; looked at in so much of so many candidates.
_MOSTLY: Final = 0.9
_SAMPLE: Final = 80
_SAMPLES: Final = 5
_NONE: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Bounds of the read path.

    Attributes:
        min_relevance: Hits below it are hidden, in [0, 1].
        abstain_below: Where the best relevance is below it, nothing is returned; only for questions and
            candidates in Latin script, since what texts of other scripts share is measured more coarsely.
        weights: Of the balanced profile.
    """

    min_relevance: float = 0.0
    abstain_below: float = 0.2
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        for name in ("min_relevance", "abstain_below"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                raise InvalidSettings(f"recall.{name} lies in [0, 1], got {value}")


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a question, before they are ranked.

    Attributes:
        comparable: Whether a low relevance means that nothing answers: question and candidates are in
            Latin script, where words are compared as words and not as pairs of characters.
    """

    features: Features
    comparable: bool
    channels: tuple[str, ...]
    degradations: tuple[str, ...]


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
        if query.as_of is None:
            with self._store.read() as reader:
                return self._ranked(reader, query, self.candidates(reader, query))
        past = self._store.as_of(query.as_of, query.selection.scopes)
        try:
            with past.read() as reader:
                return self._ranked(reader, query, self.candidates(reader, query, past=True))
        finally:
            past.close()

    def candidates(self, reader: Reader, query: Query, *, past: bool = False) -> Found:
        """What may answer a question, from every channel, with its features."""
        wanted = terms(query.text)
        text = reader.search_text(TextQuery(wanted), query.selection, max(_WIDTH, query.k))
        degradations = [] if text.degraded is None else [text.degraded]
        sketches = {sketch.key: sketch for sketch in reader.sketches(text.keys.tolist())}
        names = _names_in(query.text, sketches.values())
        vector = self._embedded(_without(query.text, names), degradations)
        index = None if vector is None else self._caught_up(reader, past=past)
        near = _NONE if vector is None or index is None else self._nearest(reader, index, query, vector)
        channels = tuple(name for name, keys in (("text", text.keys), ("vectors", near)) if len(keys))
        best = [*text.keys[:_SURROUNDED].tolist(), *near[:_SURROUNDED].tolist()]
        around = reader.around(best, _REACH, query.selection)
        missing = sorted({*near.tolist(), *around} - set(sketches))
        sketches |= {sketch.key: sketch for sketch in reader.sketches(missing)}
        keys = np.array(sorted(sketches), np.int64)
        cosines = np.zeros(len(keys)) if vector is None or index is None else index.cosines(vector, keys)
        ordered = [sketches[key] for key in keys.tolist()]
        features = self._features(reader, query, wanted, names, text, ordered, cosines.astype(np.float64))
        sample = " ".join([query.text, *(sketch.content[:_SAMPLE] for sketch in ordered[:_SAMPLES])])
        return Found(features, _latin_share(sample) > _MOSTLY, channels, tuple(degradations))

    def _ranked(self, reader: Reader, query: Query, found: Found) -> SearchResult:
        outcome = scores(found.features, self._settings.weights)
        keys = found.features.keys
        order = np.lexsort((keys, -np.round(outcome.score, _PRECISION)))
        bound = self._settings.min_relevance if query.min_relevance is None else query.min_relevance
        best = outcome.relevance.max(initial=0.0)
        if query.min_relevance is None and found.comparable and best < self._settings.abstain_below:
            bound = math.inf
        passing = outcome.relevance[order] >= bound
        chosen = order[passing][: query.k]
        items = reader.load(keys[chosen].tolist())
        hits = tuple(
            Hit(
                item=items[int(keys[row])],
                score=round(float(outcome.score[row]), _PRECISION),
                relevance=round(float(outcome.relevance[row]), _PRECISION),
                signals=_signals(found.features, outcome, int(row)),
            )
            for row in chosen
            if int(keys[row]) in items
        )
        return SearchResult(
            hits=hits,
            abstained=not hits,
            hidden=int(len(keys) - passing.sum()),
            strategy="+".join(found.channels) or "none",
            degradations=found.degradations,
        )

    def _embedded(self, text: str, degradations: list[str]) -> NDArray[np.float32] | None:
        try:
            vector = self._embedder.embed([text])[0]
        except ProviderError as error:
            degradations.append(f"vectors: {error}")
            return None
        return vector if vector.any() else None

    def _caught_up(self, reader: Reader, *, past: bool) -> VectorIndex:
        # Made once the embedder has answered: a remote one that does not must not stop the search.
        if past:
            index = self._new_index()
        else:
            index = self._index = self._index or self._new_index()
        index.refresh(reader)
        return index

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

    def _features(
        self,
        reader: Reader,
        query: Query,
        wanted: Sequence[str],
        names: frozenset[str],
        text: TextMatches,
        sketches: list[Sketch],
        cosines: NDArray[np.float64],
    ) -> Features:
        bm25 = dict(zip(text.keys.tolist(), text.scores.tolist(), strict=True))
        held = _held(reader, [term for term in wanted if term.casefold() not in names] or wanted, sketches)
        return Features(
            keys=np.array([sketch.key for sketch in sketches], np.int64),
            bm25=np.array([bm25.get(sketch.key, 0.0) for sketch in sketches]),
            cosine=np.maximum(cosines, 0.0)
            * (1.0 if self._embedder.multilingual else _latin_share(query.text)),
            coverage=held.sum(axis=1),
            speaker=np.array([float(_first_name(sketch.sender) in names) for sketch in sketches]),
            words=np.array([sketch.content.count(" ") + 1.0 for sketch in sketches]),
            answer=np.array([float(_is_answer(sketch)) for sketch in sketches]),
            neighbours=_neighbours(sketches),
            session=_by_session(sketches, held),
            prior=priors(sketches, query.at, self._taxonomy),
        )


def _held(reader: Reader, wanted: Sequence[str], sketches: Sequence[Sketch]) -> NDArray[np.float64]:
    """How much of the question's information each candidate holds, token by token.

    Returns:
        Shape (candidates, tokens); the IDF share of a token where the text has it, else 0. Rows sum to
        at most 1.
    """
    tokens = sorted({token for found in reader.tokens(wanted) for token in found})
    counts = reader.document_counts(tokens)
    total = max(1, reader.extent())
    weights = np.array([math.log(1 + total / (1 + counts[token])) for token in tokens])
    if not tokens or not len(sketches):
        return np.zeros((len(sketches), max(1, len(tokens))))
    texts = reader.tokens(
        [f"{sketch.title} {sketch.content} {sketch.tags} {sketch.derived}" for sketch in sketches]
    )
    there = np.array([[token in text for token in tokens] for text in map(frozenset, texts)], np.float64)
    return there * (weights / weights.sum())


def _by_session(sketches: Sequence[Sketch], held: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the candidates of each one's session hold of the question together; 0 outside of sessions."""
    together: dict[tuple[int, str], NDArray[np.float64]] = {}
    for row, sketch in enumerate(sketches):
        if sketch.session_id is not None:
            place = (sketch.scope, sketch.session_id)
            together[place] = np.maximum(together[place], held[row]) if place in together else held[row]
    if len(together) < 2:
        return np.zeros(len(sketches))  # Where there is one session only, it tells none of them from another.
    sums = {place: float(row.sum()) for place, row in together.items()}
    return np.array([sums.get((sketch.scope, sketch.session_id or ""), 0.0) for sketch in sketches])


def _neighbours(sketches: Sequence[Sketch]) -> Neighbours:
    """Rows of the turns before, after, two before and two after each candidate; -1 for none."""
    rows = {
        (sketch.scope, sketch.session_id, sketch.ordinal): row
        for row, sketch in enumerate(sketches)
        if sketch.ordinal is not None and sketch.session_id is not None
    }

    def neighbour(sketch: Sketch, step: int) -> int:
        if sketch.ordinal is None or sketch.session_id is None:
            return -1
        row = rows.get((sketch.scope, sketch.session_id, sketch.ordinal + step), -1)
        # Turns that are further apart in time stand beside each other by chance: notes, not a conversation.
        return row if row >= 0 and abs(sketches[row].event_at - sketch.event_at) <= _SILENCE_US else -1

    def at(step: int) -> NDArray[np.intp]:
        return np.fromiter((neighbour(sketch, step) for sketch in sketches), np.intp, len(sketches))

    return at(-1), at(1), at(-2), at(2)


def _signals(features: Features, outcome: Scores, row: int) -> Mapping[str, float]:
    """What made a score: parts that add up to it once `prior` multiplies their sum, and the raw signals."""
    found = {
        "lex": outcome.lexical[row],
        "vec": features.cosine[row],
        "coverage": features.coverage[row],
        "speaker": features.speaker[row],
        "alone": outcome.alone[row],
        "surroundings": outcome.surroundings[row],
        "session": outcome.session[row],
        "prior": outcome.factor[row],
    }
    return {name: round(float(value), _PRECISION) for name, value in found.items()}


def _names_in(question: str, sketches: Iterable[Sketch]) -> frozenset[str]:
    """First names of senders among the candidates that the question mentions, case folded."""
    words = {term.casefold() for term in terms(question)}
    senders = {_first_name(sketch.sender) for sketch in sketches if sketch.sender}
    return frozenset(words & senders)


def _latin_share(text: str) -> float:
    """Share of a text's letters that an embedder for English can know; 1 where there are none."""
    letters = [character for character in text if character.isalpha()]
    return sum(character < "\u0250" for character in letters) / len(letters) if letters else 1.0


def _first_name(sender: str) -> str:
    return sender.split(" ", 1)[0].casefold()


def _without(question: str, names: frozenset[str]) -> str:
    """The question without the names of who speaks: they say who is asked about, not what."""
    if not names:
        return question
    return " ".join(word for word in question.split() if _bare(word) not in names) or question


def _bare(word: str) -> str:
    bare = word.strip(".,;:!?\"'()[]«»“”").casefold()
    return bare.removesuffix("'s").removesuffix("’s")


def _is_answer(sketch: Sketch) -> bool:
    return sketch.role == "assistant" and sketch.type == "episode"
