"""Answers in which a model does nothing but ask memory in words, such as `Recall memory about the boat`.

Models without tools, or that forget them, say what they would look up. Such an answer is looked up for them. It is one
only where it is the whole answer, in one plain line: what a model quotes, repeats within a longer answer or shows as
code asks for nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from simonides.language.tables import section

_MOST_CHARS: Final = 300
_ENDS: Final = " .!…。！"
#: Quotation marks, code and lists: somebody else's words, or an example.
_QUOTED: Final = re.compile(r"[\"“”„«»『』「」`‹›]|^[>*#\-–—']")
_GOES_ON: Final = re.compile(r"[.!?。！？]\s|[。！？]")


@cache
def _asks() -> tuple[re.Pattern[str], ...]:
    """Such an answer, in each language."""
    return tuple(re.compile(some["of_memory"], re.IGNORECASE | re.VERBOSE) for some in section("asking"))


def asked_of_memory(text: str) -> str | None:
    """Find the question that an answer puts to memory; None where it is an answer."""
    line = text.strip()
    if not line or len(line) > _MOST_CHARS or len(line.splitlines()) > 1 or _QUOTED.search(line):
        return None
    line = line.rstrip(_ENDS)
    if _GOES_ON.search(line):
        return None  # More than one sentence: it says something, too.
    question = next((match for pattern in _asks() if (match := pattern.fullmatch(line))), None)
    return None if question is None else question["asked"].strip() or None
