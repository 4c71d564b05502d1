"""Exact search: every vector of the scopes in question is compared. Fast up to some 100,000 vectors."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status
from simonides.domain.selection import Selection
from simonides.ports.vectors import VectorSource

_DEAD: Final = -1
_CODES: Final = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
_NEVER: Final = np.iinfo(np.int64).max
#: A scope's rows are packed anew when this share of them is dead.
_DEAD_SHARE: Final = 0.25
_FIRST_CAPACITY: Final = 64
#: Cosines are compared at this precision: a product's last bits depend on the shape of the matrix.
_DECIMALS: Final = 6


class ExactIndex:
    """Meets `ports.vectors.VectorIndex` with one contiguous block of rows per scope.

    Rows are only appended or marked dead in place, and arrays that grow are replaced, so a search may
    go on with the arrays it started with while a refresh changes the index.
    """

    def __init__(self, model: EmbedderIdentity) -> None:
        self._model = model
        self._change = 0
        self._blocks: dict[int, _Block] = {}
        self._where: dict[int, tuple[_Block, int]] = {}
        self._refreshing = threading.Lock()

    def __len__(self) -> int:
        return len(self._where)

    def refresh(self, source: VectorSource) -> None:
        if source.last_change() <= self._change:
            return
        with self._refreshing:
            newest = source.last_change()
            if newest <= self._change:
                return
            for changes in source.vector_changes(self._change, self._model.fingerprint):
                if changes.vectors.shape[1] not in (0, self._model.dimension):
                    continue
                has_vector = (
                    changes.vectors.any(axis=1)
                    if changes.vectors.shape[1]
                    else np.zeros(len(changes.keys), bool)
                )
                for key in changes.keys.tolist():
                    self._forget(key)
                alive = has_vector & (changes.scopes >= 0) & (changes.statuses != _DEAD)
                for scope in np.unique(changes.scopes[alive]).tolist():
                    chosen = alive & (changes.scopes == scope)
                    self._append(
                        scope,
                        changes.keys[chosen],
                        changes.vectors[chosen],
                        changes.statuses[chosen],
                        changes.expires_at[chosen],
                    )
            self._change = newest

    def search(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        blocks = (
            list(self._blocks.values())
            if scopes is None
            else [self._blocks[s] for s in scopes if s in self._blocks]
        )
        codes = [_CODES[status] for status in selection.statuses if status in _CODES]
        found = [block.nearest(vector, codes, selection.live_at, limit) for block in blocks]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        keys = np.concatenate([keys for keys, _ in found])
        cosines = np.concatenate([cosines for _, cosines in found])
        order = np.lexsort((keys, -cosines))[:limit]
        return keys[order], cosines[order]

    def cosines(self, vector: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.zeros((len(keys), self._model.dimension), np.float32)
        for place, key in enumerate(keys.tolist()):
            found = self._where.get(key)
            if found is not None:
                block, row = found
                rows[place] = block.vectors[row]
        return np.round(rows @ vector, _DECIMALS)

    def vectors(self, keys: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of items, shape (len(keys), dimension); zeros for one without."""
        rows = np.zeros((len(keys), self._model.dimension), np.float32)
        for place, key in enumerate(keys):
            found = self._where.get(key)
            if found is not None:
                rows[place] = found[0].vectors[found[1]]
        return rows

    def _forget(self, key: int) -> None:
        found = self._where.pop(key, None)
        if found is not None:
            block, row = found
            block.kill(row)

    def _append(
        self,
        scope: int,
        keys: NDArray[np.int64],
        vectors: NDArray[np.float32],
        statuses: NDArray[np.int8],
        expires_at: NDArray[np.int64],
    ) -> None:
        block = self._blocks.get(scope)
        if block is None or block.crowded(len(keys)):
            block = self._blocks[scope] = self._roomier(block, len(keys))
        first = block.append(keys, vectors, statuses, expires_at)
        for offset, key in enumerate(keys.tolist()):
            self._where[key] = (block, first + offset)

    def _roomier(self, block: _Block | None, more: int) -> _Block:
        """A block with the living rows of another and room for as many again."""
        if block is None:
            return _Block(max(_FIRST_CAPACITY, more), self._model.dimension)
        living = np.flatnonzero(block.statuses[: block.count] != _DEAD)
        larger = _Block(int((len(living) + more) * 1.5), self._model.dimension)
        larger.append(
            block.keys[living], block.vectors[living], block.statuses[living], block.expires_at[living]
        )
        for row, key in enumerate(larger.keys[: len(living)].tolist()):
            self._where[key] = (larger, row)
        return larger


class _Block:
    """The rows of one scope. `count` rows are in use, some of them dead."""

    __slots__ = ("count", "dead", "expires_at", "keys", "plain", "statuses", "vectors")

    def __init__(self, capacity: int, dimension: int) -> None:
        self.count = 0
        self.dead = 0
        #: Every row is active and never expires: nothing has to be masked.
        self.plain = True
        self.keys = np.empty(capacity, np.int64)
        self.vectors = np.empty((capacity, dimension), np.float32)
        self.statuses = np.empty(capacity, np.int8)
        self.expires_at = np.empty(capacity, np.int64)

    def crowded(self, more: int) -> bool:
        """Whether so many rows do not fit, or too many of the present ones are dead."""
        return self.count + more > len(self.keys) or self.dead > _DEAD_SHARE * max(
            _FIRST_CAPACITY, self.count
        )

    def append(
        self,
        keys: NDArray[np.int64],
        vectors: NDArray[np.float32],
        statuses: NDArray[np.int8],
        expires_at: NDArray[np.int64],
    ) -> int:
        """Add rows; the number of the first."""
        first, last = self.count, self.count + len(keys)
        self.keys[first:last] = keys
        self.vectors[first:last] = vectors
        self.statuses[first:last] = statuses
        self.expires_at[first:last] = expires_at
        self.plain = self.plain and not statuses.any() and bool((expires_at == _NEVER).all())
        self.count = last  # Last: a search beside it sees only whole rows.
        return first

    def kill(self, row: int) -> None:
        """Take a row out of every search."""
        self.plain = False
        self.statuses[row] = _DEAD
        self.dead += 1

    def nearest(
        self, vector: NDArray[np.float32], codes: Sequence[int], live_at: int | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The best rows of the block, in no particular order; all that tie with the last of them."""
        count = self.count
        cosines = np.round(self.vectors[:count] @ vector, _DECIMALS)
        if self.plain:
            rows = np.arange(count) if count <= limit and 0 in codes else None
            if 0 not in codes:
                return np.empty(0, np.int64), np.empty(0, np.float32)
        else:
            passing = np.isin(self.statuses[:count], codes)
            if live_at is not None:
                passing &= self.expires_at[:count] > live_at
            rows = np.flatnonzero(passing)
            cosines = cosines[rows]
        if len(cosines) > limit:
            bound = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
            best = np.flatnonzero(cosines >= bound)
            rows = best if rows is None else rows[best]
            cosines = cosines[best]
        assert rows is not None
        return self.keys[rows], cosines
