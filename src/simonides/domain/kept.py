"""Answers about texts that come again and again, kept: of short texts, so that what is kept stays small."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

#: A longer text is worked through each time: thousands of documents would be held in memory for it.
_LONGEST: Final = 4_000
T = TypeVar("T")

#: Each drops the answers of one function.
_forget: Final[list[Callable[[], None]]] = []


def kept(most: int, *, longest: int | None = _LONGEST) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep the answers of a pure function of a text, of the texts it was asked about last.

    Args:
        most: Texts, of up to `longest` characters each; None for any length.
    """

    def keeping(function: Callable[[str], T]) -> Callable[[str], T]:
        answers = lru_cache(maxsize=most)(function)
        _forget.append(answers.cache_clear)

        @wraps(function)
        def answer(text: str, /) -> T:
            return answers(text) if longest is None or len(text) <= longest else function(text)

        return answer

    return keeping


def forget_texts() -> None:
    """Drop what is kept, and with it the texts themselves: one of them was purged."""
    for forget in _forget:
        forget()
