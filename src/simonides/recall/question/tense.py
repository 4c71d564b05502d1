"""Tense of a question: whether it is about what holds now, what was, or what will be."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from simonides.language.calendar.told import comes_again, told_in_the_past
from simonides.language.calendar.windows import Window
from simonides.language.cues import Cues, Lexicon
from simonides.language.sentences import QuestionText
from simonides.language.tables import cues


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
#: What no longer holds is asked for: "my former boss", "before?"; "before deploying" asks for no such thing.
_REPLACED: Final = Cues("tense", "replaced")


def tense_of(reading: QuestionText, window: Window | None, at: int) -> Tense:
    """Time that a question asks about: that which it names, else that of its words, else now.

    What is over and comes again may be meant as the coming one where nothing is told in the past: "Where do we meet on
    Thursday?" and "Are we going to Rome in May?" ask of what holds. So do "What is the first step?" and "What do I do
    before I leave?": most words of former times ask for them only where something is told in the past.
    """
    if window is not None:
        if window.end <= at and not (not told_in_the_past(reading.asking) and comes_again(reading, window)):
            return Tense.FORMER
        if window.start > at:
            return Tense.FUTURE
    if (found := _TIMES.find(reading.asking)) is not None:
        former = (
            found[0] is not Tense.FORMER
            or _REPLACED.search(reading.asking)
            or told_in_the_past(reading.asking)
        )
        return found[0] if former else Tense.PRESENT
    return Tense.PRESENT if _PAST.search(reading.asking) is None else Tense.PAST


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
