"""Rows as they stood when they were saved, searched by structures; what changed since then is masked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.ports.vectors import VectorChanges
from simonides.vectors.engine import Engine, Structure
from simonides.vectors.exact import DEAD, NEVER, Best, products
from simonides.vectors.saved import Manifest, RowRange, Saved, row_sums

#: Rows that are compared one by one at a time.
_PIECE: Final = 16_384
#: Comparing a row that a structure names costs so many times what one costs in a scan of all.
_SCATTERED: Final = 10
#: What is asked for beyond need where some rows may not be found.
_MORE: Final = 1.2

_NONE: Final = np.empty(0, np.int64)

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


class FrozenRows:
    """The rows of a saving, of which there is at least one. Searches may run beside a change of the mask."""

    def __init__(self, saved: Saved, engine: Engine) -> None:
        self._saved = saved
        self._engine = engine
        self._dimension = saved.manifest.dimension
        keys = saved.keys
        #: By item key: its row, -1 for none.
        self._row_of = np.full(int(keys.max()) + 1, -1, np.int32)
        self._row_of[keys] = np.arange(len(keys), dtype=np.int32)
        self._gone = np.zeros(len(keys), np.bool_)
        self._gone_count = 0
        #: Rows whose checksum was compared already.
        self._sound = np.zeros(len(keys), np.bool_)
        expiring = np.flatnonzero(saved.expires_at != NEVER)
        self._expiring = expiring[np.argsort(saved.expires_at[expiring], kind="stable")]
        self._expiries = saved.expires_at[self._expiring]
        self._mask: tuple[object, Mask | None] = (None, None)
        #: By scope key: its first row and how many rows follow each other there.
        self._ranges = _ranges(saved.scopes)
        self._of_status: dict[tuple[int, ...], Mask | None] = {}
        self._own = {part.scope: n for n, part in enumerate(saved.manifest.parts) if part.scope is not None}
        #: Set once a row was found not to be what was saved.
        self.damaged = False
        #: Set by its owner once what is saved had to go.
        self.outdated = False

    def __len__(self) -> int:
        return len(self._gone) - self._gone_count

    @property
    def manifest(self) -> Manifest:
        """Description of what is saved."""
        return self._saved.manifest

    @property
    def masked(self) -> int:
        """Number of rows that no search finds any more."""
        return self._gone_count

    def knows(self, keys: NDArray[np.int64]) -> bool:
        """True where the vector of an item is saved, masked or not."""
        return bool((self._rows_of(keys) >= 0).any())

    def mask(self, keys: NDArray[np.int64]) -> None:
        """Take items out of every search."""
        rows = self._rows_of(keys)
        rows = np.unique(rows[rows >= 0])
        fresh = rows[~self._gone[rows]]
        self._gone[fresh] = True
        # Last: a search beside this one remembers what passes under this number.
        self._gone_count += len(fresh)

    def search(
        self,
        best: Best,
        vector: NDArray[np.float32],
        codes: Sequence[int],
        live_at: int | None,
        scopes: Sequence[int] | None,
        limit: int,
    ) -> None:
        """Offer the nearest rows of these scopes that pass."""
        padded = self._padded(vector)
        mask = self._passing(codes, live_at)
        for first, count, graph in self._places(scopes):
            chosen = None
            if graph is not None:
                allowed = None if mask is None else mask[first : first + count]
                chosen = self._named(graph, padded, allowed, count, limit)
            if chosen is None:
                self._offer_all(best, padded, mask, first, first + count)
            else:
                self._offer(best, padded, first + chosen)

    def vectors(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.float32], Mask]:
        """The vectors of items, and which of them are held here; rows of zeros for the others."""
        rows = self._rows_of(keys)
        held = (rows >= 0) & ~self._gone[rows]
        self._intact(rows[held])
        held &= self._sound[rows]
        vectors = np.zeros((len(keys), self._dimension), np.float32)
        vectors[held] = self._saved.rows[rows[held], : self._dimension]
        return vectors, held

    def check(self) -> None:
        """Compare every row with its checksum.

        Raises:
            ValueError: One is not what was saved.
        """
        for first in range(0, len(self._sound), _PIECE):
            self._intact(np.arange(first, min(first + _PIECE, len(self._sound))))
        if self.damaged:
            raise ValueError("saved vectors are damaged")

    def snapshot(self) -> VectorChanges:
        """All rows in columns; the status of one that is masked is `DEAD`."""
        saved = self._saved
        statuses = np.where(self._gone, np.int8(DEAD), saved.statuses)
        return VectorChanges(
            saved.keys, saved.scopes, statuses, saved.expires_at, saved.rows[:, : self._dimension]
        )

    def _places(self, scopes: Sequence[int] | None) -> Iterator[tuple[int, int, Structure | None]]:
        """Yield the places of these scopes' rows, with the structure over them if there is one."""
        parts: Sequence[RowRange] = self._saved.manifest.parts
        if scopes is None:
            for part, graph in zip(parts, self._saved.graphs, strict=True):
                yield part.first, part.count, graph
            return
        for scope in scopes:
            if scope in self._ranges:
                first, count = self._ranges[scope]
                own = self._own.get(scope)
                yield first, count, None if own is None else self._saved.graphs[own]

    def _named(
        self, graph: Structure, vector: NDArray[np.float32], allowed: Mask | None, count: int, limit: int
    ) -> Rows | None:
        """Rows worth comparing, of which the best `limit` are the answer; None where a scan is better."""
        # Structures can filter themselves, but one that walks past what is hidden finds no way on where the
        # nearest are hidden, and does not say so. What is left of an unfiltered answer is right.
        passing = count if allowed is None else int(np.count_nonzero(allowed))
        if not passing:
            return _NONE
        wanted = min(self._engine.candidates(limit), passing)
        count_wanted = wanted if allowed is None else math.ceil(wanted * _MORE * count / passing)
        while count_wanted * _SCATTERED <= count:
            nearest = graph.nearest(vector, count_wanted)
            passed = nearest if allowed is None else nearest[allowed[nearest]]
            if len(passed) >= wanted:
                return passed
            if len(nearest) < count_wanted:
                return None
            count_wanted *= 4  # The nearest are hidden more often than others.
        return None

    def _offer(self, best: Best, vector: NDArray[np.float32], rows: Rows) -> None:
        rows = self._intact(rows)
        best.offer(self._saved.keys[rows], products(self._saved.rows[rows], vector))

    def _offer_all(
        self, best: Best, vector: NDArray[np.float32], mask: Mask | None, first: int, end: int
    ) -> None:
        if mask is not None and np.count_nonzero(mask[first:end]) * _SCATTERED < end - first:
            self._offer(best, vector, first + np.flatnonzero(mask[first:end]))
            return
        for begin in range(first, end, _PIECE):
            piece = slice(begin, min(begin + _PIECE, end))
            if not self._sound[piece].all():
                self._intact(np.arange(piece.start, piece.stop))
            cosines = products(self._saved.rows[piece], vector)
            chosen = (cosines >= best.bound) & self._sound[piece]
            if mask is not None:
                chosen &= mask[piece]
            rows = np.flatnonzero(chosen)
            best.offer(self._saved.keys[begin + rows], cosines[rows])

    def _passing(self, codes: Sequence[int], live_at: int | None) -> Mask | None:
        """Mask of the rows that pass; None where all do. Kept until a question or a change needs another one."""
        expired = 0 if live_at is None else int(np.searchsorted(self._expiries, live_at, side="right"))
        what = (tuple(codes), expired, self._gone_count)
        known, mask = self._mask
        if known != what:
            passing = ~self._gone
            if (right := self._with_status(tuple(codes))) is not None:
                passing &= right
            passing[self._expiring[:expired]] = False
            mask = None if passing.all() else passing
            self._mask = (what, mask)
        return mask

    def _with_status(self, codes: tuple[int, ...]) -> Mask | None:
        """Mask of the rows that have one of these statuses; None where all have."""
        if codes not in self._of_status:
            right = np.isin(self._saved.statuses, codes)
            self._of_status[codes] = None if right.all() else right
        return self._of_status[codes]

    def _intact(self, rows: Rows) -> Rows:
        """Those of these rows that are what was saved."""
        unknown = rows[~self._sound[rows]]
        if not len(unknown):
            return rows
        intact = row_sums(self._saved.rows[unknown]) == self._saved.sums[unknown]
        self._sound[unknown[intact]] = True
        if intact.all():
            return rows
        self.damaged = True
        return rows[self._sound[rows]]

    def _rows_of(self, keys: NDArray[np.int64]) -> Rows:
        known = (keys >= 0) & (keys < len(self._row_of))
        return np.where(known, self._row_of[np.where(known, keys, 0)], -1).astype(np.int64)

    def _padded(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.append(vector, np.float32(0)) if self._dimension % 2 else vector


def _ranges(scopes: NDArray[np.int64]) -> dict[int, tuple[int, int]]:
    firsts = np.concatenate([[0], np.flatnonzero(scopes[1:] != scopes[:-1]) + 1])
    counts = np.diff(firsts, append=len(scopes))
    places = zip(firsts.tolist(), counts.tolist(), strict=True)
    return dict(zip(scopes[firsts].tolist(), places, strict=True))
