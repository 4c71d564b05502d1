"""Signals that several ways of ranking share. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np

from simonides.recall.pool import Floats, Indices, Pool

#: Decimals at which two values, scaled by the best, are the same: sums differ in the last bits with
#: the number of candidates they are computed beside, and an order must not follow that.
_DECIMALS: Final = 6


def lexical(bm25: Floats, coverage: Floats) -> Floats:
    """How well texts match by their words, in [0, 1]; 0 where the text channel did not see them.

    BM25 / the best BM25, times the highest coverage among the texts that were seen: the best of texts
    that hold little of the question is no full match. Where no coverage is known, the best is 1.

    Args:
        bm25, coverage: Shape (n,); as in `Pool`.
    """
    seen = bm25 > 0
    held = coverage[seen].max(initial=0.0) or 1.0
    return bm25 / (bm25.max(initial=0.0) or 1.0) * held


def relevance(coverage: Floats, cosine: Floats) -> Floats:
    """How well texts match by words and meaning, in [0, 1], whatever other candidates there are."""
    return np.clip(0.6 * coverage + 0.4 * cosine, 0.0, 1.0)


def order(pool: Pool, values: Floats) -> Indices:
    """Rows from the highest value to the lowest, of equal ones the newest first.

    Args:
        values: Shape (n,), finite, of any scale; compared as `comparable` has them.
    """
    at = np.array([sketch.event_at for sketch in pool.sketches], np.int64)
    return np.lexsort((-pool.keys, -at, -comparable(values)))


def comparable(values: Floats) -> Floats:
    """Values without what does not count: they tie where they differ by less than about a millionth of the largest.

    BM25 of a word that most texts hold is itself of the size of a millionth, so that rounding it to so many
    decimals would tie everything.
    """
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    return np.round(values / largest, _DECIMALS) * largest
