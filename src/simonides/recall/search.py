"""The read path: question → candidates → first look → rank → rerank → agenda → hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from simonides.language.roles import AskedByRole, asked_by_role
from simonides.language.sentences import read
from simonides.ports.store import Reader
from simonides.ports.vectors import VectorIndex
from simonides.recall.candidates import CandidateTable
from simonides.recall.event_times import in_time_of_event
from simonides.recall.hits import answer, chosen, rearranged
from simonides.recall.question.analysis import Analysis, Expects
from simonides.recall.result import Query, SearchResult
from simonides.recall.retrieve import Retriever
from simonides.recall.sessions import by_session
from simonides.recall.settings import RecallSettings
from simonides.tracing import span

if TYPE_CHECKING:
    from simonides.recall.agenda.search import Agenda

#: Candidates that mention what a question names, at most, where a chain may begin there.
_MOST_TELLING: Final = 40


class Recall:
    """Finds the items that answer a question. Reading changes nothing.

    Args:
        agenda: Gives the agenda; asked at the first question that needs one.
    """

    def __init__(self, retriever: Retriever, agenda: Callable[[], Agenda]) -> None:
        self._retriever = retriever
        self._agenda = agenda
        self._settings = retriever.settings

    def search(self, query: Query) -> SearchResult:
        """The best hits for a question, with what stood in the way.

        Never raises because of what the question says; a channel that fails is left out and named in
        `degradations`.
        """
        with span("search", k=query.k) as note:
            result = self._searched(query)
            note(hits=len(result.hits), abstained=result.abstained, degradations=len(result.degradations))
            return result

    def _searched(self, query: Query) -> SearchResult:
        with self._retriever.view(query) as view:
            query = view.taking_for_granted(query)
            candidates = view.ranked(query, view.analysis)
            if (asked := _by_role(candidates)) is not None:
                named = view.ranked(query, self.analyse(asked.question, query.at))
                candidates = _with_roles(named, candidates, asked)
            candidates = in_time_of_event(view, query, candidates)
            if query.by_session:
                candidates = by_session(candidates)
            choice = chosen(candidates, query, self._settings)
            # An agenda looks for turns, of which a session gives one.
            if not query.by_session and goes_on(candidates, query, self._settings, found=bool(choice.keys)):
                from simonides.recall.agenda_source import explored  # noqa: PLC0415 - few questions need one

                agenda = self._agenda()
                candidates, result = explored(
                    agenda if query.agenda else agenda.brief(), view, query, candidates
                )
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
    def inject_below(self) -> float:
        """The likelihood of an answer below which nothing is put into a prompt unasked."""
        return self._settings.inject_below

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


def _by_role(candidates: CandidateTable) -> AskedByRole | None:
    """The one who is meant by "my husband", as the likeliest candidates tell; None where none is asked for or told."""
    query, analysis = candidates.query, candidates.query.analysis
    if not query.trust or analysis.about_asking or len(query.parts) > 1:
        return None
    asked = asked_by_role(analysis.text, candidates.told_by_user(candidates.score))
    if asked and analysis.expects is Expects.PERSON and len(analysis.content_terms) <= len(asked.role):
        return None  # "Who is my boss?" asks for the name itself.
    return asked


def _with_roles(named: CandidateTable, before: CandidateTable, asked: AskedByRole) -> CandidateTable:
    """The candidates of a question that names somebody, of which those that tell only the role keep what they had.

    "My wife works nights." answers "When does my wife work?" by its words, and not "When does Camille work?".
    """
    places: dict[int, int] = {key: row for row, key in enumerate(before.keys.tolist())}
    kept = {
        row: places[sketch.key]
        for row, sketch in enumerate(named.sketches)
        if sketch.key in places
        and before.score[places[sketch.key]] > named.score[row]
        and asked.is_all(sketch.content)
    }
    if not kept:
        return named
    rows, old = list(kept), list(kept.values())
    parts = {name: values.copy() for name, values in named.parts.items()}
    for name, values in parts.items():
        values[rows] = before.parts[name][old]
    scored = named.scored(parts, named.relevance, dropped=named.dropped)
    best = int(scored.score.argmax())
    return scored.having(confidence=max(named.confidence, before.confidence)) if best in kept else scored


def goes_on(candidates: CandidateTable, query: Query, settings: RecallSettings, *, found: bool) -> bool:
    """True if an agenda goes on from the candidates: it is asked for, or one question names where a chain may begin.

    A message of several sentences is no such question. What no single item answers leaves little confidence. From what
    many candidates mention no chain leads anywhere: in a talk of two, all mention one of them.

    Args:
        found: There is something to show.
    """
    # Who asks for an agenda gets one, also where nothing seems to answer: that is what it is for.
    if query.agenda is not None:
        return query.agenda and (found or len(candidates) > 0)
    context = candidates.query
    if not found or not context.entities or candidates.confidence >= settings.unsettled_below:
        return False
    telling = int(np.count_nonzero(candidates.entity))
    return 0 < telling <= _MOST_TELLING and len(read(context.analysis.text).pieces) == 1
