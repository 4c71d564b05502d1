"""Alignment of two statements: with what they begin and end alike, and what stands between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Alignment(NamedTuple):
    """Two sequences of words, or of signs, side by side.

    Attributes:
        before: Words with which both begin.
        behind: Words with which both end, of what stands behind the beginning.
    """

    before: int
    behind: int


def aligned(one: Sequence[str], other: Sequence[str]) -> Alignment:
    """The longest common beginning, and then the longest common end."""
    before = shared_beginning(one, other)
    return Alignment(before, shared_beginning(one[before:][::-1], other[before:][::-1]))


def shared_beginning(one: Sequence[str], other: Sequence[str]) -> int:
    """Number of words, or of signs, with which two sequences begin alike."""
    return next(
        (at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs),
        min(len(one), len(other)),
    )
