"""Matches of texts by themselves, as several ways of ranking count them. Pure."""

from __future__ import annotations

import numpy as np

from simonides.recall.candidates import Floats


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
