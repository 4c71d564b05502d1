"""Catching up: vectors after a slow embedder's writes or a change of model, names in old files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Item, Status
from simonides.domain.selection import RECALLED, ItemOrder, Selection, lacking_reading, lacking_vector
from simonides.domain.taxonomy import Taxonomy
from simonides.language.names import names_of
from simonides.ports.embedder import Embedder
from simonides.ports.store import Store, Writer

_PIECE: Final = 128
_UNNAMED: Final = Selection(scopes=None, live_at=None, statuses=frozenset(Status), unnamed=True)


class Backfill:
    """Goes through the items in order; stopped at any point, it goes on from there.

    Args:
        closers: Read statements more closely than the embedder.
    """

    def __init__(
        self, store: Store, embedder: Embedder, closers: Sequence[Embedder], taxonomy: Taxonomy
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._closers = closers
        self._types = frozenset(taxonomy.specs)

    def missing(self) -> int:
        """Number of items without a vector of the present model, at most a few: 0 if none."""
        with self._store.read() as reader:
            return len(reader.keys(lacking_vector(self._embedder.identity.fingerprint), limit=1))

    def run(self, progress: Callable[[int, int], None] | None = None, *, again: bool = False) -> int:
        """Embed what is missing, piece by piece; how many items were embedded.

        Args:
            again: Embed everything anew, whether it has a vector or not: after `doctor` found damage.
            progress: Called with the number done and the key reached; statements are counted again as they are read.

        Raises:
            ProviderError: The embedder did not answer; what was done before is kept.
        """
        embedder = self._embedder
        chosen = RECALLED if again else lacking_vector(embedder.identity.fingerprint)
        done = self._embedded(embedder, chosen, lambda item: item.text, progress)
        for closer in self._closers:
            chosen = lacking_reading(None if again else closer.identity.fingerprint, self._types)
            self._embedded(closer, chosen, lambda item: item.content, progress)
        return done

    def _embedded(
        self,
        embedder: Embedder,
        chosen: Selection,
        text: Callable[[Item], str],
        progress: Callable[[int, int], None] | None,
    ) -> int:
        """Give the items of a selection vectors of an embedder."""
        model, done, after = embedder.identity, 0, 0
        while True:
            with self._store.read() as reader:
                piece = reader.select(chosen, ItemOrder.OLDEST, limit=_PIECE, after=after)
            if not piece:
                return done
            vectors = embedder.embed([text(item) for item in piece.values()])
            self._store.write(partial(_put, model=model, piece=piece, vectors=vectors))
            after = max(piece)
            done += len(piece)
            if progress is not None:
                progress(done, after)


class NameBackfill:
    """Looks for names in items that were stored without; stopped at any point, it goes on from there."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def run(self, *, again: bool = False) -> int:
        """Let items mention what they name, piece by piece; how many items were looked through.

        Args:
            again: Look through every item, and mend the registry: after `doctor` found damage.
        """
        if again:
            self._store.write(lambda tx: tx.name_items(None))
        done = 0
        while piece := self._store.write(_name) if self._waiting() else 0:
            done += piece
        return done

    def _waiting(self) -> bool:
        with self._store.read() as reader:
            return bool(reader.keys(_UNNAMED, limit=1))


def _name(tx: Writer) -> int:
    """Look through one piece inside the transaction, so that nobody rewords an item meanwhile."""
    items = tx.select(_UNNAMED, ItemOrder.OLDEST, limit=_PIECE)
    tx.name_items([(key, names_of(item)) for key, item in items.items()])
    return len(items)


def _put(
    tx: Writer, *, model: EmbedderIdentity, piece: Mapping[int, Item], vectors: NDArray[np.float32]
) -> None:
    # An item that was reworded or purged while its text was embedded is left for the next round.
    now = tx.load(list(piece))
    rows = [
        (key, vector if vector.any() else None)
        for (key, item), vector in zip(piece.items(), vectors, strict=True)
        if key in now and now[key].text == item.text
    ]
    tx.put_vectors(model, rows)
