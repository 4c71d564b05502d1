"""The reranker port: a model that reads question and text together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """Says how well texts answer a question. Slow and good: it is given few texts."""

    @property
    def name(self) -> str:
        """Its name in degradations and reports."""
        ...

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Score texts by how well they answer, higher is better; on the model's own scale.

        Returns:
            float32, shape (texts,), finite.

        Raises:
            ProviderError: No answer came in time, or one that cannot be used.
        """
        ...
