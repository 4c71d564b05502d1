"""Change of the embedding model: a former model's vectors answer while those of the present one are few."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderError
from simonides.ports.embedder import Embedder
from simonides.ports.recalling import ViewState
from simonides.ports.store import Reader
from simonides.ports.vectors import Exemplars, VectorIndex
from simonides.recall.close_reader import CloseReader, StoredReading
from simonides.recall.gather import Gatherer
from simonides.recall.missing_vectors import MissingVectors
from simonides.recall.question.exemplars import EmbeddedExemplars
from simonides.values import dataclass

#: What is stored is counted anew after so many changes.
_COUNTED_EVERY: Final = 1 << 10

#: A gatherer, and what is to be said of it.
Choice = tuple[Gatherer, str | None]


@dataclass(frozen=True, slots=True)
class _Counted:
    """A choice, and how long it holds.

    Attributes:
        known: The models that were there.
        at: The change up to which it was counted.
        until: The change from which on the counts may say something else.
    """

    known: tuple[str, ...]
    at: int
    until: int
    choice: Choice

    def holds(self, known: tuple[str, ...], change: int) -> bool:
        return known == self.known and self.at <= change < self.until


class EmbeddingMigration:
    """Chooses the model whose vectors are compared, search by search.

    After a change of model the vectors that are there go on answering, asked with the embedder that made them,
    until as many of the present model are there. Where that embedder cannot be asked, text alone answers.

    Args:
        index: Makes an index for a model.
        former: The embedder that made the vectors of a model, if it can be had.
        missing: Follows which items have no vector; None where nobody need be told.
        kept: Keeps vectors of what questions are compared with.
        closer: Reads statements more closely than the present embedder; None for nothing of the kind.
    """

    def __init__(
        self,
        embedder: Embedder,
        index: Callable[[EmbedderIdentity], VectorIndex],
        former: Callable[[EmbedderIdentity], Embedder | None],
        missing: MissingVectors | None = None,
        kept: Exemplars | None = None,
        closer: CloseReader | None = None,
    ) -> None:
        self._embedder = embedder
        self._kept = kept
        self._index = index
        self._readers = () if closer is None else closer.readers
        self._former = former
        self._lock = threading.Lock()
        self._missing_vectors = missing
        self._formers: dict[str, Gatherer] = {}
        #: Of those that could not be asked: at which change, and after how many they are asked again.
        self._away: dict[str, tuple[int, int]] = {}
        self._counted: _Counted | None = None
        self.present = Gatherer(
            lambda: index(embedder.identity),
            embedder,
            EmbeddedExemplars(embedder, kept),
            closer,
            [StoredReading(reader, index) for reader in self._readers],
        )

    def gatherer(self, reader: Reader, state: ViewState, *, past: bool = False) -> Choice:
        """The gatherer of candidates at present.

        Args:
            past: The reader is of a former state: what was counted says nothing of it.
        """
        known, change = self._beside_the_closer(state.models), state.change
        choice: Choice = self.present, None
        if len(known) > 1 or not self._is_present(known):
            with self._lock:
                if past:
                    return self._chosen(reader, None)[0]
                if self._counted is None or not self._counted.holds(known, change):
                    choice, lasting = self._chosen(reader, change)
                    until = change + max(1, min(_COUNTED_EVERY, lasting))
                    self._counted = _Counted(known, change, until, choice)
                choice = self._counted.choice
        return (
            choice if past or choice != (self.present, None) else (self.present, self._missing(reader, state))
        )

    def close(self) -> None:
        """End what the indexes do in the background."""
        self.present.close()
        with self._lock:
            for former in self._formers.values():
                former.close()

    def _beside_the_closer(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """Models of stored vectors that may answer: what is read closely stands beside the embedder, and for none."""
        try:
            read = {reader.identity.fingerprint for reader in self._readers}
            return tuple(one for one in known if one not in read)
        except ProviderError:  # The search finds out, and says so.
            return known

    def _is_present(self, known: Sequence[str]) -> bool:
        if not known:
            return True
        try:
            return known[0] == self._embedder.identity.fingerprint
        except ProviderError:  # The search finds out, and says so.
            return True

    def _missing(self, reader: Reader, state: ViewState) -> str | None:
        if self._missing_vectors is None:
            return None
        try:
            model = self._embedder.identity.fingerprint
        except ProviderError:  # The search finds out, and says so.
            return None
        with self._lock:
            return self._missing_vectors.notice(reader, state, model)

    def _chosen(self, reader: Reader, change: int | None) -> tuple[Choice, int]:
        """The choice, and for how many changes at least it holds: each moves a model's lead by one at most.

        Args:
            change: At which change it is; None where that says nothing.
        """
        try:
            present = self._embedder.identity
        except ProviderError:
            return (self.present, None), 0
        counts = dict(reader.models())
        own = counts.pop(present, 0)
        for closer in self._readers:  # Stand beside the embedder, and for none.
            counts.pop(closer.identity, None)
        most = max(counts.values(), default=0)
        if most <= own:
            return (self.present, None), own - most + 1
        model = max(counts, key=lambda one: (counts[one], one.fingerprint))
        said = f"{own:,} of {most:,} vectors are made with {present.name} so far"
        if (former := self._former_gatherer(model, change)) is not None:
            said = (
                f"vectors: {said}; those of {model.name} answer until `simonides maintain embed` is through"
            )
            return (former, said), most - own
        why = f"{said}, and {model.name} cannot be asked any more: run `simonides maintain embed`"
        silent = Gatherer(lambda: self._index(present), _Silent(self._embedder, why))
        return (silent, None), min(most - own, self._away[model.fingerprint][1])

    def _former_gatherer(self, model: EmbedderIdentity, change: int | None) -> Gatherer | None:
        name = model.fingerprint
        if name in self._formers:
            return self._formers[name]
        at, wait = self._away.get(name, (0, 0))
        if wait and (change is None or at <= change < at + wait):
            return None
        if (embedder := self._asked(model)) is None:
            # A server that was away may be back; one that never comes back is asked ever more seldom.
            self._away[name] = change or 0, max(1, min(2 * wait, _COUNTED_EVERY))
            return None
        return self._formers.setdefault(
            name, Gatherer(lambda: self._index(model), embedder, EmbeddedExemplars(embedder, self._kept))
        )

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
