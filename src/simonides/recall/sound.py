"""What a prompt is written from, without what was changed outside Simonides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from simonides.domain.item import Item
from simonides.ports.store import Reader

K = TypeVar("K")


def sound(reader: Reader, items: Mapping[K, Item]) -> tuple[dict[K, Item], tuple[str, ...]]:
    """The items that are as the store wrote them, and a word on the others."""
    altered = reader.altered([item.id for item in items.values()])
    return {key: item for key, item in items.items() if item.id not in altered}, left_out(altered)


def sound_in_order(reader: Reader, items: Sequence[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """The same of a list."""
    kept, said = sound(reader, dict(enumerate(items)))
    return list(kept.values()), said


def left_out(altered: Iterable[str]) -> tuple[str, ...]:
    """How a degradation tells of what was left out; nothing where nothing was."""
    ids = ", ".join(sorted(altered))
    return (f"changed outside Simonides and left out: {ids}; run `simonides doctor`",) if ids else ()
