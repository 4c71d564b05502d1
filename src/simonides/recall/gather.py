"""From a question to its candidates: every channel is asked, and what they give becomes one table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import EntityType
from simonides.domain.instant import DAY_US
from simonides.domain.item import Status
from simonides.domain.selection import LONGER
from simonides.domain.text import cjk_runs
from simonides.errors import ProviderError
from simonides.language.calendar.told import words_naming
from simonides.language.guess import language_of
from simonides.language.search_tokens import search_tokens, tokens_of
from simonides.language.succession import words_of
from simonides.language.terms import is_topical, terms
from simonides.ports.embedder import Embedder
from simonides.ports.recalling import Neared, Nearing, Opened, Opening, ViewState, Words, interleaved
from simonides.ports.store import Sketch, TextMatches, TextQuery
from simonides.ports.vectors import VectorIndex
from simonides.recall.candidates import CandidateTable, Floats, QueryContext
from simonides.recall.close_reader import MAX_CHARS, CloseReader, StoredReading
from simonides.recall.cosines import PLAIN
from simonides.recall.passage import WHOLE_CHARS, Sought
from simonides.recall.question.analysis import Analysis
from simonides.recall.question.exemplars import EmbeddedExemplars
from simonides.recall.question.parts import parts
from simonides.recall.question.speech import Act, act_of_text
from simonides.recall.ranking.match import LARGE
from simonides.recall.ranking.succession import asked_change
from simonides.recall.ranking.texts import first_name, worded
from simonides.recall.result import Query
from simonides.recall.spread import relations, spread
from simonides.recall.store_view import ComparedVectors, StoreView
from simonides.values import dataclass

#: Candidates that the text channel and the vector channel give.
WIDTH: Final = 60
#: Below every cosine.
_ANY_COSINE: Final = -2.0
#: From so many items of a store on, it counts how many of them pass the filters.
_MANY: Final = 500
#: Where what upkeep has read is asked: in smaller stores all that matters is read for the question.
_READ_FROM: Final = 500
#: Of the best candidates, the turns around them become candidates too.
_SURROUNDED: Final = 20
_REACH: Final = 2
#: Candidates that an entity, a time or a former wording gives.
_NARROW: Final = 30
#: Pinned items that are always looked at.
_PINNED: Final = 5
#: An entity that so many items mention tells none of them from the others.
_TOO_COMMON: Final = 200
#: Long texts that the text channel gives beside those.
_LONG: Final = 20
#: Best candidates from which activation flows, and how many links in a row of a simple and a complex question.
_SEEDS: Final = 20
_DEPTH: Final = 1
_COMPLEX_DEPTH: Final = 2
_MOSTLY_UNSPACED: Final = 0.5
#: Where so many of the nearest hold too few that pass, those that pass are looked through instead.
_WIDEST: Final = 1_000
_PASSING: Final = 20_000
_NONE: Final = np.empty(0, np.int64)
#: Turns that asked the same are counted up to so many; signs and blanks that one may have besides.
_MOST_ASKED: Final = 100
_MARKS: Final = 8


@dataclass(frozen=True, slots=True)
class _Question:
    """A question as it is looked for.

    Attributes:
        parts: The questions that it asks.
        unasked: Its words that are not looked for, case folded.
    """

    query: Query
    analysis: Analysis
    parts: tuple[str, ...]
    unasked: frozenset[str]

    @classmethod
    def of(cls, query: Query, analysis: Analysis) -> _Question:
        """Read which of its words are looked for."""
        return cls(query, analysis, _about_something(parts(analysis.text)), _naming_a_time(analysis))


class Gatherer:
    """Asks the channels of one store."""

    def __init__(
        self,
        index: Callable[[], VectorIndex],
        embedder: Embedder,
        exemplars: EmbeddedExemplars | None = None,
        closer: CloseReader | None = None,
        stored: Sequence[StoredReading] = (),
    ) -> None:
        self._new_index = index
        self._index: VectorIndex | None = None
        self._making = threading.Lock()
        self._embedder = embedder
        self.exemplars = EmbeddedExemplars(embedder) if exemplars is None else exemplars
        self._closer = closer
        self._stored = stored

    @property
    def index(self) -> VectorIndex:
        """The index of vectors; made when it is first asked for.

        Raises:
            ProviderError: The embedder cannot say what its vectors are.
        """
        with self._making:
            if self._index is None:
                self._index = self._new_index()
            return self._index

    @contextmanager
    def of_the_past(self) -> Generator[Gatherer]:
        """One that asks a former state of the store, whose vectors it reads anew, once."""
        gatherer = Gatherer(self._new_index, self._embedder, self.exemplars, self._closer)
        try:
            yield gatherer
        finally:
            gatherer.close()

    def vectors(self, view: StoreView) -> VectorIndex | ComparedVectors:
        """Vectors of a view: those of the store where it compares them, else those of the index.

        Raises:
            ProviderError: The embedder cannot say what its vectors are.
        """
        if (comparer := view.reader.comparer) is None:
            return self.index
        self._index = None  # What is not kept up to date would hold what was purged.
        return ComparedVectors(comparer, self._embedder.identity)

    def close(self) -> None:
        """End what the index does in the background."""
        if self._index is not None:
            self._index.close()
        for stored in self._stored:
            stored.close()

    def gather(
        self,
        view: StoreView,
        query: Query,
        analysis: Analysis,
        *,
        vectors: bool = True,
        fetch: int = 1,
        matches: TextMatches | None = None,
    ) -> CandidateTable:
        """The candidates from every channel. Each applies the whole selection before its limit.

        Args:
            vectors: Whether the question is embedded at all.
            fetch: Candidates of the text channel, as so many times the hits that are wanted.
            matches: Those of the text channel, where it was asked already.
        """
        question = _Question.of(query, analysis)
        opened = view.reader.open(_opening(view.state, question, fetch, matches))
        text = opened.text
        degradations = [] if text.degraded is None else [text.degraded]
        names = _names_in(question.parts, opened.sketches.values())
        embedded, held = self._compared(view, question, names, degradations) if vectors else (None, None)
        compared = _compared(held, embedded)
        closer = None if self._closer is None else self._closer.of(analysis.text)
        stored = self._read_by_upkeep(view, question, opened, closer, degradations) if compared else None
        small = view.state.extent < _READ_FROM
        reading = None if small else _reading(stored, question, closer, degradations)
        # A closer reading may find what the embedder has no inkling of: "a baker" where a living is asked for.
        above = 0.0 if self._closer is None else _ANY_COSINE
        neared = _neared(view, question, opened, compared, stored, reading, above)
        near = interleaved(neared.near)
        if held is not None:
            degradations += held.degradations
        near_keys: list[int] = near.tolist()
        activation = _activated(neared, question, text.keys.tolist(), near_keys)
        entities = {key: entity.name for _, key, entity in opened.entities}
        sketches, mentions = _sketched(view, opened, {*near_keys, *neared.around, *activation})
        keys = [sketch.key for sketch in sketches]
        key_column = np.array(keys, np.int64)
        text_rank, bm25 = _scored(opened, key_column)
        passing = _passing(view, neared, len(keys))
        if closer is None and self._closer is not None and passing < LARGE:
            closer = self._closer.beside(analysis.text, (sketch.content for sketch in sketches))
        context = self._context(view, question, opened, names, embedded, closer)
        table = CandidateTable(
            query=replace(context, passing=passing, asked_before=_asked_before(view, question, sketches)),
            keys=key_column,
            sketches=sketches,
            event_at=np.array([sketch.event_at for sketch in sketches], np.int64),
            text_rank=text_rank,
            bm25=bm25,
            vectors=_no_vectors(len(keys)) if held is None else held.vectors(key_column),
            entity=_shares(mentions, keys, entities),
            activation=np.array([activation.get(key, 0.0) for key in keys])
            if activation
            else np.zeros(len(keys)),
            changing=np.isin(keys, opened.changing).astype(float) if opened.changing else np.zeros(len(keys)),
            sought=Sought({}, (), search_tokens),
            channels=_channels(opened, near, activation),
            degradations=(*degradations, *(() if analysis.degraded is None else (analysis.degraded,))),
        )
        if closer is not None and stored is not None and small:
            closer.learn([sketch.content for sketch in sketches], stored.vectors(key_column))
        return table if reading is None else _with_readings(table, reading)

    def _read_by_upkeep(
        self,
        view: StoreView,
        question: _Question,
        opened: Opened,
        closer: CloseReader | None,
        degradations: list[str],
    ) -> VectorIndex | ComparedVectors | None:
        """Readings that upkeep made of the store by the question's reader; None where they are not asked.

        It is asked where the words of the question find statements for the most part, or nothing at all.
        """
        stored = next((one for one in self._stored if one.closer is closer), None)
        if stored is None or len(question.parts) != 1 or len(question.analysis.text) > MAX_CHARS:
            return None
        longer = [sketch.type in LONGER for sketch in opened.sketches.values()]
        if 2 * sum(longer) > len(longer):
            return None
        try:
            return stored.of(view)
        except ProviderError as error:
            degradations.append(f"close reading: {error}")
            return None

    def _context(
        self,
        view: StoreView,
        question: _Question,
        opened: Opened,
        names: frozenset[str],
        embedded: NDArray[np.float32] | None,
        closer: CloseReader | None,
    ) -> QueryContext:
        """The question as the table of candidates has it, before these are known.

        Args:
            names: Of senders that it mentions.
            embedded: Vectors of its parts.
            closer: Reads it and what may answer it.
        """
        query, analysis = question.query, question.analysis
        known = {key: entity for _, key, entity in opened.entities}
        return QueryContext(
            analysis=analysis,
            k=query.k,
            now=query.at,
            parts=question.parts,
            counts=opened.counts,
            variants=opened.variants,
            extent=view.state.extent,
            scope=next(iter(query.selection.scopes or ()), None),
            names=names,
            entities=tuple(entity.name for entity in known.values()),
            untold=bool(known)
            and not any(one.settled or one.type is not EntityType.CONCEPT for one in known.values()),
            tags=query.selection.tags,
            unasked=question.unasked,
            session=opened.session,
            topical=is_topical(query.text),
            unspaced=unspaced_share(analysis.text) > _MOSTLY_UNSPACED,
            vectors=embedded,
            scale=PLAIN if embedded is None else self.exemplars.scale,
            trusted=[1.0 if self._embedder.multilingual else latin_share(part) for part in question.parts],
            embed=self._embedded if self._embedder.local else None,
            closer=closer,
        )

    def _compared(
        self, view: StoreView, question: _Question, names: frozenset[str], degradations: list[str]
    ) -> tuple[NDArray[np.float32] | None, VectorIndex | ComparedVectors | None]:
        """The vectors of the questions, and what compares them; None where one of them is missing."""
        try:
            asked, known = [_without(part, names) for part in question.parts], question.analysis.embedded
            if known is not None and known.embedder is self._embedder and asked == [question.analysis.text]:
                questions = known.vector[None] if known.vector.any() else None
            else:
                questions = self._embedded(asked)
            if questions is None:
                return None, None
            _ = self.exemplars.scale  # Without it cosines cannot be read; known from here on.
            # Made once the embedder has answered: a remote one that does not must not stop the search.
            held = self.vectors(view)
        except ProviderError as error:
            degradations.append(f"vectors: {error}")
            return None, None
        if not isinstance(held, ComparedVectors):
            held.refresh(view)
        return questions, held

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        vectors = np.asarray(self._embedder.embed(texts), np.float32)
        return vectors if vectors.any() else None


def _reading(
    index: VectorIndex | ComparedVectors | None,
    question: _Question,
    closer: CloseReader | None,
    degradations: list[str],
) -> _Compared | None:
    """The question as it is read closely, and what it is compared with; None where there is nothing of the kind."""
    if index is None or closer is None:
        return None
    try:
        return _Compared(index, closer.vectors([question.analysis.text])[0])
    except ProviderError as error:
        degradations.append(f"close reading: {error}")
        return None


@dataclass(frozen=True, slots=True)
class _Compared:
    """A question's vector, and the index that compares it."""

    index: VectorIndex | ComparedVectors
    question: NDArray[np.float32]


def _sketched(
    view: StoreView, opened: Opened, near: Collection[int]
) -> tuple[list[Sketch], Sequence[tuple[int, int]]]:
    """The rows of all candidates, by key, and (item key, entity key) of their mentions where entities are named.

    Args:
        near: Keys of what the channels gave beside those of the text channel and of `opened`.
    """
    others = {
        *near, *opened.changing, *opened.mentioning, *opened.former, *opened.within, *opened.pinned,
    }  # fmt: skip
    missing = sorted(others.difference(opened.sketches))
    looked = view.reader.look(missing, sorted({*others, *opened.sketches}) if opened.entities else ())
    every = {**opened.sketches, **looked.sketches}
    # A record of which nothing is indexed has no words; a time may name it all the same.
    return [every[key] for key in sorted(every) if every[key].content], looked.mentions


def _asked_before(view: StoreView, question: _Question, sketches: Iterable[Sketch]) -> int:
    """Number of turns that asked the same in the same words, those among them that go into no prompt."""
    text, selection = question.analysis.text, question.query.selection
    asked = tokens_of(text)
    turns = [sketch for sketch in sketches if _says(sketch, asked, len(text))]
    if selection.injectable and question.analysis.terms:
        withheld = replace(selection, injectable=False, types=frozenset({"episode"}))
        every = TextQuery(question.analysis.terms, every=True)
        found = view.reader.search_text(every, withheld, _MOST_ASKED)
        held = view.reader.look(found.keys.tolist()).sketches.values() if len(found.keys) else ()
        turns += [sketch for sketch in held if _says(sketch, asked, len(text))]
    return sum(act_of_text(turn.content, turn.type, turn.role) is Act.ASKS for turn in turns)


def _says(sketch: Sketch, asked: Sequence[str], length: int) -> bool:
    return (
        sketch.type == "episode"
        and len(sketch.content) <= length + _MARKS
        and tokens_of(sketch.content) == asked
    )


def _channels(opened: Opened, near: NDArray[np.int64], activation: Mapping[int, float]) -> tuple[str, ...]:
    """Names of the channels that gave any candidates."""
    text = opened.text.keys
    channels = (
        ("text", text), ("vectors", near), ("entities", opened.mentioning), ("time", opened.within),
        ("former wording", set(opened.former) - set(text.tolist())), ("links", activation),
        ("changes", opened.changing),
    )  # fmt: skip
    return tuple(name for name, some in channels if len(some))


def _compared(
    held: VectorIndex | ComparedVectors | None, questions: NDArray[np.float32] | None
) -> list[_Compared]:
    if held is None or questions is None:
        return []
    return [_Compared(held, vector) for vector in questions if vector.any()]


def _with_readings(table: CandidateTable, reading: _Compared) -> CandidateTable:
    readings = reading.index.vectors(table.keys)
    return table.having(
        query=replace(table.query, reading=reading.question),
        readings=readings,
        closeness=np.vecdot(readings, reading.question).astype(np.float64).round(6),
    )


def _no_vectors(count: int) -> NDArray[np.float32]:
    return np.zeros((count, 1), np.float32)


def opening(query: Query, analysis: Analysis, state: ViewState, *, fetch: int = 1) -> Opening:
    """The first call of the store about a question, before vectors are compared."""
    return _opening(state, _Question.of(query, analysis), fetch, None)


def _opening(state: ViewState, question: _Question, fetch: int, given: TextMatches | None) -> Opening:
    query, analysis, unasked = question.query, question.analysis, question.unasked
    wanted = tuple(term for term in terms(" ".join(question.parts)) if term.casefold() not in unasked)
    window, change = analysis.window, asked_change(analysis)
    during = None if window is None else (window.start, window.end)
    if window is not None and not wanted:  # What tells of that time is found by the words for it.
        window = analysis.coming or window
        wanted = words_naming(window, language_of(analysis.text))
        if 0 < window.start - query.at <= DAY_US:  # "Tomorrow", told the day before.
            during = (window.start - DAY_US, window.end)
    return Opening(
        selection=query.selection,
        text=TextQuery(wanted),
        given=given,
        width=max(WIDTH, query.k * fetch),
        long_bytes=WHOLE_CHARS,
        long=_LONG,
        words=_words(analysis, question.parts, unasked),
        names=analysis.candidates,
        too_common=_TOO_COMMON,
        narrow=_NARROW,
        window=during,
        last_session=analysis.last_session,
        asking=query.session_id,
        former=state.superseded
        and (Status.ARCHIVED not in query.selection.statuses or query.selection.former is not None),
        changing=() if change is None else words_of(change),
        pinned=_PINNED if state.pinned else 0,
    )


def _words(analysis: Analysis, asked: Sequence[str], unasked: frozenset[str]) -> Words:
    cut = search_tokens([term for words in worded(asked, unasked) for term in words])
    return Words(
        sorted({token for some in cut for token in some}),
        frozenset(tokens_of(" ".join(analysis.names))),
        language_of(analysis.text),
    )


def _neared(
    view: StoreView,
    question: _Question,
    opened: Opened,
    compared: Sequence[_Compared],
    stored: VectorIndex | ComparedVectors | None,
    reading: _Compared | None,
    above: float,
) -> Neared:
    """The nearest items that pass the selection, widened until there are enough, and what surrounds the best.

    Args:
        stored: What upkeep has read; None where it is not asked.
        reading: The question as it is compared with that; None where it is not.
        above: The cosine above which an item is near.
    """
    query, analysis = question.query, question.analysis
    wanted = max(WIDTH, query.k)
    asking = Nearing(
        selection=query.selection,
        text=opened.text.keys[: max(_SURROUNDED, _SEEDS)].tolist(),
        wanted=wanted,
        above=above,
        surrounded=_SURROUNDED,
        reach=_REACH,
        seeds=_SEEDS,
        relations=frozenset(relations(analysis.intent)),
        depth=_COMPLEX_DEPTH if analysis.complex else _DEPTH,
    )
    if compared and isinstance(store := compared[0].index, ComparedVectors):
        return view.reader.near(
            replace(
                asking,
                questions=[one.question for one in compared],
                model=store.model,
                reading=stored.model if isinstance(stored, ComparedVectors) else None,
                read=None if reading is None else reading.question,
            )
        )
    compared = compared if reading is None else [*compared, reading]
    asking = replace(asking, near=[_NONE] * len(compared), asked=[0] * len(compared))
    short, limit, exhausted = frozenset(range(len(compared))), wanted, False
    while True:
        near, asked = list(asking.near), list(asking.asked)
        for number in short:
            index, vector = compared[number].index, compared[number].question
            assert not isinstance(index, ComparedVectors)
            if exhausted:
                near[number], asked[number] = _among(view, index, query, vector, above), 0
            else:
                keys, cosines = index.search(vector, query.selection, opened.scopes, limit)
                near[number], asked[number] = keys[cosines > above], limit
        asking = replace(asking, near=near, asked=asked)
        neared = view.reader.near(asking)
        if not neared.short:
            return neared
        short, limit, exhausted = neared.short, limit * 4, limit >= _WIDEST


def _passing(view: StoreView, neared: Neared, candidates: int) -> int:
    """About how many items pass the filters: where few are near, all that pass are candidates."""
    extent = view.state.extent
    few = bool(neared.near) and all(len(some) < WIDTH for some in neared.near)
    return min(extent, candidates) if few and extent > _MANY else extent


def _among(
    view: StoreView, index: VectorIndex, query: Query, vector: NDArray[np.float32], above: float
) -> NDArray[np.int64]:
    """The nearest of what passes a selection that little passes: of more than is looked through, the newest."""
    keys = np.array(view.reader.keys(query.selection, limit=_PASSING), np.int64)
    cosines = index.cosines(vector, keys)
    order = np.lexsort((keys, -cosines))
    return keys[order[cosines[order] > above]]


def _about_something(asked: tuple[str, ...]) -> tuple[str, ...]:
    """The questions that have a word to look for, if any has; "what is it?" would match anything."""
    return tuple(part for part in asked if is_topical(part)) or asked


def _naming_a_time(analysis: Analysis) -> frozenset[str]:
    """Words that are not looked for, case folded: those of a question about a time and nothing else.

    Beside other words those of a time are looked for as well: turns say "last week" about what is asked for.
    """
    if (analysis.window is None and not analysis.last_session) or analysis.content_terms:
        return frozenset()
    return frozenset(term.casefold() for term in analysis.terms)


def _scored(opened: Opened, keys: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Rank of each item in the text channel, behind all where it has none, and its score or that of former words."""
    ranks, scores = np.full(len(keys), len(opened.text.keys)), np.zeros(len(keys))
    places = keys.searchsorted(opened.text.keys)
    # What matches by its title alone has nothing to read, and is no candidate.
    held = (keys.take(places, mode="clip") == opened.text.keys) if len(keys) else np.zeros(len(places), bool)
    ranks[places[held]] = np.flatnonzero(held)
    scores[places[held]] = opened.text.scores[held]
    if opened.former:
        former = [opened.former.get(key, 0.0) for key in cast("list[int]", keys.tolist())]
        scores = np.maximum(scores, former)
    return ranks, scores


def _shares(mentions: Sequence[tuple[int, int]], keys: Sequence[int], entities: Mapping[int, str]) -> Floats:
    """Share of the named entities that each item mentions."""
    found = np.zeros(len(keys))
    if not mentions:
        return found
    rows = {key: row for row, key in enumerate(keys)}
    for key, entity in mentions:
        if entity in entities and key in rows:
            found[rows[key]] += 1 / len(entities)
    return np.minimum(found, 1.0)


def _activated(
    neared: Neared, question: _Question, text: Sequence[int], near: Sequence[int]
) -> dict[int, float]:
    """Activation that flows from the best candidates of text and vectors over links, by key."""
    query, analysis = question.query, question.analysis
    if not neared.edges:
        return {}
    half = _SEEDS // 2
    seeds: dict[int, float] = {}
    for ranked in (text[:half], near[:half]):
        for rank, key in enumerate(ranked):
            seeds[key] = max(seeds.get(key, 0.0), 1 - rank / half)
    given = spread(seeds, neared.edges, analysis.intent, query.at)
    received = {key: share for key, share in given.items() if key in neared.passing}
    last = received
    for _ in range(1, _COMPLEX_DEPTH if analysis.complex else _DEPTH):
        # What fewer links lead to counts as reached over those; nothing flows back to where it came from.
        last = {key: share for key, share in last.items() if key not in seeds}
        given = spread(last, neared.edges, analysis.intent, query.at)
        known = {*seeds, *received}
        last = {key: share for key, share in given.items() if key in neared.passing and key not in known}
        received |= last
    return {key: received[key] for key in sorted(received, key=lambda key: (-received[key], key))[:_NARROW]}


def _names_in(questions: Sequence[str], sketches: Iterable[Sketch]) -> frozenset[str]:
    """First names of senders among the candidates that the question mentions, case folded."""
    words = {term.casefold() for question in questions for term in terms(question)}
    return frozenset(
        words & {first_name(sender) for sender in {sketch.sender for sketch in sketches} if sender}
    )


def unspaced_share(text: str) -> float:
    """Share of a text's letters that are of scripts without spaces."""
    letters = sum(character.isalpha() for character in text)
    return sum(map(len, cjk_runs(text))) / letters if letters else 0.0


def latin_share(text: str) -> float:
    """Share of a text's letters that an embedder for English can know; 1 where there are none."""
    letters = [character for character in text if character.isalpha()]
    return sum(character < "\u0250" for character in letters) / len(letters) if letters else 1.0


def _without(question: str, names: frozenset[str]) -> str:
    """The question without the names of who speaks: they say who is asked about, not what."""
    if not names:
        return question
    return " ".join(word for word in question.split() if _bare(word) not in names) or question


def _bare(word: str) -> str:
    bare = word.strip(".,;:!?\"'()[]«»“”").casefold()
    return bare.removesuffix("'s").removesuffix("’s")
