"""Public fakes for tests of programs that use Simonides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.instant import DAY_US, SECOND_US, Moment, instant


class FrozenClock:
    """A clock that stands until it is moved.

    Args:
        start: ISO 8601 text or a datetime; without a zone it is UTC.
    """

    def __init__(self, start: Moment = "2026-01-01T00:00:00Z") -> None:
        self._now = instant(start)

    def now(self) -> int:
        return self._now

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Move it by so much; backwards where that is negative."""
        self._now += round(days * DAY_US + hours * 3600 * SECOND_US + seconds * SECOND_US)


class FakeEmbedder:
    """Unit vectors seeded by the SHA-256 of the text: equal texts are equal, others have nothing in common.

    Args:
        local: Whether writes embed at once; False to test backfill.
    """

    def __init__(self, dimension: int = 32, *, local: bool = True, name: str = "fake") -> None:
        self._identity = EmbedderIdentity(name, f"{name}-{dimension}", dimension)
        self._local = local

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    @property
    def local(self) -> bool:
        return self._local

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self._identity.dimension), np.float32)
        for row, text in enumerate(texts):
            if text.strip():
                seed = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
                vector = np.random.default_rng(int.from_bytes(seed[:8])).normal(size=self._identity.dimension)
                vectors[row] = vector / np.linalg.norm(vector)
        return vectors
