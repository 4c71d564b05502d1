"""Additive trees: a learned score that says of each part of itself where it comes from. Pure.

A forest of small regression trees, evaluated for all rows at once: each split that a row fails takes the
leaves on its left out, as one bit each, and the leftmost leaf that is left is the row's (QuickScorer:
Lucchese et al., SIGIR 2015). What a leaf adds is known by group of features: along the path to it, each
step's change of the expected value belongs to the group of the feature that was asked (Saabas, 2014), so
that the parts add up to the score exactly.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.recall.candidates import Floats
from simonides.values import dataclass

#: Most leaves of a tree: bits of a mask.
LEAVES: Final = 8
ALL: Final = np.uint8(0xFF)
#: Decimals that count: what comes after them differs with the shape of a product.
DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Trees:
    """A forest of T trees with at most S splits and L leaves each, over F features in G groups.

    Attributes:
        names: Of the features, F in their order.
        groups: Of the parts, G in their order.
        feature: uint8, shape (T, S); which feature a split asks.
        threshold: float64, shape (T, S); a row whose value is above it fails the split.
        mask: uint8, shape (T, S); the leaves that are left where a split fails.
        parts: float64, shape (T, L, G); what each group adds in a leaf to the tree's mean.
        base: What every row gets: the means of the trees, so set that a row of zeros scores 0.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    feature: NDArray[np.uint8]
    threshold: NDArray[np.float64]
    mask: NDArray[np.uint8]
    parts: NDArray[np.float64]
    base: float
    #: The splits again, S · T of them in a column, the first of each tree first, with the leaves that a fail takes out:
    #: what is joined then lies side by side.
    _splits: tuple[NDArray[np.intp], Floats, NDArray[np.uint8]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        feature = self.feature.T.ravel().astype(np.intp)
        splits = feature, self.threshold.T.reshape(-1, 1), ~self.mask.T.reshape(-1, 1)
        object.__setattr__(self, "_splits", splits)

    def leaves(self, rows: Floats) -> NDArray[np.intp]:
        """The leaf that each row reaches in each tree; shape (n, T)."""
        feature, threshold, out = self._splits
        trees, splits = self.feature.shape
        fails = np.ascontiguousarray(rows.T).take(feature, axis=0) > threshold
        gone = np.bitwise_or.reduce((fails.view(np.uint8) * out).reshape(splits, trees, len(rows)), axis=0)
        return _LOWEST[~gone].T

    def scores(self, leaves: NDArray[np.intp]) -> Floats:
        """The score of each row from its leaves, shape (n,): `base` and what its groups add."""
        return self.parts_of(leaves).sum(axis=1) + self.base

    def parts_of(self, leaves: NDArray[np.intp]) -> Floats:
        """The share of each group in each row's score; shape (n, G), rounded to `DECIMALS`."""
        trees, most, groups = self.parts.shape
        first = np.arange(0, trees * most, most, dtype=np.intp).reshape(-1, 1)
        places: NDArray[np.intp] = leaves.T + first
        # Tree by tree, so that whole rows are added: a third of the time that a sum for each row takes.
        sums: Floats = self.parts.reshape(trees * most, groups).take(places, axis=0).sum(axis=0)
        return np.round(sums, DECIMALS)


def _lowest_bits() -> NDArray[np.intp]:
    """The number of the lowest bit that is set, by mask; 0 for none."""
    found = np.zeros(1 << LEAVES, np.intp)
    for bit in reversed(range(LEAVES)):
        found[1 << bit :: 1 << (bit + 1)] = bit
    return found


_LOWEST: Final = _lowest_bits()
