"""Differences of two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final, NamedTuple

#: Words, single characters of scripts that do not part words, blanks, and anything else by itself.
_WORDS: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|\s+|."
)
#: Beyond this the two texts are told whole, one after the other: comparing takes the square of the words.
_MOST_WORDS: Final = 6000


class DiffPart(NamedTuple):
    """A stretch of text: `same`, `gone` or `come`."""

    kind: str
    text: str


def word_diff(before: str, after: str) -> list[DiffPart]:
    """The stretches of two texts in order: the same and gone ones are the first, the same and come ones the second."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) + len(new) > _MOST_WORDS:
        return [DiffPart(kind, text) for kind, text in (("gone", before), ("come", after)) if text]
    pieces: list[DiffPart] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(DiffPart("same", "".join(old[a:b])))
            continue
        pieces += [DiffPart("gone", "".join(old[a:b]))] * (b > a)
        pieces += [DiffPart("come", "".join(new[c:d]))] * (d > c)
    return pieces
