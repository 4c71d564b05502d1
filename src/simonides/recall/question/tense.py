"""Tense of a question: whether it is about what holds now, what was, or what will be."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from simonides.domain.instant import DAY_US
from simonides.language.calendar.windows import Window, placed_window
from simonides.language.cues import Cues, Lexicon
from simonides.language.guess import language_of
from simonides.language.manner import manner
from simonides.language.sentences import QuestionText
from simonides.language.tables import cues
from simonides.language.tokens import tokens


class Tense(StrEnum):
    """PAST: told in the past, of whatever time. FORMER: what held once, as against now."""

    PRESENT = "present"
    PAST = "past"
    FORMER = "former"
    FUTURE = "future"


class FormerTime(NamedTuple):
    """A time that is over, which a question asks about.

    Attributes:
        since: Its beginning, microseconds UTC; None where the question names no time and asks for what no longer holds.
        until: Its end; without a beginning, the instant of asking.
    """

    since: int | None
    until: int


#: The leftmost counts; at one place the first kind.
_TIMES: Final = Lexicon(
    {kind: partial(cues, "tense", kind) for kind in (Tense.PRESENT, Tense.FUTURE, Tense.FORMER)}
)
_PAST: Final = Cues("past")
#: After so long each season and each day of the year but the 29th of February has come again.
_LONG_AFTER_US: Final = 366 * DAY_US
_TOLD: Final = Cues("tense", "told")
#: What no longer holds is asked for: "my former boss", "before?"; "before deploying" asks for no such thing.
_REPLACED: Final = Cues("tense", "replaced")


def tense_of(reading: QuestionText, window: Window | None, at: int) -> Tense:
    """Time that a question asks about: that which it names, else that of its words, else now.

    What is over and comes again may be meant as the coming one where nothing is told in the past: "Where do we meet on
    Thursday?" and "Are we going to Rome in May?" ask of what holds. So do "What is the first step?" and "What do I do
    before I leave?": most words of former times ask for them only where something is told in the past.
    """
    if window is not None:
        if window.end <= at and not (not _is_told(reading) and _may_come(reading, window)):
            return Tense.FORMER
        if window.start > at:
            return Tense.FUTURE
    if (found := _TIMES.find(reading.asking)) is not None:
        former = found[0] is not Tense.FORMER or _REPLACED.search(reading.asking) or _is_told(reading)
        return found[0] if former else Tense.PRESENT
    return Tense.PRESENT if _PAST.search(reading.asking) is None else Tense.PAST


def _is_told(reading: QuestionText) -> bool:
    """True of a question that is told in the past, in a participle as well: "Who came?", "Was habe ich gekauft?"."""
    asking = reading.asking
    if _PAST.search(asking) or _TOLD.search(asking):
        return True
    english = asking.isascii() and language_of(asking) in {None, "en"}
    return english and manner(tokens(asking)).time == "past"


def _may_come(reading: QuestionText, window: Window) -> bool:
    """True of a time that comes again, named without its year or week: "on Friday", "in May", "on 3 June", "in spring".

    Asked when it began the same words mean it still, unlike "last May" or "a month ago"; later they mean another one,
    unlike "May 2025".
    """
    again = placed_window(reading, window.start), placed_window(reading, window.end + _LONG_AFTER_US)
    then, later = (None if placed is None else placed.window for placed in again)
    return then == window != later


def former_time(reading: QuestionText, window: Window | None, at: int, tense: Tense) -> FormerTime | None:
    """The time that is over about which a question asks; None where it asks of now, of what is to come or of any time.

    A question that names no time asks for what no longer holds if it says so, or is told in the past with a word such
    as "before" or "first".
    """
    if tense is not Tense.FORMER:
        return None
    if window is not None and window.end <= at:
        return FormerTime(window.start, window.end)
    told = _REPLACED.search(reading.asking) or _PAST.search(reading.asking)
    return FormerTime(None, at) if told else None
