"""The engine of the package `usearch` (extra `usearch`), imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.errors import NotInstalled
from simonides.vectors.engine import BuildStopped, NeighbourGraph, Structure

#: Rows that are added between two looks whether to stop.
_PIECE: Final = 1024


class USearch(NeighbourGraph):
    """A graph of neighbours over int8 codes, mapped from its file."""

    name = "usearch"

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        index = self._index(rows.shape[1])
        for first in range(0, len(rows), _PIECE):
            if stopped():
                raise BuildStopped
            piece = rows[first : first + _PIECE]
            index.add(np.arange(first, first + len(piece)), piece, threads=1)
        index.save(str(path))

    def open(self, path: Path, count: int, dimension: int) -> Structure:
        index = self._index(dimension)
        try:
            index.view(str(path))
        except (RuntimeError, ValueError) as error:
            raise ValueError(f"{path.name} cannot be read: {error}") from error
        if (len(index), index.ndim) != (count, dimension):
            raise ValueError(f"{path.name} holds {len(index)} rows of {index.ndim} numbers")
        return _Opened(index)

    def _index(self, dimension: int) -> Any:
        try:
            # By name: an extra that need not be there when types are checked.
            package: Any = import_module("usearch.index")
        except ImportError as error:
            raise NotInstalled.of("usearch", extra="usearch") from error
        return package.Index(
            ndim=dimension,
            metric="cos",
            dtype="i8",
            connectivity=self._m,
            expansion_add=self._ef_construction,
            expansion_search=self._ef_search,
        )


class _Opened:
    def __init__(self, index: Any) -> None:
        self._index = index

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        matches = self._index.search(vector, count, threads=1)
        return np.asarray(matches.keys, np.int64)
