"""Candidates of a question that names its time by an event: "What did we change the day before the outage?".

The event is looked for first. What happened in the time that is counted from it comes before the rest.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import DAY_US
from simonides.language.calendar.events import EventTime
from simonides.language.calendar.rule import TimeRelation
from simonides.language.calendar.told import time_told
from simonides.language.calendar.windows import Window
from simonides.language.sentences import sentences
from simonides.language.terms import terms
from simonides.language.whose import roots
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking.confidence import NOTHING_THEN
from simonides.recall.result import Query
from simonides.recall.retrieve import Retrieval

#: The part of the scores that tells of time; rankings by words alone have none.
_TIME: Final = "time"
#: The likelihood from which the best candidate is taken for the event; and where nothing but its time is asked for.
_TOLD: Final = 0.3
_FAINTLY_TOLD: Final = 0.05
#: What is gained by being of a time with two ends, and of one with one end; there the nearest to the event gain most,
#: the more so where nothing but the time is asked for.
_WITHIN: Final = 6.0
_ON_ITS_SIDE: Final = 3.0
_NEAREST: Final = 2.0
_NEAREST_ALONE: Final = 8.0
_NEAR_DAYS: Final = 4.0
#: What tells of an event nearly as well as the best, and so long before or after it, tells of the same one.
_NEARLY: Final = 1.5
_LONGEST: Final = 31 * DAY_US


def in_time_of_event(view: Retrieval, query: Query, candidates: CandidateTable) -> CandidateTable:
    """The candidates with those first that are of the time which the question names by an event, if it is told."""
    event = candidates.query.analysis.event
    if event is None or len(candidates.query.parts) > 1 or _TIME not in candidates.parts:
        return candidates
    told = view.ranked(query, view.retriever.analyse(event.event, query.at))
    if not len(told):
        return candidates
    rows = _telling(told, event)
    spans = [_time_of(told.sketches[row], event.event) for row in rows]
    window = event.window(min(start for start, _ in spans), max(end for _, end in spans), query.at)
    if window is None:
        return candidates
    rest = view.retriever.analyse(event.rest, query.at, window)
    beside = bool(rest.content_terms)
    if told.confidence < (_TOLD if beside else _FAINTLY_TOLD):
        return candidates
    if event.relation is TimeRelation.IN and event.measured is None and beside:
        return candidates  # "What do I eat while camping?" asks of camping.
    if event.measured is None and beside and _told_in_a_talk(told, rows[0]):
        return candidates
    of_rest = view.ranked(query, rest)
    inside = (of_rest.window > 0) & ~of_rest.dropped
    if not inside.any():
        if event.measured is None:
            return candidates
        return candidates.having(confidence=min(candidates.confidence, NOTHING_THEN))
    timed = _with_first(of_rest, event, window, inside)
    if event.measured is None and beside and not inside[timed.score.argmax()]:
        return candidates
    return timed


def _telling(told: CandidateTable, event: EventTime) -> list[int]:
    """The rows that tell of the event: the best, and where it lasts, what tells of its beginning and end."""
    # What came after an event is no newer version of it here: "The server died.", "Moved to hosted runners."
    score = told.score - told.parts.get("versions", 0.0)
    best = int(score.argmax())
    if event.relation is not TimeRelation.IN or event.measured is not None:
        return [best]
    near = (score >= score[best] - _NEARLY) & (np.abs(told.event_at - told.event_at[best]) <= _LONGEST)
    return [best, *(row for row in np.flatnonzero(near & ~told.dropped).tolist() if row != best)]


def _told_in_a_talk(told: CandidateTable, row: int) -> bool:
    """True if others of the same speaker stand beside a turn: there what came of it is told, too."""
    sketch = told.sketches[row]
    others = (int(rows[row]) for rows in told.neighbours.values())
    return any(other >= 0 and told.sketches[other].role == sketch.role for other in others)


def _time_of(sketch: Sketch, event: str) -> tuple[int, int]:
    """The time at which something happened, half-open: the one that what tells of it names, or when it was told."""
    asked, text, at = roots(terms(event)), sketch.content, sketch.event_at
    pieces = [text[start:end] for start, end, _ in sentences(text)]
    shared = [len(asked & roots(terms(piece))) for piece in pieces]
    telling = (piece for piece, count in zip(pieces, shared, strict=True) if count == max(shared))
    named = next(filter(None, (time_told(piece, at) for piece in telling)), None)
    return (at, at + 1) if named is None else (named.start, named.end)


def _with_first(
    candidates: CandidateTable, event: EventTime, window: Window, inside: NDArray[np.bool_]
) -> CandidateTable:
    """The candidates with those first that are of the time."""
    if event.measured is not None or event.relation is TimeRelation.IN:
        gain = _WITHIN * inside
    else:
        from_event = window.end if event.relation is TimeRelation.BEFORE else window.start
        near = np.exp(-np.abs(candidates.event_at - from_event) / (_NEAR_DAYS * DAY_US))
        nearest = _NEAREST if candidates.query.analysis.content_terms else _NEAREST_ALONE
        gain = inside * (_ON_ITS_SIDE + nearest * near)
    parts = {**candidates.parts, _TIME: candidates.parts[_TIME] + gain}
    return candidates.scored(parts, candidates.relevance, dropped=candidates.dropped)
