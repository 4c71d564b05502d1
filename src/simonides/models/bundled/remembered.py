"""What words were read as, remembered: most words of a text were met before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from simonides.domain.kept import keeps_texts

T = TypeVar("T")


class Remembered(dict[str, T]):
    """Readings by what was read; safe to use from several threads. A full one is emptied.

    Looking up what is there costs no call, so a text's words are looked up by `map`.
    """

    def __init__(self, read: Callable[[str], T], longest: int, most: int) -> None:
        """Remember what `read` makes of each of up to `most` words of up to `longest` characters."""
        super().__init__()
        self._read = read
        self._longest = longest
        self._most = most
        keeps_texts(self)

    def __missing__(self, word: str) -> T:
        found = self._read(word)
        if len(word) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[word] = found
        return found
