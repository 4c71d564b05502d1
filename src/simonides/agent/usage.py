"""Echoes: which memories come back in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.text import CJK

#: Words, and single characters of scripts that write none.
_WORD: Final = re.compile(f"[{CJK}]|[^\\W{CJK}]+")
_SHINGLE_WORDS: Final = 4
#: Share of an item's shingles that an answer must hold.
_SHARE: Final = 0.5
#: An item of one word comes back by chance.
_LEAST_WORDS: Final = 2


def came_back(items: Sequence[Item], answer: str) -> tuple[str, ...]:
    """Ids of the items that an answer repeats, in their order: half of their runs of four words stand in it.

    Of a shorter item all its words, in their order. Blanks, marks and case make no difference. What an answer says
    in words of its own is not noticed.
    """
    answer_words = _words(answer)
    runs = {size: _runs(answer_words, size) for size in range(_LEAST_WORDS, _SHINGLE_WORDS + 1)}
    return tuple(item.id for item in items if _repeats(_words(item.content), runs))


def _repeats(words: Sequence[str], runs: dict[int, set[tuple[str, ...]]]) -> bool:
    if len(words) < _LEAST_WORDS:
        return False
    size = min(len(words), _SHINGLE_WORDS)
    own = _runs(words, size)
    return len(own & runs[size]) >= _SHARE * len(own)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _runs(words: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(words[place : place + size]) for place in range(len(words) - size + 1)}
