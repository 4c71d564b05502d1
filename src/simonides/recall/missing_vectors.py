"""Items that have no vector yet: written while the embedder did not answer, or was not to be waited for."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from simonides.ports.recalling import ViewState
from simonides.ports.store import Reader
from simonides.values import dataclass

#: So many items without a vector are followed one by one; of more it is only known how many they are.
_FEW: Final = 100
#: Of more, they are counted anew after so many changes, or once these can have made an end of it.
_COUNTED_EVERY: Final = 1 << 10
#: Stores of so many items are counted anew with every change.
_SMALL_STORE: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Count:
    """A count, and the state of the store that it is of.

    Attributes:
        keys: The items without a vector, ascending; None where they are many.
    """

    model: str
    change: int
    extent: int
    missing: int
    of: int
    keys: tuple[int, ...] | None


class MissingVectors:
    """Follows a store from change to change. One thread at a time asks it.

    Nothing is read where nothing changed, and of a store that is complete only what changed.
    """

    def __init__(self) -> None:
        self._seen: _Count | None = None

    def notice(self, reader: Reader, state: ViewState, model: str) -> str | None:
        """The degradation that a search tells of; None where every item has a vector of the model."""
        seen = self._seen = self._followed(reader, state, model)
        if not seen.missing:
            return None
        return f"vectors: {seen.missing:,} of {seen.of:,} items have none yet; run `simonides backfill`"

    def _followed(self, reader: Reader, state: ViewState, model: str) -> _Count:
        seen, change, extent = self._seen, state.change, state.extent
        if seen is None or seen.model != model or change < seen.change or extent < seen.extent:
            return _counted(reader, model, change, extent)
        moved = change - seen.change + extent - seen.extent
        if not moved:
            return seen
        if seen.keys is None:
            late = moved >= min(_COUNTED_EVERY, seen.missing)
            return _counted(reader, model, change, extent) if late or extent <= _SMALL_STORE else seen
        keys = reader.lacking_vector(model, seen.keys, seen.change, seen.extent, _FEW + 1)
        if not keys:
            return replace(seen, change=change, extent=extent, missing=0, keys=())
        if len(keys) > _FEW or extent <= _SMALL_STORE:
            return _counted(reader, model, change, extent)
        of = max(len(keys), seen.of + extent - seen.extent)
        return _Count(model, change, extent, len(keys), of, tuple(keys))


def _counted(reader: Reader, model: str, change: int, extent: int) -> _Count:
    missing, of = reader.count_lacking_vector(model)
    keys: tuple[int, ...] | None = () if not missing else None
    if 0 < missing <= _FEW:
        keys = tuple(reader.lacking_vector(model, (), change, 0, _FEW))
    return _Count(model, change, extent, missing, of, keys)
