"""all-MiniLM-L6-v2 on numpy: an English sentence encoder of six layers, with its weights in the package.

It knows what a bag of words cannot: that "Do I have any pets?" asks for a dog. It takes some milliseconds a text, so it
reads the few statements that a question may mean, and is an embedder of its own for those who want it for all. How
the weights were made: SOURCE.md beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from simonides.models.bundled import english_tokenizer
from simonides.models.minilm.layers import Floats, Layer
from simonides.models.weights import Arrays, FileEncoder, Matrix, Norm, PackedRows, rows_of

WEIGHTS_PATH: Final = Path(__file__).with_name("all-minilm-l6-v2.npz")
NAME: Final = "all-minilm-l6-v2"
DIMENSION: Final = 384
LAYERS: Final = 6


class _Weights:
    """The content of the file."""

    def __init__(self, array: Arrays) -> None:
        self._rows = PackedRows.read(array)
        self._positions = array("positions").astype(np.float32)
        self._norm = Norm.read(array, "norm")
        self._layers = [_layer(array, number) for number in range(LAYERS)]
        # Behind the tokens stand what begins a text and what ends it.
        self._first, self._last = len(self._rows) - 2, len(self._rows) - 1

    def ids(self, text: str) -> Sequence[int]:
        return english_tokenizer().ids(text)

    def encoded(self, texts: Sequence[Sequence[int]]) -> Floats:
        ids, places = rows_of(texts, self._first, self._last)
        states = self._rows[ids]
        for text in places:
            states[text] += self._positions[: text.stop - text.start]
        states = self._norm(states)
        for layer in self._layers:
            states = layer(states, places)
        means = np.array([states[text].mean(axis=0) for text in places])
        return means / np.linalg.norm(means, axis=1, keepdims=True)


def _layer(array: Arrays, number: int) -> Layer:
    def matrix(name: str) -> Matrix:
        return Matrix.read(array, f"{number}.{name}")

    def norm(name: str) -> Norm:
        return Norm.read(array, f"{number}.{name}")

    return Layer(
        matrix("attend"), matrix("join"), norm("attended"), matrix("widen"), matrix("narrow"), norm("done")
    )


class MiniLMEmbedder(FileEncoder):
    """Embeds English texts. The weights fill some 60 MB of memory."""

    name = NAME
    dimension = DIMENSION
    multilingual = False
    path = WEIGHTS_PATH
    weights = _Weights
