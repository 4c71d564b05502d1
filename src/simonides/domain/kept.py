"""Answers about texts that come again and again, kept: of short texts, so that what is kept stays small."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

#: A longer text is worked through each time: thousands of documents would be held in memory for it.
_LONGEST: Final = 4_000
T = TypeVar("T")


def kept(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep the answers of a pure function of a text, of the texts it was asked about last.

    Args:
        most: Texts, of up to 4,000 characters each.
    """

    def keeping(function: Callable[[str], T]) -> Callable[[str], T]:
        answers = lru_cache(maxsize=most)(function)

        @wraps(function)
        def answer(text: str, /) -> T:
            return answers(text) if len(text) <= _LONGEST else function(text)

        return answer

    return keeping
