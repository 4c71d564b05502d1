"""Exact search: every vector of the scopes in question is compared. Fast up to some 100,000 vectors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status
from simonides.domain.selection import Selection
from simonides.ports.vectors import VectorChanges, VectorSource

#: Status code of rows that no search may find.
DEAD: Final = -1
NEVER: Final = np.iinfo(np.int64).max
#: Cosines are compared at this precision.
DECIMALS: Final = 6
_CODES: Final = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
#: Rows of a block: a scope's first block is small, since most scopes are, later ones hold many.
_FIRST_ROWS: Final = 64
_MOST_ROWS: Final = 16_384
#: A block is packed anew when this share of its rows is dead.
_DEAD_SHARE: Final = 0.5
#: More than rounding can move a cosine.
_SLACK: Final = 2 * 10.0**-DECIMALS
#: So many times the wanted rows are gathered before the worst of them are left out.
_GATHERED: Final = 4
_NO_KEYS: Final = np.empty(0, np.int64)
_NO_COSINES: Final = np.empty(0, np.float32)


def products(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Inner product of a vector with each row.

    Row by row, not as a matrix product: on one core it is twice as fast as that is, it starts no
    threads, which wait for each other where the cores are busy, and the last bits of a row's product do
    not depend on the rows beside it.
    """
    return cast("NDArray[np.float32]", np.vecdot(rows, vector))


def status_codes(selection: Selection) -> list[int]:
    """Codes of `VectorChanges.statuses` that a selection lets pass."""
    return sorted(_CODES[status] for status in selection.statuses if status in _CODES)


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
        self._living = 0
        self._refreshing = threading.Lock()
        #: Held while rows are taken in, and while the two tables above are read.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._living

    def refresh(self, source: VectorSource) -> None:
        if source.last_change() <= self._change:
            return
        with self._refreshing:
            newest = source.last_change()
            if newest <= self._change:
                return
            for changes in source.vector_changes(self._change, self._model.fingerprint):
                self.take(changes)
            self._change = newest

    def search(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if scopes is None:
            blocks = list(self._blocks)
        else:
            blocks = [block for scope in scopes for block in list(self._of_scope.get(scope, ()))]
        codes = status_codes(selection)
        best = Best(limit)
        for block in blocks:
            if block.count:
                best.offer(*block.passing(vector, codes, selection.live_at, best.bound))
        return best.ordered()

    @property
    def degradations(self) -> Sequence[str]:
        return ()

    def describe(self) -> str:
        return f"exact, {len(self):,} vectors"

    def build(self, views: Callable[[], AbstractContextManager[VectorSource]]) -> int:
        with views() as source:
            self.refresh(source)
        return len(self)

    def snapshot(self) -> list[VectorChanges]:
        """All rows in pieces that do not change any more; the status of one that is gone is `DEAD`."""
        with self._lock:
            return [block.columns() for block in self._blocks if block.count]

    def close(self) -> None:
        """Nothing is under way."""

    def cosines(self, vector: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.round(products(self.vectors(keys), vector), DECIMALS)

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = np.zeros((len(keys), self._model.dimension), np.float32)
        with self._lock:
            known = keys < len(self._block_of)
            numbers = (
                self._block_of[keys] if known.all() else np.where(known, self._block_of[known * keys], -1)
            )
            held: set[int] = {*numbers.tolist()} - {-1}
            for number in held:
                places = (numbers == number).nonzero()[0]
                rows[places] = self._blocks[number].vectors[self._row_of[keys[places]]]
        return rows

    def take(self, changes: VectorChanges) -> None:
        """Let these items be as they are now. One thread at a time takes something in."""
        if not len(changes.keys):
            return
        with self._lock:
            self._make_room(int(changes.keys.max()))
            self._forget(changes.keys)
            if changes.vectors.shape[1] != self._model.dimension:
                return  # None of these has a vector of this model.
            alive = changes.vectors.any(axis=1) & (changes.scopes >= 0) & (changes.statuses != DEAD)
            chosen = np.flatnonzero(alive)
            chosen = chosen[np.argsort(changes.scopes[chosen], kind="stable")]
            bounds = np.flatnonzero(np.diff(changes.scopes[chosen])) + 1
            for of_scope in np.split(chosen, bounds):
                self._append(changes, of_scope)

    def _append(self, changes: VectorChanges, chosen: NDArray[np.intp]) -> None:
        """Add rows of one scope."""
        while len(chosen):
            block = self._with_room(int(changes.scopes[chosen[0]]))
            some, chosen = chosen[: block.room], chosen[block.room :]
            rows = block.append(changes, some)
            self._block_of[changes.keys[some]] = block.number
            self._row_of[changes.keys[some]] = rows
            self._living += len(some)

    def _make_room(self, key: int) -> None:
        if key >= len(self._block_of):
            more = max(key + 1, 2 * len(self._block_of)) - len(self._block_of)
            self._block_of = np.concatenate([self._block_of, np.full(more, -1, np.int32)])
            self._row_of = np.concatenate([self._row_of, np.zeros(more, np.int32)])

    def _forget(self, keys: NDArray[np.int64]) -> None:
        numbers = self._block_of[keys]
        held: set[int] = {*numbers.tolist()} - {-1}  # `np.unique` would bring `numpy.ma` along.
        for number in sorted(held):
            gone = keys[numbers == number]
            block = self._blocks[number]
            block.kill(self._row_of[gone])
            self._living -= len(gone)
            if block.count - block.living > _DEAD_SHARE * max(_FIRST_ROWS, block.count):
                self._pack(block)
        self._block_of[keys] = -1

    def _pack(self, old: _Block) -> None:
        """Put a new block with the living rows of an old one in its place."""
        living = np.flatnonzero(old.statuses[: old.count] != DEAD)
        new = _Block(old.number, old.scope, len(old.keys), self._model.dimension)
        rows = new.append(old, living)
        self._row_of[new.keys[: new.count]] = rows
        self._blocks[old.number] = new
        blocks = self._of_scope[old.scope]
        blocks[blocks.index(old)] = new

    def _with_room(self, scope: int) -> _Block:
        blocks = self._of_scope.setdefault(scope, [])
        if blocks and blocks[-1].room:
            return blocks[-1]
        size = min(_MOST_ROWS, _FIRST_ROWS * 4 ** len(blocks))
        block = _Block(len(self._blocks), scope, size, self._model.dimension)
        blocks.append(block)
        self._blocks.append(block)
        return block


class Best:
    """The rows with the highest cosines of all that are offered.

    Attributes:
        bound: A cosine below which nothing need be offered any more; rises with what was.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._keys: list[NDArray[np.int64]] = []
        self._cosines: list[NDArray[np.float32]] = []
        self._count = 0
        self.bound = -np.inf

    def offer(self, keys: NDArray[np.int64], cosines: NDArray[np.float32]) -> None:
        """Take rows in; no key comes twice."""
        self._keys.append(keys)
        self._cosines.append(cosines.round(DECIMALS))
        self._count += len(keys)
        if self._count > _GATHERED * self._limit or (self._count > self._limit and self.bound == -np.inf):
            self._cut()

    def ordered(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Keys and cosines, best first, ties by key; at most as many as wanted."""
        if not self._count:
            return _NO_KEYS, _NO_COSINES
        self._cut()
        keys, cosines = self._keys[0], self._cosines[0]
        order = np.lexsort((keys, -cosines))[: self._limit]
        return keys[order], cosines[order]

    def _cut(self) -> None:
        """Leave out what is worse than the last of those wanted; what ties with it stays."""
        keys, cosines = np.concatenate(self._keys), np.concatenate(self._cosines)
        if len(cosines) > self._limit:
            last = len(cosines) - self._limit
            worst = np.partition(cosines, last)[last]
            chosen = cosines >= worst
            keys, cosines = keys[chosen], cosines[chosen]
            self.bound = float(worst) - _SLACK
        self._keys, self._cosines, self._count = [keys], [cosines], len(keys)


class _Block:
    """Rows of one scope. `count` rows are in use, `living` of them are not dead."""

    __slots__ = ("count", "expires_at", "keys", "living", "number", "plain", "scope", "statuses", "vectors")

    def __init__(self, number: int, scope: int, capacity: int, dimension: int) -> None:
        self.number = number
        self.scope = scope
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
        """Number of rows that can be added."""
        return len(self.keys) - self.count

    def append(self, source: VectorChanges | _Block, chosen: NDArray[np.intp]) -> NDArray[np.int32]:
        """Add the chosen rows of a source that has the same columns; their numbers here."""
        first, last = self.count, self.count + len(chosen)
        for name in ("keys", "vectors", "statuses", "expires_at"):
            column = getattr(self, name)
            np.take(getattr(source, name), chosen, axis=0, out=column[first:last], mode="clip")
        added = slice(first, last)
        self.plain = (
            self.plain and not self.statuses[added].any() and bool((self.expires_at[added] == NEVER).all())
        )
        self.living += len(chosen)
        self.count = last  # Last: a search beside it sees only whole rows.
        return np.arange(first, last, dtype=np.int32)

    def columns(self) -> VectorChanges:
        """The rows so far. Their statuses are copied: they alone change."""
        some = slice(0, self.count)
        return VectorChanges(
            keys=self.keys[some],
            scopes=np.full(self.count, self.scope, np.int64),
            statuses=self.statuses[some].copy(),
            expires_at=self.expires_at[some],
            vectors=self.vectors[some],
        )

    def kill(self, rows: NDArray[np.int32]) -> None:
        """Take rows out of every search."""
        self.plain = False
        self.statuses[rows] = DEAD
        self.living -= len(rows)

    def passing(
        self, vector: NDArray[np.float32], codes: Sequence[int], live_at: int | None, bound: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Keys and cosines of the rows that pass and reach the bound, in no particular order."""
        count = self.count
        if self.plain and 0 not in codes:
            return _NO_KEYS, _NO_COSINES
        cosines = products(self.vectors[:count], vector)
        chosen = cosines >= bound
        if not self.plain:
            chosen &= np.isin(self.statuses[:count], codes)
            if live_at is not None:
                chosen &= self.expires_at[:count] > live_at
        rows = chosen.nonzero()[0]
        return self.keys[rows], cosines[rows]
