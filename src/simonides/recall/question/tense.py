"""Tense of a question: whether it is about what holds now, what was, or what will be."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final

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


#: The leftmost counts; at one place the first kind.
_TIMES: Final = Lexicon(
    {kind: partial(cues, "tense", kind) for kind in (Tense.PRESENT, Tense.FUTURE, Tense.FORMER)}
)
_PAST: Final = Cues("past")


def tense_of(reading: QuestionText, window: Window | None, at: int) -> Tense:
    """Time that a question asks about: that which it names, else that of its words, else now."""
    if window is not None:
        if window.end <= at:
            return Tense.FORMER
        if window.start > at:
            return Tense.FUTURE
    if (found := _TIMES.find(reading.asking)) is not None:
        return found[0]
    return Tense.PRESENT if _PAST.search(reading.asking) is None else Tense.PAST
