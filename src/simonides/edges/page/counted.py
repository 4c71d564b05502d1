"""Counts beside filters, read at most once in a few seconds: on a large store they cost more than a search."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from simonides.domain.scope import Scopes
from simonides.memory import Memory

_KEPT_S: Final = 5.0
#: Scopes that are remembered at once.
_MOST: Final = 100
_kept: Final[WeakKeyDictionary[Memory, dict[str, tuple[float, Mapping[str, Any]]]]] = WeakKeyDictionary()


def stats_of(memory: Memory, scope: Scopes) -> Mapping[str, Any]:
    """Counts as `Memory.stats` gives them, up to five seconds old; those of an empty scope are never kept."""
    kept = _kept.setdefault(memory, {})
    found = kept.get(str(scope))
    if found is not None and time.monotonic() - found[0] < _KEPT_S:
        return found[1]
    stats = memory.stats(scope=scope)
    if stats["items"]:
        if len(kept) >= _MOST:
            kept.clear()
        kept[str(scope)] = time.monotonic(), stats
    return stats
