"""From a question to its ranked candidates, over one view of the store."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np

from simonides.domain.instant import CLOCKS_DIFFER_US
from simonides.domain.item import Status
from simonides.domain.selection import HeldOnce
from simonides.domain.taxonomy import Taxonomy
from simonides.language.calendar.windows import Window
from simonides.ports.embedder import Embedder
from simonides.ports.recalling import Opening, ViewState
from simonides.ports.reranker import Reranker
from simonides.ports.store import Reader, Store
from simonides.ports.vectors import VectorIndex
from simonides.recall.candidates import CandidateTable
from simonides.recall.embedding_migration import EmbeddingMigration
from simonides.recall.gather import WIDTH, Gatherer, opening
from simonides.recall.question.analysis import Analysis, Tense, analyse
from simonides.recall.question.intent import IntentClassifier
from simonides.recall.ranking.first_look import first_look
from simonides.recall.ranking.profiles import Profile, profile_named
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.recall.ranking.profiles.enhanced import Enhanced, Expand
from simonides.recall.ranking.profiles.text_search import ProfileSearch
from simonides.recall.ranking.rerank import reranked
from simonides.recall.result import Query
from simonides.recall.settings import RecallSettings
from simonides.recall.store_view import StoreView
from simonides.values import dataclass


class Retriever:
    """Reads questions and opens the views of the store that answer them.

    Args:
        migration: Chooses the model whose vectors are compared.
        expand: Words a question otherwise, with a model; None without one.
        reranker: Reads question and candidates together; None without one.
    """

    def __init__(
        self,
        store: Store,
        migration: EmbeddingMigration,
        embedder: Embedder,
        taxonomy: Taxonomy,
        settings: RecallSettings,
        *,
        expand: Expand | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._migration = migration
        self._intents = IntentClassifier(embedder, migration.present.exemplars)
        self.taxonomy = taxonomy
        self.settings = settings
        self.balanced = Balanced(settings.prior_span)
        self.expand = expand
        self.reranker = reranker

    @property
    def index(self) -> VectorIndex:
        """The index of vectors; made when it is first asked for.

        Raises:
            ProviderError: The embedder cannot say what its vectors are.
        """
        return self._migration.present.index

    def close(self) -> None:
        """End what is under way in the background."""
        self._migration.close()

    def analyse(self, text: str, at: int, window: Window | None = None) -> Analysis:
        """Read a question, as of `analysis.analyse`."""
        return analyse(text, at, self._intents, window=window)

    def profile(self, query: Query) -> Profile:
        """The way of ranking that a query asks for."""
        return profile_named(query.profile or self.settings.profile)

    @contextmanager
    def view(self, query: Query) -> Generator[Retrieval]:
        """The store as the query is to see it: as it is, or as it was."""
        profile = self.profile(query)
        wanted = profile.vectors
        analysis = self.analyse(query.text, query.at)
        if query.as_of is None:
            with self._store.read() as reader:
                if profile.search_text is None:
                    reader.expect_opening(partial(_expected, query, analysis, profile.fetch))
                state = reader.state()
                gatherer, notice = self._migration.gatherer(reader, state)
                yield Retrieval(
                    self, StoreView(reader, state), gatherer, analysis, notice if wanted else None
                )
            return
        past = self._store.as_of(query.as_of, query.selection.scopes)
        try:
            with past.read() as reader:
                state = reader.state()
                chosen, notice = self._migration.gatherer(reader, state, past=True)
                with chosen.of_the_past() as gatherer:
                    yield Retrieval(
                        self, StoreView(reader, state), gatherer, analysis, notice if wanted else None
                    )
        finally:
            past.close()

    def gathered(self, reader: Reader, query: Query) -> CandidateTable:
        """The candidates of a question as the channels give them, by the vectors of the present model."""
        snapshot = StoreView(reader, reader.state())
        return self._migration.present.gather(snapshot, query, self.analyse(query.text, query.at))


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One view of the store, from which questions get their candidates.

    Attributes:
        analysis: The reading of the question that it was opened for.
        notice: A word on the vectors that are compared; None where there is nothing to tell.
    """

    retriever: Retriever
    snapshot: StoreView
    gatherer: Gatherer
    analysis: Analysis
    notice: str | None = None

    @property
    def reader(self) -> Reader:
        return self.snapshot.reader

    def taking_for_granted(self, query: Query) -> Query:
        """The query with what its question takes for granted.

        It asks for what holds, unless it says otherwise. Asked for a former time, what has ended may answer, and what
        was replaced since; asked for a later one, what has not begun. Whoever names an instant (`valid_at`) or wants
        everything (`archived`) said it by that.
        """
        return _taking_for_granted(query, self.analysis, self.snapshot.state)

    def ranked(self, query: Query, analysis: Analysis) -> CandidateTable:
        """The candidates of a question: gathered, looked at, ranked by the profile, and reranked."""
        retriever, profile = self.retriever, self.retriever.profile(query)
        if profile.name == "enhanced":
            return self._enhanced(query, analysis)
        search, settings = None, retriever.settings.profiles
        if profile.search_text is not None:
            most = max(WIDTH, query.k * profile.fetch)
            search = profile.search_text(settings)(self.reader, query, analysis.text, most)
        candidates = self.gatherer.gather(
            self.snapshot,
            query if search is None else search.query,
            analysis,
            vectors=profile.vectors,
            fetch=profile.fetch,
            matches=None if search is None else search.matches,
        )
        candidates = first_look(candidates)
        if profile.ranker is None:
            return reranked(retriever.balanced.rank(candidates, retriever.taxonomy), retriever.reranker)
        ranked = profile.ranker(settings).rank(candidates, retriever.taxonomy)
        return ranked if search is None else _of_text_search(ranked, search)

    def _enhanced(self, query: Query, analysis: Analysis) -> CandidateTable:
        retriever = self.retriever

        def search(text: str) -> CandidateTable:
            read = analysis if text == analysis.text else retriever.analyse(text, query.at)
            candidates = first_look(self.gatherer.gather(self.snapshot, query, read))
            return retriever.balanced.rank(candidates, retriever.taxonomy)

        profiles = retriever.settings.profiles
        enhanced = Enhanced(search, retriever.expand, retriever.reranker, profiles.enhanced, profiles.classic)
        return enhanced.rank(analysis.text, retriever.taxonomy)


def _expected(query: Query, analysis: Analysis, fetch: int, state: ViewState) -> Opening:
    """The first call of a search, should the store be in that state."""
    return opening(_taking_for_granted(query, analysis, state), analysis, state, fetch=fetch)


def _taking_for_granted(query: Query, analysis: Analysis, state: ViewState) -> Query:
    selection = query.selection
    if selection.valid_at is not None or Status.ARCHIVED in selection.statuses:
        return query
    at = query.at if query.as_of is None else query.as_of
    selection = replace(
        selection,
        begun_at=None if analysis.tense is Tense.FUTURE else at + CLOCKS_DIFFER_US,
        lasting_at=None if analysis.tense in {Tense.PAST, Tense.FORMER} else at,
    )
    if state.superseded and (held := _held_once(analysis, at, selection.live_at)) is not None:
        statuses = selection.statuses | {Status.ARCHIVED}
        selection = replace(selection, statuses=statuses, former=held)
    return replace(query, selection=selection)


def _held_once(analysis: Analysis, at: int, now: int | None) -> HeldOnce | None:
    """The times of what was replaced that a question may be about; asked on a former day, it is about that day."""
    if analysis.former is not None:
        return HeldOnce(*analysis.former)
    return HeldOnce(at, at + 1) if now is not None and at < now else None


def _of_text_search(ranked: CandidateTable, search: ProfileSearch) -> CandidateTable:
    """The candidates with what the profile's own search says of them: its step, and that nothing else may answer."""
    ranked = ranked.having(steps=() if search.step is None else (search.step,))
    if not search.only:
        return ranked
    others = ~np.isin(ranked.keys, search.matches.keys)
    channels = ("text",) if len(search.matches.keys) else ()
    return ranked.having(dropped=ranked.dropped | others, channels=channels)
