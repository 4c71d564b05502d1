"""An embedder that somebody brought along, held to what the port promises."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderError, SimonidesError
from simonides.ports.embedder import Embedder


class Checked:
    """Passes everything on; what is wrong with an answer, or goes wrong inside, is a ProviderError.

    Code that is not ours fails in its own way. A write must not lose a text for it, nor a search its other channels.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def identity(self) -> EmbedderIdentity:
        try:
            return self._embedder.identity
        except SimonidesError:
            raise
        except Exception as error:
            raise _failed(self._embedder, error) from error

    @property
    def local(self) -> bool:
        return self._embedder.local

    @property
    def multilingual(self) -> bool:
        return self._embedder.multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            answer = self._embedder.embed(texts)
            vectors = np.asarray(answer, np.float32)
        except SimonidesError:
            raise
        except Exception as error:
            raise _failed(self._embedder, error) from error
        wanted = (len(texts), self.identity.dimension)
        if vectors.shape != wanted:
            raise ProviderError(
                f"{_name(self._embedder)} gave vectors of shape {vectors.shape} for {wanted[0]} texts and a dimension "
                f"of {wanted[1]}; let it give one row of this length for each text"
            )
        if not np.isfinite(vectors).all():
            raise ProviderError(f"{_name(self._embedder)} gave vectors that are no finite numbers")
        return vectors


def _failed(embedder: Embedder, error: Exception) -> ProviderError:
    return ProviderError(f"{_name(embedder)} failed: {type(error).__name__}: {error}")


def _name(embedder: Embedder) -> str:
    return type(embedder).__name__
