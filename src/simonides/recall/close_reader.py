"""A closer reading: short statements by an encoder that knows more of their meaning than the store's embedder.

In small stores they are read when they are asked about; upkeep reads those of large ones, and keeps their vectors
beside those of the embedder.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.kept import keeps_texts
from simonides.language.guess import in_doubt, is_foreign, language_of
from simonides.ports.embedder import Embedder
from simonides.ports.vectors import VectorIndex
from simonides.recall.cosines import CosineScale
from simonides.recall.question.exemplars import EmbeddedExemplars
from simonides.recall.store_view import ComparedVectors, StoreView

#: Characters of a text that is read: a statement or two, which takes some two milliseconds.
MAX_CHARS: Final = 300
#: Texts that are remembered: of 384 dimensions some 6 MB.
_MOST: Final = 4_096

#: The scales of the encoders that come along, by their fingerprints: a first question need not wait for 48 texts.
_SCALES: Final = {
    "fe4f79fc7bf34d420c8935cc33353ce6b579307cfbfaa7df868c20073d0e2331": CosineScale(
        0.048646892633, 0.394549251415, telling=True
    ),
    "9809780b1294cb075b441ad475f17bfdadc20fa7ca28355e75667f895fb73e88": CosineScale(
        0.024, 0.249, telling=True
    ),
}

_Vectors = NDArray[np.float32]


class CloseReader:
    """Reads statements, and remembers what it made of them. Safe to use from several threads.

    As an embedder it makes what upkeep stores.

    Args:
        encoder: An embedder of whole sentences; English ones alone are read if it is not multilingual.
        others: Reads what is asked in other languages; None for nothing of the kind.
    """

    def __init__(self, encoder: Embedder, others: CloseReader | None = None) -> None:
        self._encoder = encoder
        self._others = others
        self._exemplars = EmbeddedExemplars(encoder)
        self._known: _Known = keeps_texts(_Known())

    @property
    def identity(self) -> EmbedderIdentity:
        """The encoder's model."""
        return self._encoder.identity

    @property
    def local(self) -> bool:
        return False

    @property
    def multilingual(self) -> bool:
        """True if it reads what is in any language."""
        return self._encoder.multilingual

    @property
    def readers(self) -> Sequence[CloseReader]:
        """This reader, and the one for other languages."""
        return (self,) if self._others is None else (self, self._others)

    def of(self, question: str) -> CloseReader | None:
        """The reader for a question and what may answer it; None if there is none, or its language is in doubt."""
        if language_of(question) == "en":
            return self
        return self._others if is_foreign(question) else None

    def beside(self, question: str, texts: Iterable[str]) -> CloseReader | None:
        """The reader for a question in no language, such as keywords: that of most of the texts that may answer it.

        None where the question is in a language, or none of the texts is.
        """
        if not in_doubt(question):
            return None
        guesses = [guess for text in texts if (guess := language_of(text)) is not None]
        if not guesses:
            return None
        return self if 2 * guesses.count("en") >= len(guesses) else self._others

    @property
    def scale(self) -> CosineScale:
        """The scale of the encoder's cosines.

        Raises:
            ProviderError: The encoder did not answer.
        """
        return _SCALES.get(self._encoder.identity.fingerprint) or self._exemplars.scale

    def vectors(self, texts: Sequence[str]) -> _Vectors:
        """The vectors of texts.

        Returns:
            Shape (len(texts), dimension), rows of length 1; of zeros for a text that is long or not in its language.

        Raises:
            ProviderError: The encoder did not answer.
        """
        found = {text: self._known.get(text) for text in texts}
        missing = [text for text, vector in found.items() if vector is None]
        if missing:
            found |= dict(
                zip(missing, self._read(missing, [self._is_read(text) for text in missing]), strict=True)
            )
            self._remember({text: found[text] for text in missing})
        return np.array([found[text] for text in texts], np.float32)

    def learn(self, texts: Sequence[str], vectors: _Vectors) -> None:
        """Remember what was read and stored, so that it need not be read again; rows of zeros tell nothing."""
        stored = cast("list[bool]", vectors.any(axis=1).tolist())
        self._remember(
            {
                text: vector
                for text, vector, there in zip(texts, vectors, stored, strict=True)
                if there and text not in self._known
            }
        )

    def _remember(self, read: Mapping[str, _Vectors | None]) -> None:
        if len(self._known) + len(read) > _MOST:
            self._known.clear()
        self._known.update(read)

    def stores(self, text: str) -> bool:
        """True if a text is short and in one of the languages that are asked of this reader."""
        return self._is_read(text) and is_foreign(text) is self.multilingual

    def embed(self, texts: Sequence[str]) -> _Vectors:
        """The vectors of what is stored, rows of zeros for others; nothing is remembered."""
        return self._read(texts, [self.stores(text) for text in texts])

    def _read(self, texts: Sequence[str], chosen: Sequence[bool]) -> _Vectors:
        made = np.zeros((len(texts), self._encoder.identity.dimension), np.float32)
        places = np.flatnonzero(chosen).tolist()
        if places:
            made[places] = self._encoder.embed([texts[place] for place in places])
        return made

    def _is_read(self, text: str) -> bool:
        return len(text) <= MAX_CHARS and (self.multilingual or language_of(text) in {"en", None})


class StoredReading:
    """Readings of one store by one reader, made by upkeep: the vectors of its statements.

    Args:
        closer: The reader, which reads the questions, too.
        index: Makes the index of a model, which compares them, where the store does not.
    """

    def __init__(self, closer: CloseReader, index: Callable[[EmbedderIdentity], VectorIndex]) -> None:
        self.closer = closer
        self._new_index = index
        self._index: VectorIndex | None = None
        self._making = threading.Lock()

    def of(self, view: StoreView) -> VectorIndex | ComparedVectors | None:
        """The readings as of a view, in an index or where the store compares them; None where there are none.

        Raises:
            ProviderError: The encoder cannot say what its vectors are.
        """
        if self.closer.identity.fingerprint not in view.state.models:
            return None
        if (comparer := view.reader.comparer) is not None:
            self._index = None  # What is not kept up to date would hold what was purged.
            return ComparedVectors(comparer, self.closer.identity)
        with self._making:
            index = self._index = self._index or self._new_index(self.closer.identity)
        index.refresh(view)
        return index

    def close(self) -> None:
        """End what the index does in the background."""
        if self._index is not None:
            self._index.close()


@cache
def close_reader(encoder: Embedder, others: Embedder | None = None) -> CloseReader:
    """The reader by an encoder, and by one for other languages.

    There is one for all memories of this process: what it remembers is held once.
    """
    return CloseReader(encoder, None if others is None else close_reader(others))


class _Known(dict[str, "_Vectors | None"]):
    """Vectors by their texts; a class of its own, so that a purge finds it."""
