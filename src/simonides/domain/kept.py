"""Answers about texts that come again and again, kept: of short texts, so that what is kept stays small."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

#: A longer text is worked through each time: thousands of documents would be held in memory for it.
_LONGEST: Final = 4_000
S = TypeVar("S", bound=str)
T = TypeVar("T")

#: What holds texts, by its identity, for as long as somebody uses it.
_caches: Final[WeakValueDictionary[int, Any]] = WeakValueDictionary()


class Kept(dict[S, T]):
    """Answers of a pure function by the text that it was asked about; safe to use from several threads.

    Looking up what is there enters no function, so many words are looked up by `map`. A full one is emptied.
    """

    def __init__(self, function: Callable[[S], T], most: int, longest: int | None = _LONGEST) -> None:
        """Keep the answers of `most` texts of up to `longest` characters each; None for any length."""
        super().__init__()
        self._function = function
        self._most = most
        self._longest = longest
        keeps_texts(self)

    def __missing__(self, text: S) -> T:
        answer = self._function(text)
        if self._longest is None or len(text) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[text] = answer
        return answer


def kept(most: int, *, longest: int | None = _LONGEST) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """Let a pure function of a text keep its answers, as `Kept` does."""
    return lambda function: Kept(function, most, longest).__getitem__


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
