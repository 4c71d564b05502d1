"""One consistent view of the store, and where it stands: asked once for a search."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.ports.recalling import VectorComparer, ViewState
from simonides.ports.store import ReadableStore, Reader
from simonides.ports.vectors import VectorChanges
from simonides.values import dataclass


@contextmanager
def viewing(store: ReadableStore) -> Generator[StoreView]:
    """A view of a store as it is."""
    with store.read() as reader:
        yield StoreView(reader, reader.state())


@dataclass(frozen=True, slots=True)
class StoreView:
    """View that a search reads from. An index of vectors catches up with it: meets `ports.vectors.VectorSource`."""

    reader: Reader
    state: ViewState

    def last_change(self) -> int:
        return self.state.change

    def vector_changes(self, since: int, model: str) -> Iterator[VectorChanges]:
        return self.reader.vector_changes(since, model)

    def mark(self) -> str:
        return self.reader.mark()

    def holds(self, mark: str) -> bool:
        return self.reader.holds(mark)


@dataclass(frozen=True, slots=True)
class ComparedVectors:
    """Vectors of a model in a view of a store that compares them itself."""

    comparer: VectorComparer
    model: EmbedderIdentity
    degradations: Sequence[str] = ()

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of these items, shape (keys, dimension); rows of zeros for those without one."""
        return self.comparer.vectors(self.model, keys.tolist())
