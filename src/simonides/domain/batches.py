"""Cutting long work into pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(values: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Pieces of `size` values, in order, the last one shorter; taken from the source only as they are asked for."""
    source = iter(values)
    while piece := tuple(islice(source, size)):
        yield piece
