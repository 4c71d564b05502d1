"""Counts that cost more than a search on a large store: read once, and kept for a while that grows with their cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from simonides.domain.growth import Growth
from simonides.domain.scope import Scopes
from simonides.memory import Memory

T = TypeVar("T")
#: How long counts are kept at least and at most, in seconds, and how many times as long as it took to count.
_LEAST_S: Final = 5.0
_MOST_S: Final = 60.0
_TIMES: Final = 30.0
#: Of fewer items nothing is kept: they are counted in no time, and always told as they are.
_LARGE: Final = 5000
#: Counts that are remembered at once.
_MOST: Final = 100


class _Kept(NamedTuple):
    """A count, and until when it is good."""

    until: float
    count: Any


_kept: Final[WeakKeyDictionary[Memory, dict[tuple[str, ...], _Kept]]] = WeakKeyDictionary()


def stats_of(memory: Memory, scope: Scopes) -> Mapping[str, Any]:
    """Counts as `Memory.stats` gives them."""
    key = "stats", str(scope)
    return _counted(memory, key, lambda: memory.stats(scope=scope), lambda one: one["items"])


def shelves_of(memory: Memory, scope: Scopes, *, anew: bool = False) -> Mapping[tuple[str, str, str], int]:
    """Shelves as `Memory.palace.shelves` gives them.

    Args:
        anew: A card was just moved.
    """
    key = "shelves", str(scope)
    if anew:
        _kept.get(memory, {}).pop(key, None)
    return _counted(memory, key, lambda: memory.palace.shelves(scope=scope), lambda one: sum(one.values()))


def growth_of(memory: Memory, scope: Scopes, by: str, last: int) -> Growth:
    """Growth as `Memory.growth` gives it."""
    key = "growth", str(scope), by
    return _counted(memory, key, lambda: memory.growth(scope=scope, by=by, last=last), _standing)


def _standing(growth: Growth) -> int:
    return sum(growth.periods[-1].standing.values()) if growth.periods else 0


def _counted(memory: Memory, key: tuple[str, ...], count: Callable[[], T], items: Callable[[T], int]) -> T:
    """A count, read anew or as it was kept.

    Args:
        items: How many items were counted.
    """
    kept = _kept.setdefault(memory, {})
    known = kept.get(key)
    began = time.monotonic()
    if known is not None and began < known.until:
        return known.count
    number = count()
    took = time.monotonic() - began
    if items(number) >= _LARGE:
        if len(kept) >= _MOST:
            kept.clear()
        kept[key] = _Kept(began + took + min(_MOST_S, max(_LEAST_S, _TIMES * took)), number)
    return number
