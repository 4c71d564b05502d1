"""The read path: question → candidates → first look → rank → rerank → agenda → hits."""

from __future__ import annotations

from simonides.ports.store import Reader
from simonides.ports.vectors import VectorIndex
from simonides.recall.agenda.search import Agenda
from simonides.recall.agenda_source import explored, goes_on
from simonides.recall.candidates import CandidateTable
from simonides.recall.hits import answer, chosen, rearranged
from simonides.recall.question.analysis import Analysis
from simonides.recall.result import Query, SearchResult
from simonides.recall.retrieve import Retriever


class Recall:
    """Finds the items that answer a question. Reading changes nothing."""

    def __init__(self, retriever: Retriever, agenda: Agenda) -> None:
        self._retriever = retriever
        self._agenda = agenda
        self._settings = retriever.settings

    def search(self, query: Query) -> SearchResult:
        """The best hits for a question, with what stood in the way.

        Never raises because of what the question says; a channel that fails is left out and named in
        `degradations`.
        """
        with self._retriever.view(query) as view:
            query, analysis = view.question(query)
            candidates = view.ranked(query, analysis)
            choice = chosen(candidates, query, self._settings)
            if goes_on(candidates, query, self._settings, found=bool(choice.keys)):
                candidates, result = explored(self._agenda, view, query, candidates)
                choice = rearranged(
                    choice, view.reader, candidates, result, self._settings.least_relevance(query)
                )
            return answer(view, query, candidates, choice, self._settings)

    def gathered(self, reader: Reader, query: Query) -> CandidateTable:
        """The candidates of a question as the channels give them: what is learned starts from these."""
        return self._retriever.gathered(reader, query)

    def analyse(self, text: str, at: int) -> Analysis:
        """The reading of a question."""
        return self._retriever.analyse(text, at)

    @property
    def index(self) -> VectorIndex:
        """The index of vectors; made when it is first asked for.

        Raises:
            ProviderError: The embedder cannot say what its vectors are.
        """
        return self._retriever.index

    def close(self) -> None:
        """End what is under way in the background."""
        self._retriever.close()
