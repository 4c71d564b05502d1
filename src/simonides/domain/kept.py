"""Answers about texts that come again and again, kept: of short texts, so that what is kept stays small."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

#: A longer text is worked through each time: thousands of documents would be held in memory for it.
_LONGEST: Final = 4_000
S = TypeVar("S", bound=str)
T = TypeVar("T")

#: What holds texts, by its identity, for as long as somebody uses it.
_caches: Final[WeakValueDictionary[int, Any]] = WeakValueDictionary()


def kept(most: int, *, longest: int | None = _LONGEST) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """Keep the answers of a pure function of a text, of the texts it was asked about last.

    Args:
        most: Texts, of up to `longest` characters each; None for any length.
    """

    def keeping(function: Callable[[S], T]) -> Callable[[S], T]:
        answers = keeps_texts(lru_cache(maxsize=most)(function))
        if longest is None:
            return answers
        most_characters = longest

        @wraps(function)
        def answer(text: S, /) -> T:
            return answers(text) if len(text) <= most_characters else function(text)

        return answer

    return keeping


def keeps_texts(cache: T) -> T:
    """Let `forget_texts` empty a cache that holds texts, or words of them; gives it back.

    It is a function of `lru_cache`, or a dictionary of a class of its own: others take no weak references.
    """
    _caches[id(cache)] = cache
    return cache


def forget_texts() -> None:
    """Drop what is kept, and with it the texts themselves: one of them was purged."""
    for cache in list(_caches.values()):
        if isinstance(cache, dict):
            cast("dict[Any, Any]", cache).clear()
        else:
            cache.cache_clear()
    re.purge()  # Patterns that were made of names.
