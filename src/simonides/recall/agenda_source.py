"""The memory as an agenda asks it: one question's searches and look-ups over one reader."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import fold
from simonides.domain.selection import Selection
from simonides.language.matters import Matter, matters
from simonides.language.search_tokens import search_tokens
from simonides.ports.store import Sketch, TextQuery
from simonides.ports.vectors import VectorIndex
from simonides.recall.agenda.names import says, says_alone
from simonides.recall.agenda.node import Goal, Want
from simonides.recall.agenda.search import Agenda, AgendaResult, Stop
from simonides.recall.agenda.source import Evidence
from simonides.recall.candidates import CandidateTable
from simonides.recall.cosines import PLAIN, CosineScale
from simonides.recall.question.analysis import Analysis, Expects
from simonides.recall.ranking.confidence import TRUSTED
from simonides.recall.result import Query
from simonides.recall.retrieve import Retrieval
from simonides.recall.store_view import ComparedVectors, StoreView

T = TypeVar("T", int, str)

#: The candidates of a text within a selection, ranked.
Search = Callable[[str, Selection], CandidateTable]
#: Items of an entity among which the nearest are taken.
_LOOKED_AT: Final = 100
_OUT_OF_TIME: Final = "agenda: it ran out of time; what it had found until then counts"


class StoreSource:
    """Meets `agenda.source.AgendaSource`: every answer keeps to the question's selection."""

    def __init__(
        self,
        view: StoreView,
        selection: Selection,
        goal: Goal,
        search: Search,
        vector: NDArray[np.float32] | None,
        held: VectorIndex | ComparedVectors | None,
        scale: CosineScale = PLAIN,
    ) -> None:
        self._scale = scale
        self._reader = view.reader
        self._state = view.state
        self._selection = selection
        self._goal = goal
        self._search = search
        self._vector = vector
        self._held = held
        self._sketches: dict[int, Sketch] = {}
        self._tokens: dict[int, frozenset[str]] = {}
        #: Entities of the question that some item names by themselves.
        self._alone: set[str] = set()
        #: By term of the question, what it is about: another word for that covers it, too.
        self._matters = _matters_of(goal)
        #: By entity or tag: so many of its items as were asked for, the first of them.
        self._mentioning: dict[int, tuple[int, list[int]]] = {}
        self._carrying: dict[str, tuple[int, list[int]]] = {}

    @property
    def has_documents(self) -> bool:
        return self._selection.types is None and self._state.documents

    def find(self, text: str, limit: int) -> Sequence[Evidence]:
        return self._best(self._search(text, self._selection), limit)

    def documents(self, text: str, limit: int) -> Sequence[Evidence]:
        pieces = replace(self._selection, types=frozenset({"chunk"}))
        return self._best(self._search(text, pieces), limit)

    def sharing(
        self, entities: Sequence[str], tags: Sequence[str], exclude: Collection[int], limit: int
    ) -> Sequence[Evidence]:
        shared: dict[int, int] = {}
        most = _LOOKED_AT + len(exclude)
        if entities:
            named = self._reader.entities_named([fold(name) for name in entities], self._selection.scopes)
            for entity in {key for _, key, _ in named}:
                for key in _first(self._mentioning, entity, most, self._mention):
                    shared[key] = shared.get(key, 0) + 1
        for tag in tags:
            for key in _first(self._carrying, tag, limit + len(exclude), self._carry):
                shared[key] = shared.get(key, 0) + 1
        every = sorted(set(shared) - set(exclude))
        near = self._nearness(every) if len(every) > limit else [0.0] * len(every)
        ranked = sorted((-shared[key], -nearness, key) for key, nearness in zip(every, near, strict=True))
        keys = [key for *_, key in ranked[:limit]]
        self._look(keys)
        return [self._evidence(key) for key in keys]

    def _nearness(self, keys: Sequence[int]) -> Sequence[float]:
        """Nearness to the question, which is at hand for items that were not looked at where there are vectors."""
        if self._vector is None or self._held is None:
            return [0.0] * len(keys)
        return cast("Sequence[float]", self.relevance(keys).tolist())

    def _mention(self, entity: int, limit: int) -> list[int]:
        return self._reader.keys(replace(self._selection, mentioned=(entity,)), limit=limit)

    def _carry(self, tag: str, limit: int) -> list[int]:
        tagged = replace(self._selection, tags=(self._selection.tags or frozenset[str]()) | {tag.casefold()})
        keys: list[int] = self._reader.search_text(TextQuery((tag,)), tagged, limit).keys.tolist()
        return keys

    def relevance(self, keys: Sequence[int]) -> NDArray[np.float64]:
        if self._vector is None or self._held is None:
            return self._covered(keys)
        cosines = (self._held.vectors(np.array(keys, np.int64)) @ self._vector).astype(np.float64)
        return np.maximum(np.round(self._scale(cosines), 6), 0.0)

    def similarities(self, keys: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        if self._held is None:
            return self._alike(keys, others)
        one = self._held.vectors(np.array(keys, np.int64))
        other = self._held.vectors(np.array(others, np.int64))
        return np.round(np.clip(self._scale((one @ other.T).astype(np.float64)), 0.0, 1.0), 6)

    def holds(self, keys: Sequence[int]) -> Sequence[frozenset[str]]:
        texts = [self._sketches[key].content for key in keys]
        self._alone |= {
            want.name for want in self._goal.entities if any(says_alone(text, want.name) for text in texts)
        }
        terms = {want.name for want in self._goal.terms} - {want.name for want in self._goal.entities}
        found: list[frozenset[str]] = []
        for key in keys:
            alike = matters(self._sketches[key].content).keys()
            meant = {name for name, some in self._matters.items() if not some.isdisjoint(alike)}
            found.append(frozenset(self._named(key) | meant | (terms & self._tokens[key])))
        return found

    def _named(self, key: int) -> set[str]:
        """Entities of the question that an item mentions; of one that others name alone, none that is longer."""
        sketch = self._sketches[key]
        mentioned = {fold(name) for name in sketch.entities.split("\n")} if sketch.entities else set[str]()
        words = f"{sketch.sender} {sketch.title} {sketch.content}"
        return {
            want.name
            for want in self._goal.entities
            if want.name in mentioned
            or says_alone(words, want.name)
            or (want.name not in self._alone and says(words, want.name))
        }

    def _best(self, candidates: CandidateTable, limit: int) -> list[Evidence]:
        sketches = [candidates.sketches[row] for row in candidates.ranked()[:limit]]
        self._keep(sketches)
        return [self._evidence(sketch.key) for sketch in sketches]

    def _evidence(self, key: int) -> Evidence:
        sketch = self._sketches[key]
        document = sketch.session_id or str(key) if sketch.type == "chunk" else None
        return Evidence(key=key, sketch=sketch, document=document)

    def _look(self, keys: Sequence[int]) -> None:
        missing = [key for key in keys if key not in self._sketches]
        self._keep(list(self._reader.look(missing).sketches.values()))

    def _keep(self, sketches: Sequence[Sketch]) -> None:
        new = [sketch for sketch in sketches if sketch.key not in self._sketches]
        tokens = search_tokens([f"{sketch.title} {sketch.content} {sketch.derived}" for sketch in new])
        for sketch, some in zip(new, tokens, strict=True):
            self._sketches[sketch.key] = sketch
            self._tokens[sketch.key] = frozenset(some)

    def _covered(self, keys: Sequence[int]) -> NDArray[np.float64]:
        """The share of the question's information that each item holds."""
        total = sum(want.weight for want in self._goal.terms) or 1.0
        return np.array(
            [
                float(sum(w.weight for w in self._goal.terms if w.name in self._tokens[key])) / total
                for key in keys
            ],
            np.float64,
        )

    def _alike(self, keys: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        """Shared words / all words."""
        return np.array(
            [
                [
                    len(self._tokens[a] & self._tokens[b]) / (len(self._tokens[a] | self._tokens[b]) or 1)
                    for b in others
                ]
                for a in keys
            ],
            np.float64,
        ).reshape(len(keys), len(others))


def _first(
    known: dict[T, tuple[int, list[int]]], subject: T, limit: int, read: Callable[[T, int], list[int]]
) -> list[int]:
    """The first items of an entity or a tag, read where more are wanted than were before, and there may be more."""
    asked, keys = known.get(subject, (0, []))
    if asked < limit and len(keys) == asked:
        asked, keys = known[subject] = limit, read(subject, limit)
    return keys[:limit]


def _matters_of(goal: Goal) -> dict[str, frozenset[Matter]]:
    asked = matters(goal.text)
    found: dict[str, frozenset[Matter]] = {}
    for want in goal.terms:
        word = fold(want.words)
        if about := frozenset(matter for matter, words in asked.items() if word in words):
            found[want.name] = about
    return found


def goal_of(view: StoreView, analysis: Analysis, entities: Sequence[str]) -> Goal:
    """The goal of an explanation: a question's words by their information, and known names."""
    cut = search_tokens(list(analysis.content_terms))
    counts = view.reader.document_counts(sorted({token for some in cut for token in some}))
    total = max(1, view.state.extent)
    wants: dict[str, Want] = {}
    for term, some in zip(analysis.content_terms, cut, strict=True):
        for token in some:
            wants.setdefault(token, Want(token, term, math.log(1 + total / (1 + counts[token]))))
    window = analysis.window
    return Goal(
        text=analysis.text,
        terms=tuple(wants.values()),
        entities=tuple(Want(fold(name), name) for name in dict.fromkeys(entities)),
        intent=analysis.intent.value,
        several=analysis.expects in {Expects.LIST, Expects.NUMBER} or analysis.order,
        window=None if window is None else (window.start, window.end),
    )


def explored(
    agenda: Agenda, view: Retrieval, query: Query, candidates: CandidateTable
) -> tuple[CandidateTable, AgendaResult]:
    """The outcome of an agenda that goes on from candidates, and these with what it says of itself."""
    context = candidates.query
    goal = goal_of(view.snapshot, context.analysis, context.entities)
    degradations: list[str] = []

    def search(text: str, selection: Selection) -> CandidateTable:
        if text == goal.text and selection == query.selection:
            return candidates
        again = replace(query, text=text, selection=selection)
        found = view.ranked(again, view.retriever.analyse(text, query.at))
        degradations.extend(found.degradations)
        return found

    vector, held = None, None
    # Cosines of a script that the embedder does not know say nothing: there, words tell what is near.
    if context.vectors is not None and context.trust >= TRUSTED:
        vector, held = context.vectors[0], view.gatherer.vectors(view.snapshot)
    source = StoreSource(view.snapshot, query.selection, goal, search, vector, held, context.scale)
    result = agenda.run(goal, source, hits=query.k)
    if result.stop is Stop.TIME:
        degradations.append(_OUT_OF_TIME)
    degradations = [*candidates.degradations, *result.degradations, *degradations]
    return candidates.having(steps=(*candidates.steps, "agenda"), degradations=tuple(degradations)), result
