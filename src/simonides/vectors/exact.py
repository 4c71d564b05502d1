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
from simonides.ports.vectors import VectorChanges, VectorSource

_DEAD: Final = -1
_CODES: Final = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
_NEVER: Final = np.iinfo(np.int64).max
#: Rows of a block: a scope's first block is small, since most scopes are, later ones hold many.
_FIRST_ROWS: Final = 64
_MOST_ROWS: Final = 16_384
#: A block is packed anew when this share of its rows is dead.
_DEAD_SHARE: Final = 0.5
#: Cosines are compared at this precision: a product's last bits depend on the shape of the matrix.
_DECIMALS: Final = 6
_NO_KEYS: Final = np.empty(0, np.int64)
_NO_COSINES: Final = np.empty(0, np.float32)


class ExactIndex:
    """Meets `ports.vectors.VectorIndex` with blocks of rows, each of one scope.

    A row keeps its place as long as it lives, and a block is never grown: a search may go on with the
    blocks it started with while a refresh adds others.
    """

    def __init__(self, model: EmbedderIdentity) -> None:
        self._model = model
        self._change = 0
        self._blocks: list[_Block] = []
        self._of_scope: dict[int, list[_Block]] = {}
        #: By item key: number of the block that holds it, -1 for none, and the row in it.
        self._block_of = np.full(_FIRST_ROWS, -1, np.int32)
        self._row_of = np.zeros(_FIRST_ROWS, np.int32)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return sum(block.living for block in self._blocks)

    def refresh(self, source: VectorSource) -> None:
        if source.last_change() <= self._change:
            return
        with self._lock:
            newest = source.last_change()
            if newest <= self._change:
                return
            for changes in source.vector_changes(self._change, self._model.fingerprint):
                self._take(changes)
            self._change = newest

    def search(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if scopes is None:
            blocks = list(self._blocks)
        else:
            blocks = [block for scope in scopes for block in list(self._of_scope.get(scope, ()))]
        codes = [_CODES[status] for status in selection.statuses if status in _CODES]
        found = [block.nearest(vector, codes, selection.live_at, limit) for block in blocks if block.count]
        if not found:
            return _NO_KEYS, _NO_COSINES
        keys = np.concatenate([keys for keys, _ in found])
        cosines = np.concatenate([cosines for _, cosines in found])
        order = np.lexsort((keys, -cosines))[:limit]
        return keys[order], cosines[order]

    def cosines(self, vector: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.zeros((len(keys), self._model.dimension), np.float32)
        with self._lock:
            known = keys < len(self._block_of)
            numbers = np.where(known, self._block_of[np.where(known, keys, 0)], -1)
            for number in map(int, np.unique(numbers[numbers >= 0])):
                places = np.flatnonzero(numbers == number)
                rows[places] = self._blocks[number].vectors[self._row_of[keys[places]]]
        return np.round(rows @ vector, _DECIMALS)

    def _take(self, changes: VectorChanges) -> None:
        width = changes.vectors.shape[1]
        if not len(changes.keys):
            return
        self._make_room(int(changes.keys.max()))
        self._forget(changes.keys)
        if width != self._model.dimension:
            return  # None of these has a vector of this model.
        alive = changes.vectors.any(axis=1) & (changes.scopes >= 0) & (changes.statuses != _DEAD)
        for scope in np.unique(changes.scopes[alive]).tolist():
            chosen = np.flatnonzero(alive & (changes.scopes == scope))
            while len(chosen):
                number, block = self._with_room(scope)
                some, chosen = chosen[: block.room], chosen[block.room :]
                rows = block.append(changes, some)
                self._block_of[changes.keys[some]] = number
                self._row_of[changes.keys[some]] = rows

    def _make_room(self, key: int) -> None:
        if key >= len(self._block_of):
            more = max(key + 1, 2 * len(self._block_of)) - len(self._block_of)
            self._block_of = np.concatenate([self._block_of, np.full(more, -1, np.int32)])
            self._row_of = np.concatenate([self._row_of, np.zeros(more, np.int32)])

    def _forget(self, keys: NDArray[np.int64]) -> None:
        numbers = self._block_of[keys]
        for number in map(int, np.unique(numbers[numbers >= 0])):
            gone = keys[numbers == number]
            block = self._blocks[number]
            block.kill(self._row_of[gone])
            if block.count - block.living > _DEAD_SHARE * max(_FIRST_ROWS, block.count):
                self._pack(number)
        self._block_of[keys] = -1

    def _pack(self, number: int) -> None:
        """Put a new block with the living rows of an old one in its place."""
        old = self._blocks[number]
        living = np.flatnonzero(old.statuses[: old.count] != _DEAD)
        new = _Block(len(old.keys), self._model.dimension)
        rows = new.append(old, living)
        self._row_of[new.keys[: new.count]] = rows
        self._blocks[number] = new
        for blocks in self._of_scope.values():
            if old in blocks:
                blocks[blocks.index(old)] = new

    def _with_room(self, scope: int) -> tuple[int, _Block]:
        blocks = self._of_scope.setdefault(scope, [])
        for block in blocks[-1:]:
            if block.room:
                return self._blocks.index(block), block
        size = min(_MOST_ROWS, _FIRST_ROWS * 4 ** len(blocks))
        block = _Block(size, self._model.dimension)
        blocks.append(block)
        self._blocks.append(block)
        return len(self._blocks) - 1, block


class _Block:
    """Rows of one scope. `count` rows are in use, `living` of them are not dead."""

    __slots__ = ("count", "expires_at", "keys", "living", "plain", "statuses", "vectors")

    def __init__(self, capacity: int, dimension: int) -> None:
        self.count: int = 0
        self.living: int = 0
        #: Every row is active and never expires: nothing has to be masked.
        self.plain = True
        self.keys: NDArray[np.int64] = np.empty(capacity, np.int64)
        self.vectors: NDArray[np.float32] = np.empty((capacity, dimension), np.float32)
        self.statuses: NDArray[np.int8] = np.empty(capacity, np.int8)
        self.expires_at: NDArray[np.int64] = np.empty(capacity, np.int64)

    @property
    def room(self) -> int:
        """How many rows can be added."""
        return len(self.keys) - self.count

    def append(self, source: VectorChanges | _Block, chosen: NDArray[np.intp]) -> NDArray[np.int32]:
        """Add the chosen rows of a source that has the same columns; their numbers here."""
        first, last = self.count, self.count + len(chosen)
        for name in ("keys", "vectors", "statuses", "expires_at"):
            column = getattr(self, name)
            np.take(getattr(source, name), chosen, axis=0, out=column[first:last], mode="clip")
        added = slice(first, last)
        self.plain = (
            self.plain and not self.statuses[added].any() and bool((self.expires_at[added] == _NEVER).all())
        )
        self.living += len(chosen)
        self.count = last  # Last: a search beside it sees only whole rows.
        return np.arange(first, last, dtype=np.int32)

    def kill(self, rows: NDArray[np.int32]) -> None:
        """Take rows out of every search."""
        self.plain = False
        self.statuses[rows] = _DEAD
        self.living -= len(rows)

    def nearest(
        self, vector: NDArray[np.float32], codes: Sequence[int], live_at: int | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The best rows of the block, in no particular order; all that tie with the last of them."""
        count = self.count
        cosines = np.round(self.vectors[:count] @ vector, _DECIMALS)
        keys = self.keys[:count]
        if not self.plain:
            passing = np.isin(self.statuses[:count], codes)
            if live_at is not None:
                passing &= self.expires_at[:count] > live_at
            keys, cosines = keys[passing], cosines[passing]
        elif 0 not in codes:
            return _NO_KEYS, _NO_COSINES
        if len(cosines) > limit:
            bound = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
            best = cosines >= bound
            return keys[best], cosines[best]
        return keys, cosines
