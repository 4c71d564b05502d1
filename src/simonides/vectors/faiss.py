"""Engines of the package `faiss-cpu` (extra `faiss`), imported when one is first used."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.errors import NotInstalled
from simonides.vectors.engine import BuildStopped, NeighbourGraph, Structure

#: Rows that are added between two looks whether to stop.
_PIECE: Final = 2048
#: Rows that centroids are learnt from, for each centroid.
_SAMPLE: Final = 64
_ROUNDS: Final = 10
_SEED: Final = 1


class FaissPQ:
    """Codes of half a byte for each pair of numbers, all of them compared: no graph that could miss one.

    A row is an eighth of its int8 size and sixteen rows are compared at a time in registers, so that
    a scan of everything takes less time than a walk through a graph does, and filling it takes seconds.

    Source:
        André, Kermarrec and Le Scouarnec, "Quicker ADC", IEEE TPAMI 2021.
    """

    name = "faiss-pq"
    parameters: Mapping[str, int] = {}

    def candidates(self, limit: int) -> int:
        # Measured: docs/decisions/0012-approximate-index.md.
        return 12 * limit + 200

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        faiss = _faiss()
        dimension = rows.shape[1]
        index = faiss.IndexPQFastScan(dimension, dimension // 2, 4, faiss.METRIC_INNER_PRODUCT)
        index.pq.cp.min_points_per_centroid = 1  # It would say on standard error that there are few.
        _fill(index, rows, path, stopped, trained_on=16 * 256)

    def open(self, path: Path, count: int, dimension: int) -> Structure:
        return _Opened(path, count, dimension, None)


class FaissHNSW(NeighbourGraph):
    """A graph of neighbours over int8 codes."""

    name = "faiss-hnsw"

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        faiss = _faiss()
        index = faiss.IndexHNSWSQ(
            rows.shape[1], faiss.ScalarQuantizer.QT_8bit, self._m, faiss.METRIC_INNER_PRODUCT
        )
        index.hnsw.efConstruction = self._ef_construction
        _fill(index, rows, path, stopped, trained_on=100_000)

    def open(self, path: Path, count: int, dimension: int) -> Structure:
        def parameters(faiss: Any, wanted: int) -> Any:
            return faiss.SearchParametersHNSW(efSearch=max(self._ef_search, wanted))

        return _Opened(path, count, dimension, parameters)


class FaissIVF:
    """Rows in lists around centroids, of which the nearest lists are compared, as int8 codes."""

    name = "faiss-ivf"

    def __init__(self, probed: float) -> None:
        self._probed = probed

    @property
    def parameters(self) -> Mapping[str, int]:
        return {}

    def candidates(self, limit: int) -> int:
        return limit + limit // 4 + 20

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        faiss = _faiss()
        dimension = rows.shape[1]
        lists = _lists(len(rows))
        centroids = faiss.IndexFlatIP(dimension)
        centroids.add(_centroids(rows, lists, stopped))
        index = faiss.IndexIVFScalarQuantizer(
            centroids, dimension, lists, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT, False
        )
        _fill(index, rows, path, stopped, trained_on=100_000)

    def open(self, path: Path, count: int, dimension: int) -> Structure:
        probed = max(1, round(self._probed * _lists(count)))

        def parameters(faiss: Any, _: int) -> Any:
            return faiss.SearchParametersIVF(nprobe=probed)

        return _Opened(path, count, dimension, parameters)


class _Opened:
    """A structure that was read into memory."""

    def __init__(
        self, path: Path, count: int, dimension: int, parameters: Callable[[Any, int], Any] | None
    ) -> None:
        self._faiss = _faiss()
        self._parameters = parameters
        try:
            self._index: Any = self._faiss.read_index(str(path))
        except RuntimeError as error:
            raise ValueError(f"{path.name} cannot be read: {error}") from error
        if (self._index.ntotal, self._index.d) != (count, dimension):
            raise ValueError(f"{path.name} holds {self._index.ntotal} rows of {self._index.d} numbers")

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        given = None if self._parameters is None else self._parameters(self._faiss, count)
        with _threads(self._faiss, 1):
            _, matches = self._index.search(vector[np.newaxis], count, params=given)
        rows: NDArray[np.int64] = matches[0]
        return rows[rows >= 0]


def _fill(
    index: Any, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool], *, trained_on: int
) -> None:
    """Learn what the codes need, add every row, and write the structure."""
    faiss = _faiss()
    with _threads(faiss, _builders()):
        index.train(_sample(rows, trained_on))
        for first in range(0, len(rows), _PIECE):
            if stopped():
                raise BuildStopped
            index.add(rows[first : first + _PIECE])
        faiss.write_index(index, str(path))


def _sample(rows: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Rows to learn from, the same of the same rows; repeated where there are too few for any learning."""
    if len(rows) <= most:
        return np.resize(rows, (max(len(rows), _SAMPLE), rows.shape[1]))
    chosen = np.random.default_rng(_SEED).choice(len(rows), most, replace=False)
    return rows[np.sort(chosen)]


def _lists(count: int) -> int:
    return max(1, round(4 * count**0.5)) if count >= _SAMPLE * 4 else 1


def _centroids(rows: NDArray[np.float32], lists: int, stopped: Callable[[], bool]) -> NDArray[np.float32]:
    """Unit vectors in the middle of groups of rows, found in rounds, between which it can be stopped."""
    sample = _sample(rows, _SAMPLE * lists)
    centroids = sample[:: max(1, len(sample) // lists)][:lists].copy()
    for _ in range(_ROUNDS):
        sums = np.zeros_like(centroids)
        for first in range(0, len(sample), _PIECE):
            if stopped():
                raise BuildStopped
            piece = sample[first : first + _PIECE]
            np.add.at(sums, np.argmax(piece @ centroids.T, axis=1), piece)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        np.divide(sums, lengths, out=centroids, where=lengths > 0)  # One without rows stays where it was.
    return centroids


def _builders() -> int:
    """Threads of a build: searches go on beside it."""
    return max(1, (os.cpu_count() or 2) // 2)


@contextmanager
def _threads(faiss: Any, count: int) -> Generator[None]:
    """Let this thread's work be done by so many threads.

    One question is not worth a second thread, and those that wait for work take the cores from others.
    """
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(count)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def _faiss() -> Any:
    try:
        import faiss  # noqa: PLC0415 - an extra; a fifth of a second
    except ImportError as error:
        raise NotInstalled.of("faiss-cpu", extra="faiss") from error
    return faiss
