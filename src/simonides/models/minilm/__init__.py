"""all-MiniLM-L6-v2 on numpy: an English sentence encoder of six layers, with its weights in the package.

It knows what a bag of words cannot: that "Do I have any pets?" asks for a dog. It takes some milliseconds a text, so it
reads the few statements that a question may mean, and is an embedder of its own for those who want it for all. How
the weights were made: SOURCE.md beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.models.bundled import english_tokenizer
from simonides.models.minilm.layers import Layer, Matrix, Norm
from simonides.models.weights import FRAME, Arrays, WeightsFile, batches, one_thread, rows_of

WEIGHTS_PATH: Final = Path(__file__).with_name("all-minilm-l6-v2.npz")
NAME: Final = "all-minilm-l6-v2"
DIMENSION: Final = 384
LAYERS: Final = 6
#: Tokens of a text that are read, with the two that frame it.
_MOST_TOKENS: Final = 256
#: Values of a token's row that share a scale, each of four bits.
GROUP: Final = 32

Floats = NDArray[np.float32]


class MiniLMEmbedder:
    """Meets the `Embedder` port. The weights, some 60 MB in memory, are read with the first text.

    A text's vector does not depend on its neighbours in the call. Safe to use from several threads, one at a time.
    """

    def __init__(self, path: Path = WEIGHTS_PATH) -> None:
        self._file = WeightsFile(path)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is the weights' own digest, read, not computed.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        return EmbedderIdentity(NAME, self._file.fingerprint, DIMENSION)

    @property
    def local(self) -> bool:
        """True: it is in this process, and some milliseconds a text are worth being found by meaning at once."""
        return True

    @property
    def multilingual(self) -> bool:
        return False

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts, each by its first 254 tokens.

        Returns:
            Shape (len(texts), 384), float32, rows of length 1; of zeros where a text has no token.

        Raises:
            ProviderUnavailable: The weights are not there, or damaged.
        """
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        ids = [english_tokenizer().ids(text)[: _MOST_TOKENS - FRAME] for text in texts]
        for places in batches(ids):
            with one_thread():
                vectors[places] = self._weights.encoded([ids[place] for place in places])
        return vectors

    @cached_property
    def _weights(self) -> _Weights:
        with self._file.arrays() as array:
            return _Weights(array)


class _Weights:
    """The content of the file, ready to be multiplied with."""

    def __init__(self, array: Arrays) -> None:
        self._rows = array("rows")
        self._scales = array("scales")
        self._positions = array("positions").astype(np.float32)
        self._norm = Norm(*array("norm"))
        self._layers = [_layer(array, number) for number in range(LAYERS)]
        # Behind the tokens stand what begins a text and what ends it.
        self._first, self._last = len(self._rows) - 2, len(self._rows) - 1

    def encoded(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The vectors of texts by the ids of their tokens."""
        ids, places = rows_of(texts, self._first, self._last)
        states = self._of_tokens(ids)
        for text in places:
            states[text] += self._positions[: text.stop - text.start]
        states = self._norm(states)
        for layer in self._layers:
            states = layer(states, places)
        means = np.array([states[text].mean(axis=0) for text in places])
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def _of_tokens(self, ids: NDArray[np.intp]) -> Floats:
        packed = self._rows[ids]
        halves = np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(ids), -1, GROUP)
        values = (halves.astype(np.float32) - 8) * self._scales[ids].astype(np.float32)[..., None]
        return values.reshape(len(ids), DIMENSION)


def _layer(array: Arrays, number: int) -> Layer:
    def matrix(name: str) -> Matrix:
        weights, scales, bias = (array(f"{number}.{name}.{part}") for part in ("weights", "scales", "bias"))
        return Matrix(np.multiply(weights, scales, dtype=np.float32), bias)

    def norm(name: str) -> Norm:
        return Norm(*array(f"{number}.{name}"))

    return Layer(
        matrix("attend"), matrix("join"), norm("attended"), matrix("widen"), matrix("narrow"), norm("done")
    )
