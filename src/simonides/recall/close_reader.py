"""A closer reading: short statements by an encoder that knows more of their meaning than the store's embedder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.kept import keeps_texts
from simonides.language.guess import language_of
from simonides.ports.embedder import Embedder
from simonides.recall.cosines import CosineScale
from simonides.recall.question.exemplars import EmbeddedExemplars

#: Characters of a text that is read: a statement or two, which takes some two milliseconds.
MAX_CHARS: Final = 300
#: Texts that are remembered: of 384 dimensions some 6 MB.
_MOST: Final = 4_096

#: The scale of the encoder that comes along, by its fingerprint: a first question need not wait for its 48 texts.
_SCALES: Final = {
    "fe4f79fc7bf34d420c8935cc33353ce6b579307cfbfaa7df868c20073d0e2331": CosineScale(
        0.048646892633, 0.394549251415, telling=True
    )
}

_Vectors = NDArray[np.float32]


class CloseReader:
    """Reads English statements, and remembers what it made of them. Safe to use from several threads.

    Args:
        encoder: An embedder that knows English.
    """

    def __init__(self, encoder: Embedder) -> None:
        self._encoder = encoder
        self._exemplars = EmbeddedExemplars(encoder)
        self._known: _Known = keeps_texts(_Known())

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
            Shape (len(texts), dimension), rows of length 1; of zeros for a text that is long or not in English.

        Raises:
            ProviderError: The encoder did not answer.
        """
        found = {text: self._known.get(text) for text in texts}
        missing = [text for text, vector in found.items() if vector is None]
        if missing:
            made = np.zeros((len(missing), self._encoder.identity.dimension), np.float32)
            places = [place for place, text in enumerate(missing) if _is_english_statement(text)]
            if places:
                made[places] = self._encoder.embed([missing[place] for place in places])
            found |= dict(zip(missing, made, strict=True))
            if len(self._known) + len(missing) > _MOST:
                self._known.clear()
            self._known.update((text, found[text]) for text in missing)
        return np.array([found[text] for text in texts], np.float32)


@cache
def close_reader(encoder: Embedder) -> CloseReader:
    """The reader by an encoder, for all memories of this process: what it remembers is held once."""
    return CloseReader(encoder)


class _Known(dict[str, "_Vectors | None"]):
    """Vectors by their texts; a class of its own, so that a purge finds it."""


def _is_english_statement(text: str) -> bool:
    return len(text) <= MAX_CHARS and language_of(text) in {"en", None}
