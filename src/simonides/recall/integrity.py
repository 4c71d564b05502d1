"""Items and summaries without those that were changed outside Simonides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from simonides.domain.item import Item
from simonides.ports.store import Reader

K = TypeVar("K")


def intact(reader: Reader, items: Mapping[K, Item]) -> tuple[dict[K, Item], tuple[str, ...]]:
    """The items that are as the store wrote them, and a word on the others."""
    altered = reader.altered([item.id for item in items.values()])
    return {key: item for key, item in items.items() if item.id not in altered}, left_out(altered)


def intact_in_order(reader: Reader, items: Sequence[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """The same of a list."""
    kept, notices = intact(reader, dict(enumerate(items)))
    return list(kept.values()), notices


def left_out(altered: Iterable[str]) -> tuple[str, ...]:
    """The degradation that tells of what was left out; none where nothing was."""
    ids = ", ".join(sorted(altered))
    return (f"changed outside Simonides and left out: {ids}; run `simonides doctor`",) if ids else ()
