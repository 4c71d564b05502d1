"""Vectors for what is about to be stored, where they can be had at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderError
from simonides.ports.embedder import Embedder
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of some texts, in their order.

    Attributes:
        model: Whose they are; None where there are none.
    """

    vectors: Sequence[NDArray[np.float32] | None]
    model: EmbedderIdentity | None


def embedded(embedder: Embedder, texts: Sequence[str]) -> Embedded:
    """The vectors of texts; none where the embedder is not to be waited for, or fails.

    A text is stored all the same: each search says how many items have no vector, and `backfill` gives them theirs.
    """
    nothing = Embedded([None] * len(texts), None)
    if not embedder.local or not texts:
        return nothing
    try:
        return Embedded(list(embedder.embed(texts)), embedder.identity)
    except ProviderError:
        return nothing
