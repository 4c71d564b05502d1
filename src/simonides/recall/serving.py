"""Which model's vectors answer: the present one's, or a former one's while those of the present one are few."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderError
from simonides.ports.embedder import Embedder
from simonides.ports.store import Reader
from simonides.ports.vectors import VectorIndex
from simonides.recall.gather import Gatherer

#: What is stored is counted anew after so many changes.
_COUNTED_EVERY: Final = 1 << 10

#: A gatherer, and what is to be said of it.
Choice = tuple[Gatherer, str | None]


class Serving:
    """Chooses the model whose vectors are compared, search by search.

    After a change of model the vectors that are there go on answering, asked with the embedder that made them,
    until as many of the present model are there. Where that embedder cannot be asked, text alone answers.

    Args:
        index: Makes an index for a model.
        former: The embedder that made the vectors of a model, if it can be had.
    """

    def __init__(
        self,
        embedder: Embedder,
        index: Callable[[EmbedderIdentity], VectorIndex],
        former: Callable[[EmbedderIdentity], Embedder | None],
    ) -> None:
        self._embedder = embedder
        self._index = index
        self._former = former
        self._lock = threading.Lock()
        self._formers: dict[str, Gatherer | None] = {}
        self._counted: tuple[object, Choice] | None = None
        self.present = Gatherer(lambda: index(embedder.identity), embedder)

    def gatherer(self, reader: Reader, *, past: bool = False) -> Choice:
        """What gathers candidates at present.

        Args:
            past: The reader is of a former state: what was counted says nothing of it.
        """
        known = reader.known_models()
        if len(known) < 2 and self._is_present(known):
            return self.present, None
        mark = (known, reader.last_change() // _COUNTED_EVERY)
        with self._lock:
            if past:
                return self._chosen(reader)
            if self._counted is None or self._counted[0] != mark:
                self._counted = (mark, self._chosen(reader))
            return self._counted[1]

    def close(self) -> None:
        """End what the indexes do in the background."""
        self.present.close()
        with self._lock:
            for former in self._formers.values():
                if former is not None:
                    former.close()

    def _is_present(self, known: Sequence[str]) -> bool:
        if not known:
            return True
        try:
            return known[0] == self._embedder.identity.fingerprint
        except ProviderError:  # The search finds out, and says so.
            return True

    def _chosen(self, reader: Reader) -> Choice:
        try:
            present = self._embedder.identity
        except ProviderError:
            return self.present, None
        counts = dict(reader.models())
        own = counts.pop(present, 0)
        if not counts or (most := max(counts.values())) <= own:
            return self.present, None
        model = max(counts, key=lambda one: (counts[one], one.fingerprint))
        said = f"{own:,} of {most:,} vectors are made with {present.name} so far"
        if (former := self._former_gatherer(model)) is not None:
            return former, f"vectors: {said}; those of {model.name} answer until `maintain embed` is through"
        why = f"{said}, and {model.name} cannot be asked any more: run `maintain embed`"
        return Gatherer(lambda: self._index(present), _Silent(self._embedder, why)), None

    def _former_gatherer(self, model: EmbedderIdentity) -> Gatherer | None:
        if model.fingerprint not in self._formers:
            embedder = self._asked(model)
            self._formers[model.fingerprint] = (
                None if embedder is None else Gatherer(lambda: self._index(model), embedder)
            )
        return self._formers[model.fingerprint]

    def _asked(self, model: EmbedderIdentity) -> Embedder | None:
        try:
            found = self._former(model)
            same = found is not None and found.identity == model
        except ProviderError:
            return None
        return found if same else None


class _Silent:
    """Stands in for an embedder whose vectors are not there yet."""

    def __init__(self, embedder: Embedder, why: str) -> None:
        self._embedder = embedder
        self._why = why

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    @property
    def local(self) -> bool:
        return self._embedder.local

    @property
    def multilingual(self) -> bool:
        return self._embedder.multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        del texts
        raise ProviderError(self._why)
