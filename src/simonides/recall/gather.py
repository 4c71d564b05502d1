"""From a question to its candidates: every channel is asked, and what they gave is laid out in columns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection, happening
from simonides.domain.text import cjk_runs
from simonides.errors import ProviderError
from simonides.language.terms import is_topical, terms
from simonides.ports.buffer import SessionSelection
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader, Sketch, TextMatches, TextQuery
from simonides.ports.vectors import VectorIndex
from simonides.recall.features import Scene
from simonides.recall.passage import WHOLE_CHARS
from simonides.recall.pool import Floats, Pool
from simonides.recall.question.analysis import Analysis
from simonides.recall.question.parts import parts
from simonides.recall.result import Query
from simonides.recall.scene import Sighting, first_name, scene_of
from simonides.recall.spread import relations, spread

#: Candidates that the text channel and the vector channel give.
WIDTH: Final = 60
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
#: Best candidates from which activation flows.
_SEEDS: Final = 20
_MOSTLY_UNSPACED: Final = 0.5
#: Where so many of the nearest hold too few that pass, those that pass are looked through instead.
_WIDEST: Final = 1_000
_PASSING: Final = 20_000
_NONE: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates of a question, before they are ranked.

    Attributes:
        sighting: What the channels gave, before it was laid out.
        scene: What the balanced profile looks at.
        vector: The question's; None without vectors.
        index: Where the candidates' vectors are; None without vectors.
        trust: How far the embedder knows the script of the question, in [0, 1]; 0 without vectors.
        unspaced: Whether the question is mostly of a script without spaces.
        channels: Which channels gave any.
        entities: Names of the known entities that the question names.
    """

    sighting: Sighting
    pool: Pool
    scene: Scene
    vector: NDArray[np.float32] | None
    index: VectorIndex | None
    trust: float
    unspaced: bool
    channels: tuple[str, ...]
    entities: tuple[str, ...]
    degradations: tuple[str, ...]


class Gatherer:
    """Asks the channels of one store."""

    def __init__(self, index: Callable[[], VectorIndex], embedder: Embedder) -> None:
        self._new_index = index
        self._index: VectorIndex | None = None
        self._making = threading.Lock()
        self._embedder = embedder

    @property
    def index(self) -> VectorIndex:
        """What compares vectors; made when it is first asked for.

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
        gatherer = Gatherer(self._new_index, self._embedder)
        try:
            yield gatherer
        finally:
            gatherer.close()

    def close(self) -> None:
        """End what the index does in the background."""
        if self._index is not None:
            self._index.close()

    def gather(
        self,
        reader: Reader,
        query: Query,
        analysis: Analysis,
        *,
        vectors: bool = True,
        fetch: int = 1,
        matches: TextMatches | None = None,
    ) -> Gathered:
        """What may answer a question, from every channel. Each applies the whole selection before its limit.

        Args:
            vectors: Whether the question is embedded at all.
            fetch: Candidates of the text channel, as so many times the hits that are wanted.
            matches: What the text channel gave, where it was asked already.
        """
        degradations: list[str] = []
        asked = _about_something(parts(analysis.text))
        unasked = _naming_a_time(analysis)
        wanted = TextQuery(tuple(term for term in terms(" ".join(asked)) if term.casefold() not in unasked))
        text = matches or _text(reader, wanted, query.selection, max(WIDTH, query.k * fetch))
        if text.degraded is not None:
            degradations.append(text.degraded)
        sketches = {sketch.key: sketch for sketch in reader.sketches(text.keys.tolist())}
        names = _names_in(asked, sketches.values())
        questions = (
            self._embedded([_without(part, names) for part in asked], degradations) if vectors else None
        )
        index = None if questions is None else self._caught_up(reader, degradations)
        if index is None:
            questions = None
        near = _NONE
        if questions is not None and index is not None:
            near = _interleaved([self._nearest(reader, index, query, vector) for vector in questions])
            degradations += index.degradations
        entities, mentioned = _mentioned(reader, query.selection, analysis)
        former = _successors(reader, query.selection, wanted)
        in_window = _NONE
        if analysis.window is not None:
            of_it = happening(query.selection, analysis.window.start, analysis.window.end)
            in_window = np.array(reader.keys(of_it, ItemOrder.LATEST, limit=_NARROW), np.int64)
        before = _last_session(reader, query) if analysis.last_session else None
        if before is not None:
            of_it = replace(query.selection, session_id=before[1])
            in_window = np.union1d(in_window, np.array(reader.keys(of_it, limit=_NARROW), np.int64))
        best = [*text.keys[:_SURROUNDED].tolist(), *near[:_SURROUNDED].tolist()]
        around = reader.around(best, _REACH, query.selection)
        activation = _activated(reader, query, analysis, text, near)
        pinned = reader.keys(query.selection, ItemOrder.PINNED, limit=_PINNED)
        others = {*near.tolist(), *around, *mentioned, *former, *in_window.tolist(), *activation, *pinned}
        missing = sorted(others - set(sketches))
        sketches |= {sketch.key: sketch for sketch in reader.sketches(missing)}
        keys = np.array(sorted(sketches), np.int64)
        ordered = [sketches[key] for key in keys.tolist()]
        rows = None if index is None else index.vectors(keys)
        found = (
            ("text", text.keys), ("vectors", near), ("entities", mentioned), ("time", in_window),
            ("former wording", set(former) - set(text.keys.tolist())), ("links", activation),
        )  # fmt: skip
        sighting = Sighting(
            keys=keys,
            sketches=ordered,
            text=text,
            parts=asked,
            names=names,
            questions=questions,
            vectors=rows,
            trusted=[1.0 if self._embedder.multilingual else latin_share(part) for part in asked],
            activation=activation,
            former=former,
            entities=_shares(reader, keys, entities),
            window=analysis.window,
            session=before,
            embed=(lambda texts: self._embedded(texts, degradations)) if self._embedder.local else None,
            tags=query.selection.tags,
            now=query.at,
            unasked=unasked,
        )
        pool, scene = scene_of(reader, sighting)
        return Gathered(
            sighting=sighting,
            pool=pool,
            scene=scene,
            vector=None if questions is None else questions[0],
            index=index,
            trust=0.0 if questions is None else max(sighting.trusted),
            unspaced=unspaced_share(analysis.text) > _MOSTLY_UNSPACED,
            channels=tuple(name for name, some in found if len(some)),
            entities=tuple(entities.values()),
            degradations=tuple(degradations),
        )

    def _embedded(self, texts: Sequence[str], degradations: list[str]) -> NDArray[np.float32] | None:
        try:
            vectors = np.asarray(self._embedder.embed(texts), np.float32)
        except ProviderError as error:
            degradations.append(f"vectors: {error}")
            return None
        return vectors if vectors.any() else None

    def _caught_up(self, reader: Reader, degradations: list[str]) -> VectorIndex | None:
        # Made once the embedder has answered: a remote one that does not must not stop the search.
        try:
            index = self.index
        except ProviderError as error:  # It answered, and then could not say what it is.
            degradations.append(f"vectors: {error}")
            return None
        index.refresh(reader)
        return index

    def _nearest(
        self, reader: Reader, index: VectorIndex, query: Query, vector: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """Keys of the nearest items that pass the selection: widened until there are enough."""
        if not vector.any():
            return _NONE
        scopes = reader.scope_keys(query.selection)
        limit = wanted = max(WIDTH, query.k)
        while True:
            keys, cosines = index.search(vector, query.selection, scopes, limit)
            keys = keys[cosines > 0]
            if not query.selection.narrow:
                return keys[:wanted]
            passing = reader.matching(keys.tolist(), query.selection)
            if len(passing) >= wanted or len(keys) < limit:
                return np.array([key for key in keys.tolist() if key in passing][:wanted], np.int64)
            if limit >= _WIDEST:
                return self._among(reader, index, query, vector)[:wanted]
            limit *= 4

    def _among(
        self, reader: Reader, index: VectorIndex, query: Query, vector: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """The nearest of what passes a selection that little passes: of more than is looked through, the newest."""
        keys = np.array(reader.keys(query.selection, limit=_PASSING), np.int64)
        cosines = index.cosines(vector, keys)
        order = np.lexsort((keys, -cosines))
        return keys[order[cosines[order] > 0]]


def _text(reader: Reader, wanted: TextQuery, selection: Selection, limit: int) -> TextMatches:
    """What the text channel gives; where it gives no more than that, long texts too, whose words count for little.

    In a text of a book's length any word stands thinly, however near to each other those of the question stand.
    """
    found = reader.search_text(wanted, selection, limit)
    if len(found.keys) < limit or found.degraded is not None:
        return found
    long = reader.search_text(replace(wanted, above_bytes=WHOLE_CHARS), selection, _LONG)
    new = ~np.isin(long.keys, found.keys)
    return replace(
        found,
        keys=np.concatenate([found.keys, long.keys[new]]),
        scores=np.concatenate([found.scores, long.scores[new]]),
    )


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


def _last_session(reader: Reader, query: Query) -> tuple[Scope, str] | None:
    """The session that was heard of last, but for the one that asks."""
    asking = query.session_id
    found = reader.sessions(SessionSelection(scopes=query.selection.scopes), 2 if asking is None else 3)
    return next(((one.scope, one.session_id) for one in found if one.session_id != asking), None)


def _mentioned(
    reader: Reader, selection: Selection, analysis: Analysis
) -> tuple[dict[int, str], Sequence[int]]:
    """Known entities that the question names, by key, and items that mention the rarer ones."""
    if not analysis.candidates:
        return {}, ()
    named = reader.entities_named(analysis.candidates, selection.scopes)
    entities = {key: entity.name for _, key, entity in named}
    rare = sorted({key for _, key, entity in named if entity.mention_count <= _TOO_COMMON})
    return entities, reader.keys(replace(selection, mentioned=tuple(rare)), limit=_NARROW) if rare else ()


def _shares(reader: Reader, keys: NDArray[np.int64], entities: Mapping[int, str]) -> Floats:
    """Share of the named entities that each item mentions."""
    found = np.zeros(len(keys))
    if entities:
        rows = {key: row for row, key in enumerate(keys.tolist())}
        for key, entity in reader.mentioned_by(keys.tolist()):
            if entity in entities:
                found[rows[key]] += 1 / len(entities)
    return np.minimum(found, 1.0)


def _successors(reader: Reader, selection: Selection, wanted: TextQuery) -> dict[int, float]:
    """Items whose former wording, replaced since, matches the question, with how well it does (BM25)."""
    if Status.ARCHIVED in selection.statuses or not reader.has_superseded():
        return {}
    old = Selection(
        scopes=selection.scopes, statuses=frozenset({Status.ARCHIVED}), live_at=None, replaced=True
    )
    limit = _NARROW
    while True:
        matches = reader.search_text(wanted, old, limit)
        heirs = reader.successors(matches.keys.tolist())
        found: dict[int, float] = {}
        for key, score in zip(matches.keys.tolist(), matches.scores.tolist(), strict=True):
            if (heir := heirs.get(key)) is not None:
                found[heir] = max(found.get(heir, 0.0), score)
        passing = reader.matching(sorted(found), selection) if found else set[int]()
        # What does not pass must not crowd out what does: it is the heir that the selection is about.
        exhausted = len(matches.keys) < limit or limit >= _PASSING
        if exhausted or len(passing) == len(found) or len(passing) >= _NARROW:
            best = sorted(passing, key=lambda key: (-found[key], key))[:_NARROW]
            return {key: found[key] for key in sorted(best)}
        limit *= 4


def _activated(
    reader: Reader, query: Query, analysis: Analysis, text: TextMatches, near: NDArray[np.int64]
) -> dict[int, float]:
    """What the best candidates of text and vectors activate over links, by key."""
    half = _SEEDS // 2
    seeds: dict[int, float] = {}
    for ranked in (text.keys[:half].tolist(), near[:half].tolist()):
        for rank, key in enumerate(ranked):
            seeds[key] = max(seeds.get(key, 0.0), 1 - rank / half)
    edges = reader.links_from_keys(sorted(seeds), relations(analysis.intent)) if seeds else []
    received = spread(seeds, edges, analysis.intent, query.at)
    if not received:
        return {}
    passing = reader.matching(sorted(received), query.selection)
    return {key: received[key] for key in sorted(passing, key=lambda key: (-received[key], key))[:_NARROW]}


def _interleaved(rankings: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The rankings as one: every first, then every second, none twice."""
    if len(rankings) == 1:
        return rankings[0]
    longest = max(map(len, rankings))
    merged = (int(some[rank]) for rank in range(longest) for some in rankings if rank < len(some))
    return np.array(list(dict.fromkeys(merged)), np.int64)


def _names_in(questions: Sequence[str], sketches: Iterable[Sketch]) -> frozenset[str]:
    """First names of senders among the candidates that the question mentions, case folded."""
    words = {term.casefold() for question in questions for term in terms(question)}
    return frozenset(words & {first_name(sketch.sender) for sketch in sketches if sketch.sender})


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
