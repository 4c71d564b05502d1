"""Sentences that name what they are of before they say something of it: "About my salary: it's 950, not 900."."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from simonides.language.tables import section
from simonides.packaged import compiled

#: What is longer says more than that.
_LONGEST: Final = 160
#: Stands in a pattern for a piece of its language.
_PIECE: Final = re.compile(r"\{([a-z]+)\}")


def with_its_topic(sentence: str) -> str:
    """A sentence that says what it says of its topic: "My salary is 950, not 900."; any other as it is."""
    if len(sentence) > _LONGEST:
        return sentence
    for pattern, says in _forms():
        if match := pattern.fullmatch(sentence.strip()):
            return says.format(**match.groupdict())
    return sentence


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (compiled(_PIECE.sub(lambda piece, own=some: own[piece[1]], pattern), re.IGNORECASE), says)
        for some in section("topics")
        for pattern, says in some["forms"]
    )
