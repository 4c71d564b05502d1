"""Tense of a question: whether it is about what holds now, what was, or what will be."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from simonides.domain.instant import DAY_US
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

    A day of the week that is over may be meant as the coming one: "Where do we meet on Thursday?" asks of what holds.
    """
    if window is not None:
        if window.end <= at and not (_may_come(window, at) and _PAST.search(reading.asking) is None):
            return Tense.FORMER
        if window.start > at:
            return Tense.FUTURE
    if (found := _TIMES.find(reading.asking)) is not None:
        return found[0]
    return Tense.PRESENT if _PAST.search(reading.asking) is None else Tense.PAST


def _may_come(window: Window, at: int) -> bool:
    """True of a day, or a weekend, of the past week that is named without a number."""
    return (
        at - window.end < 7 * DAY_US
        and window.end - window.start <= 2 * DAY_US
        and not any(map(str.isdigit, window.words))
    )


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
