"""Statements that tell themselves as past: "Before August backups were kept for 14 days", "In version 1 it was Flask".

Written later than what holds they say no less plainly what held once. The tables are in the section `bygone` of each
language. Pure.
"""

from __future__ import annotations

import re
from typing import Final

from simonides.domain.kept import kept
from simonides.language.sentences import fold, sentences
from simonides.language.tables import worded

#: Longer texts tell of much, and of what was among it.
_MOST_CHARS: Final = 600
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_ASKS: Final = re.compile("[?？]")


def _pattern(name: str) -> re.Pattern[str]:
    return worded("bygone", rf"(?<!\w)(?:{{{name}}})(?!\w)|{{han_{name}}}", flags=0)


#: Bound a statement by themselves; what was done then holds no more either.
_ONCE: Final = _pattern("once")
#: Bound what was so, and not what was done: "The deadline was extended until June" holds.
_UNTIL: Final = _pattern("until")
_THEN: Final = _pattern("then")
_RESULTS: Final = _pattern("results")
#: Chinese verbs have no form of the past.
_PAST: Final = worded("bygone", r"(?<!\w)(?:{past})(?!\w)", flags=0)
#: Whatever tells of now, of later, or of what is to be done.
_HOLDS: Final = _pattern("holds")


@kept(4096)
def tells_of_the_past(text: str) -> bool:
    """True if all that a text states held until a time that it names, or once; of more than 600 characters False."""
    if len(text) > _MOST_CHARS:
        return False
    folded = fold(text)
    pieces = [(folded[start:end].strip(), marks) for start, end, marks in sentences(text)]
    return bool(pieces) and all(not _ASKS.search(marks) and _is_bygone(piece) for piece, marks in pieces)


def _is_bygone(sentence: str) -> bool:
    if _ONCE.search(sentence) is None:
        bound = _UNTIL.search(sentence) or _THEN.search(sentence)
        if bound is None or _RESULTS.search(sentence):
            return False
    past = _HAN.search(sentence) or _PAST.search(sentence)
    return past is not None and _HOLDS.search(sentence) is None
