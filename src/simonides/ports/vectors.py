"""The vector index port: nearest items by cosine. A cache of the store's vectors, never their only copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.selection import Selection
from simonides.values import dataclass


def saved_vectors(store: Path) -> Path:
    """The folder where indexes of a store's vectors are kept: a cache, of which a purge leaves nothing.

    It is beside the file itself, by whatever link or from whichever folder that is opened.
    """
    file = store.resolve()
    return file.with_name(f"{file.name}.vectors")


@dataclass(frozen=True, slots=True)
class VectorChanges:
    """Vectors and their items' circumstances that changed, in columns of equal length.

    Attributes:
        keys: int64; an item's key.
        scopes: int64; key of the item's scope, -1 where the item is gone.
        statuses: int8; 0 active, 1 archived, -1 for what recall never sees.
        expires_at: int64 microseconds; the largest int64 for never.
        vectors: float32, shape (n, dimension); a row of zeros where an item has none.
    """

    keys: NDArray[np.int64]
    scopes: NDArray[np.int64]
    statuses: NDArray[np.int8]
    expires_at: NDArray[np.int64]
    vectors: NDArray[np.float32]


class VectorReader(Protocol):
    """Vectors in a consistent view of the store."""

    def vector_changes(self, since: int, model: str) -> Iterator[VectorChanges]:
        """Changes after change `since` for the model with this fingerprint, in bounded pieces."""
        ...

    def mark(self) -> str:
        """The place of this view in the store's history: an index that is saved bears it."""
        ...

    def holds(self, mark: str) -> bool:
        """True if this view is the marked one or a later one of the same history.

        False for a mark of another store, of a later state, and of a state that was undone by putting
        an older copy of the store in its place.
        """
        ...


class VectorSource(VectorReader, Protocol):
    """The view with the number of its newest change: an index catches up from it."""

    def last_change(self) -> int:
        """The number of the newest change; never reused."""
        ...


class VectorIndex(Protocol):
    """Nearest items by inner product of unit vectors.

    One caller at a time refreshes; searches may run beside it.
    """

    def refresh(self, source: VectorSource) -> None:
        """Catch up with every change that the source holds."""
        ...

    def search(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The items nearest to a vector.

        Only scope, status and expiry of the selection are applied here, before the limit; a caller
        with a narrower selection asks for more and filters.

        Returns:
            Keys and cosines, best first, ties by key; at most `limit`.
        """
        ...

    def cosines(self, vector: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """Cosine with each of these items, in their order; 0 for one without a vector."""
        ...

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of these items, shape (keys, dimension); rows of zeros for those without one."""
        ...

    @property
    def degradations(self) -> Sequence[str]:
        """Reasons, in words, for which this index is not as good or fast as it should be; usually none."""
        ...

    def describe(self) -> str:
        """Describe the index and its contents, in a few words for people."""
        ...

    def build(self, views: Callable[[], AbstractContextManager[VectorSource]]) -> int:
        """Make now, and wait for it, what it makes in the background; how many vectors it holds.

        Args:
            views: Gives a view of the store as it is; one is open only while it is read.
        """
        ...

    def close(self) -> None:
        """End what is under way in the background. Closing twice is fine; nothing else may follow."""
        ...

    def __len__(self) -> int:
        """The number of vectors that it holds."""
        ...


@runtime_checkable
class ComparingStore(Protocol):
    """A store that may compare vectors itself."""

    def index_vectors(self) -> str | None:
        """Make the indexes that many vectors need, and wait for them.

        Returns:
            What compares vectors now, in a few words for people; None where an index of the process does.
        """
        ...


class Exemplars(Protocol):
    """Keeps vectors of texts that never change, so that an embedder far away is asked for them once."""

    def kept(self, model: EmbedderIdentity, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Their vectors, shape (len(texts), dimension); None where none are kept that could be used."""
        ...

    def keep(self, model: EmbedderIdentity, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep them; what cannot be kept is asked for again."""
        ...
