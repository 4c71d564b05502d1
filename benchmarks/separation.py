"""Separation of two kinds of questions by one number. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Values:
    """Numbers with weights that sum to 1.

    Attributes:
        numbers: float64, ascending.
        weights: float64, of the same length.
    """

    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Values:
        """Numbers that count the same."""
        return cls(np.sort(np.asarray(numbers, np.float64)), np.full(len(numbers), 1 / max(1, len(numbers))))

    def below(self, bound: float) -> float:
        """The share of the numbers that are below a bound."""
        return float(self.weights[: np.searchsorted(self.numbers, bound, "left")].sum())


def equal_parts(parts: Sequence[Values]) -> Values:
    """All numbers of several samples, each sample counting the same."""
    numbers = np.concatenate([part.numbers for part in parts])
    weights = np.concatenate([part.weights / len(parts) for part in parts])
    order = np.argsort(numbers, kind="stable")
    return Values(numbers[order], weights[order])


def auc(high: Values, low: Values) -> float:
    """The likelihood that a number of the first is above one of the second, ties counting half."""
    below = np.concatenate([[0.0], np.cumsum(low.weights)])
    under, up_to = (below[np.searchsorted(low.numbers, high.numbers, side)] for side in ("left", "right"))
    return float((high.weights * (under + up_to)).sum() / 2)


def bound_at(values: Values, loss: float) -> float:
    """The highest of the numbers that has no more than a share `loss` below it."""
    lost = np.concatenate([[0.0], np.cumsum(values.weights)])[np.searchsorted(values.numbers, values.numbers)]
    return float(values.numbers[lost <= loss + 1e-9][-1])


def curve(high: Values, low: Values) -> list[tuple[float, float, float]]:
    """(bound, share of the first below it, share of the second) for bounds from 0 to 1 in hundredths."""
    return [(bound / 100, high.below(bound / 100), low.below(bound / 100)) for bound in range(101)]
