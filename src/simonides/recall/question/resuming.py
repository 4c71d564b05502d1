"""Questions about the conversation before this one: "what was the last session about?", "where did we leave off?"."""

from __future__ import annotations

from typing import Final

from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText
from simonides.language.tables import worded
from simonides.language.terms import is_topical

_LAST: Final = Cues("last_session")
#: What says that people talked, and not of what.
_TALKED: Final = worded("acts", r"\b{talked}\b|{han_talked}", flags=0)


def asks_for_the_last_session(reading: QuestionText) -> bool:
    """Recognise a question about the conversation before, whatever it asks about it."""
    return _LAST.search(reading.folded) is not None


def asks_for_nothing_else(reading: QuestionText) -> bool:
    """Recognise one that asks for that conversation as a whole: no word of it says what was talked about."""
    rest = reading.folded
    while (cue := _LAST.search(rest)) is not None:
        rest = f"{rest[: cue.start()]} {rest[cue.end() :]}"
    return not is_topical(_TALKED.sub(" ", rest))
