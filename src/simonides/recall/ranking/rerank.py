"""A reranker's opinion on the best candidates, joined with the order they had. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simonides.errors import ProviderError
from simonides.ports.reranker import Reranker
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable, Floats
from simonides.recall.passage import Sought, read_of

#: Best candidates that a reranker reads.
REREAD = 20


def reranked(candidates: CandidateTable, reranker: Reranker | None) -> CandidateTable:
    """The candidates with the best in the order of a reranker; as they are where there is none or it fails."""
    if reranker is None or not len(candidates):
        return candidates
    query = candidates.query
    rows = candidates.ranked()[: max(REREAD, query.k)]
    texts = [read_text(candidates.sketches[row], candidates.sought) for row in rows]
    try:
        scores = checked(reranker.rerank(query.analysis.text, texts), len(texts), reranker.name)
    except ProviderError as error:
        return candidates.having(degradations=(*candidates.degradations, f"rerank: {error}"))
    return reread(candidates, rows, scores).having(steps=(*candidates.steps, "rerank"))


def reread(candidates: CandidateTable, rows: Sequence[int], scores: Floats) -> CandidateTable:
    """Add what a reranker said as a part of the scores, as strong as the scores themselves.

    part = (said − lowest) / (highest − lowest) · (best score − worst score) over the rows that were read; what
    was not read loses nothing and gains nothing, and stays behind the worst of them where it was.

    Args:
        rows: That were read, at least one.
        scores: How well each answers, higher is better, on any scale.
    """
    own = candidates.score[list(rows)]
    span = float(own.max() - own.min()) or 1.0
    reach = float(scores.max() - scores.min())
    part = np.zeros(len(candidates))
    # Where it says the same of all it says nothing.
    part[list(rows)] = (scores - scores.min()) / reach * span if reach > 0 else 0.0
    found = candidates.scored({**candidates.parts, "rerank": part}, candidates.relevance, candidates.factor)
    return found.having(dropped=candidates.dropped)


def checked(said: NDArray[np.float32], count: int, name: str) -> NDArray[np.float64]:
    """The scores that a reranker gave so many texts, if they can be used.

    Raises:
        ProviderError: It is of another number or not finite.
    """
    found = np.asarray(said, np.float64)
    if found.shape != (count,):
        raise ProviderError(f"{name} gave scores of shape {found.shape} for {count} texts")
    if not np.isfinite(found).all():
        raise ProviderError(f"{name} gave scores that are no finite numbers")
    return found


def read_text(sketch: Sketch, sought: Sought) -> str:
    """The text that a reranker reads: a title, where there is one, and the content, of a long one its passages."""
    text = read_of(sketch.content, sought)
    return f"{sketch.title}\n{text}" if sketch.title else text
