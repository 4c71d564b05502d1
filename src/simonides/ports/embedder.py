"""The embedder port: text to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> EmbedderIdentity:
        """The model. Vectors of different identities are never compared."""
        ...

    @property
    def local(self) -> bool:
        """True if it is quick and near enough to run inside a write: no network, well under 1 ms a text."""
        ...

    @property
    def multilingual(self) -> bool:
        """True if texts in other scripts than the Latin mean something to it."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts.

        Args:
            texts: Any strings.

        Returns:
            Shape (len(texts), dimension), float32, rows of length 1; a row of zeros for a text that
            embeds to nothing. A text's vector does not depend on its neighbours in the call.

        Raises:
            ProviderError: The provider did not answer, or not with such an array.
        """
        ...


class StatementEncoder(Embedder, Protocol):
    """Encodes statements more closely than a store's embedder, for upkeep to keep what it made of them."""

    def stores(self, text: str) -> bool:
        """True if a vector of a text is worth keeping; of others it makes rows of zeros."""
        ...
