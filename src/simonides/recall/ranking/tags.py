"""Tags: those that a question looks for, and how far an item has them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.text import cjk_runs
from simonides.language.terms import STOP_WORDS, terms
from simonides.ports.store import Sketch

#: A shorter word of a question is no tag.
_MIN_LETTERS: Final = 3


def question_tags(question: str, given: Iterable[str] = ()) -> frozenset[str]:
    """The tags that a question looks for, case folded: those given, else its words.

    Words are those of at least three letters that are no stop words; of CJK text, whose words nothing
    separates, pairs of characters.
    """
    if tags := frozenset(tag.strip().casefold() for tag in given if tag.strip()):
        return tags
    return frozenset(
        term.casefold()
        for term in terms(question)
        if (len(term) >= _MIN_LETTERS and term.casefold() not in STOP_WORDS) or cjk_runs(term)
    )


def tag_overlap(wanted: frozenset[str], sketches: Sequence[Sketch]) -> NDArray[np.float64]:
    """Jaccard index of the wanted tags and each item's, without case; shape (n,), in [0, 1].

    0 where there are no tags on either side.
    """

    def jaccard(lines: str) -> float:
        tags = frozenset(tag for tag in lines.casefold().split("\n") if tag)
        return len(wanted & tags) / len(wanted | tags) if wanted & tags else 0.0

    return np.array([jaccard(sketch.tags) if sketch.tags else 0.0 for sketch in sketches], np.float64)
