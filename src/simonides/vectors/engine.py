"""Engines that make a search quick: they name the rows that are worth comparing exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class BuildStopped(Exception):
    """A build was told to stop."""


class Structure(Protocol):
    """A structure over rows 0 … n − 1, in memory or mapped. Safe to use from several threads."""

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """About so many rows that are about the nearest by inner product, in no particular order."""
        ...


class NeighbourGraph:
    """Shared part of engines that search a graph of neighbours (HNSW).

    Source:
        Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using
        Hierarchical Navigable Small World graphs", IEEE TPAMI 2020.
    """

    def __init__(self, m: int, ef_construction: int, ef_search: int) -> None:
        self._m = m
        self._ef_construction = ef_construction
        self._ef_search = ef_search

    @property
    def parameters(self) -> Mapping[str, int]:
        return {"m": self._m, "ef_construction": self._ef_construction}

    def candidates(self, limit: int) -> int:
        return limit + limit // 4 + 20


class Engine(Protocol):
    """Makes such structures and opens them again. Imports its package when it is first used."""

    @property
    def name(self) -> str:
        """As the settings name it; also the name of what it saves."""
        ...

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters that its files depend on: those made with others are made anew."""
        ...

    def candidates(self, limit: int) -> int:
        """Number of rows to compare exactly for the best `limit` to be among them."""
        ...

    def build(self, rows: NDArray[np.float32], path: Path, stopped: Callable[[], bool]) -> None:
        """Make a structure of unit vectors, shape (n, d), and write it to a path; it may become a folder.

        Raises:
            Stopped: `stopped` said so; it is asked at least every few seconds.
        """
        ...

    def open(self, path: Path, count: int, dimension: int) -> Structure:
        """Read a structure of so many rows.

        Raises:
            ValueError: The file holds something else.
        """
        ...
