"""Sentences that tell of the one beside them: what holds only on Sundays, what is a line from a song."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.pattern import factored, later
from simonides.language.tables import section, worded
from simonides.language.tokens import Shape, Token


def points_back(words: Sequence[Token], *, asks: bool) -> bool:
    """True if a sentence says that another one is not true, no longer, only at times, or whose words it is.

    Or asks for that: "Which of my friends said this?" Known in the words of each language's table.
    """
    text = " ".join(word.fold for word in words if word.shape is not Shape.MARK)
    return _TOLD.search(text) is not None or (asks and _ASKED.search(text) is not None)


def _any(kind: str) -> str:
    """One pattern of all of a kind, in every language."""
    patterns = [pattern for some in section("pointing") for pattern in some.get(kind, ())]
    whole = worded("pointing", "|".join(f"(?:{pattern})" for pattern in patterns), flags=0)
    return factored(whole.pattern, in_order=False)


_TOLD: Final = later(lambda: _any("told"))
_ASKED: Final = later(lambda: _any("asked"))
