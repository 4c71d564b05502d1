"""A reranker's opinion on the best candidates, joined with the order they had. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simonides.errors import ProviderError
from simonides.ports.store import Sketch
from simonides.recall.passage import Sought, read_of
from simonides.recall.pool import Ranking

#: Best candidates that a reranker reads.
REREAD = 20


def reread(ranking: Ranking, rows: Sequence[int], said: NDArray[np.float64]) -> Ranking:
    """Add what a reranker said as a part of the scores, as strong as the scores themselves.

    part = (said − lowest) / (highest − lowest) · (best score − worst score) over the rows that were read; what
    was not read loses nothing and gains nothing, and stays behind the worst of them where it was.

    Args:
        rows: That were read, at least one.
        said: How well each answers, higher is better, on any scale.
    """
    scores = ranking.score[list(rows)]
    span = float(scores.max() - scores.min()) or 1.0
    reach = float(said.max() - said.min())
    part = np.zeros(len(ranking.score))
    # Where it says the same of all it says nothing.
    part[list(rows)] = (said - said.min()) / reach * span if reach > 0 else 0.0
    parts = {**ranking.parts, "rerank": part}
    total = sum(parts.values(), np.zeros(len(part)))
    return replace(ranking, parts=parts, score=total * ranking.factor)


def checked(said: NDArray[np.float32], count: int, name: str) -> NDArray[np.float64]:
    """What a reranker said of so many texts, if it can be used.

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
    """What a reranker reads of a candidate: its title, where it has one, and its content, of a long one passages."""
    text = read_of(sketch.content, sought)
    return f"{sketch.title}\n{text}" if sketch.title else text
