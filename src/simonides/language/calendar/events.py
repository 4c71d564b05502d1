"""Times that a question names by an event: "the day after the outage", "since I moved", "before we went live"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from simonides.domain.instant import to_datetime
from simonides.language.calendar.grammars import grammar
from simonides.language.calendar.rule import EventWords, TimeRelation
from simonides.language.calendar.spans import Span, days
from simonides.language.calendar.told import tells_of_the_past, told_in_the_past
from simonides.language.calendar.windows import EARLIEST, PlacedTime, Window, window_named
from simonides.language.guess import language_of
from simonides.language.sentences import QuestionText, fold
from simonides.language.tables import table
from simonides.language.terms import is_topical
from simonides.values import dataclass

_COMMAS: Final = ",，、"
_CLOSING: Final = " .?!,。？！，¿¡"


@dataclass(frozen=True, slots=True)
class EventTime:
    """A time that is named by an event.

    Attributes:
        event: The words for the event, as written.
        rest: The question without them, and without those that say how the time lies to it.
        words: Both of these together.
        relation: Of the time to the event; of IN, what happened around it.
        measured: The time that is meant, counted from that of the event; None where it has no other end.
    """

    event: str
    rest: str
    words: str
    relation: TimeRelation
    measured: Callable[[Span], Span] | None

    def window(self, start: int, end: int, now: int) -> Window | None:
        """The time that is meant; None where no calendar has it, or it begins later than now.

        Args:
            start, end: The time of the event, half-open, microseconds UTC.
            now: When the question is asked.
        """
        if self.measured is None and self.relation is TimeRelation.BEFORE:
            return Window(EARLIEST, start, self.words)
        if self.measured is None and self.relation is not TimeRelation.IN:
            return Window(end, max(now, end) + 1, self.words)
        try:
            first, last = (to_datetime(at).replace(tzinfo=None) for at in (start, end - 1))
            span = Span(days(first).start, days(last).end)
            return window_named(span if self.measured is None else self.measured(span), self.words)
        except (OverflowError, ValueError):
            return None


def event_time(reading: QuestionText, placed: PlacedTime | None = None) -> EventTime | None:
    """The time that a question in one sentence names by an event.

    Args:
        placed: The time that it names by itself.

    Returns:
        None where it is not told in the past: "What do I do before I leave?" asks for what holds whenever one leaves.
    """
    if len(reading.pieces) != 1:
        return None
    code = language_of(reading.text) or "en"
    if not table(code, "times").get("events"):
        return None
    (piece,), rules = reading.pieces, grammar(code)
    between = rules.event_words(reading.folded, piece.start, piece.end)
    # "搬家前一周" is no week before now.
    if between is None or (placed and not between.start <= placed.start < placed.end <= between.end):
        return None
    event, rest = _apart(reading, between, behind=rules.apart)
    if not _is_past(rest):  # "Was habe ich vor dem Umzug gekauft?"
        event, _, verb = event.rpartition(" ")
        rest = f"{rest} {verb}"
    if not (is_topical(event) and _is_past(rest)):
        return None
    words = reading.text[between.start : between.end]
    words = f"{words} {event}" if rules.apart else f"{event}{words}"
    return EventTime(event, rest, words, between.relation, between.measured)


def _is_past(rest: str) -> bool:
    return told_in_the_past(fold(rest)) or tells_of_the_past(rest)


def _apart(reading: QuestionText, between: EventWords, *, behind: bool) -> tuple[str, str]:
    """The words for the event and the rest of a question.

    Args:
        behind: The event stands behind the words that say how the time lies to it.
    """
    before, after = reading.text[: between.start], reading.text[between.end :]
    if not behind:
        event, rest = before, after
    elif before.strip(_CLOSING):
        event, rest = after, before
    else:  # "After the outage, what did we change?"
        comma = min((place for sign in _COMMAS if (place := after.find(sign)) >= 0), default=len(after))
        event, rest = after[:comma], after[comma + 1 :]
    return event.strip(_CLOSING), rest.strip(_CLOSING)
