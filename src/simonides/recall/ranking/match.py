"""Matches of texts by themselves, as several ways of ranking count them. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.recall.candidates import Floats

#: Share of a score that is likeness of meaning, whatever is asked; and what is added at most in a small store where
#: none of the question's words is held, at so many items half of that. Of a few texts any word tells one from another.
_SHARE: Final = 0.03
_OF_SMALL: Final = 0.7
_SMALL: Final = 20.0
_FEW: Final = 12.0
#: What a cosine of 1 counts, on the scale of what is learned.
_ALIKE: Final = 20.0


def lexical(bm25: Floats, coverage: Floats) -> Floats:
    """The match by words, in [0, 1]; 0 where the text channel did not see a candidate.

    BM25 / the best BM25, times the highest coverage among the texts that were seen: the best of texts
    that hold little of the question is no full match. Where no coverage is known, the best is 1.

    Args:
        bm25, coverage: Shape (n,); as in `CandidateTable`.
    """
    seen = bm25 > 0
    held = coverage[seen].max(initial=0.0) or 1.0
    return bm25 / (bm25.max(initial=0.0) or 1.0) * held


def relevance(coverage: Floats, cosine: Floats) -> Floats:
    """The match by words and meaning, in [0, 1], whatever other candidates there are."""
    return np.clip(0.6 * coverage + 0.4 * cosine, 0.0, 1.0)


def meaning_share(coverage: Floats, entity: Floats, extent: int) -> float:
    """The share of a score that goes by likeness of meaning alone, in [0, 1].

    A dozen texts do not tell which words are rare: where the best of them holds little of the question, what it
    holds is chance more often than not. A name that the question has in common with a text is none.

    Args:
        coverage, entity: Shape (n,); as in `CandidateTable`.
        extent: Items of the store.
    """
    if entity.any():
        return _SHARE
    unheld = 1 - float(coverage.max(initial=0.0))
    return _SHARE + _OF_SMALL * max(0.0, unheld) * min(1.0, extent / _FEW) * _SMALL / (_SMALL + extent)


def likeness(cosine: Floats, known: NDArray[np.bool_]) -> Floats:
    """The likeness of meaning, on the scale of what is learned; what has no vector is as near as others in the mean.

    Args:
        cosine, known: Shape (n,); known where there is a vector.
    """
    mean = float(cosine[known].mean()) if known.any() else 0.0
    return _ALIKE * np.where(known, cosine, mean)
