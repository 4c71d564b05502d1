"""all-MiniLM-L6-v2 on numpy: an English sentence encoder of six layers, with its weights in the package.

It knows what a bag of words cannot: that "Do I have any pets?" asks for a dog. It takes some milliseconds a text, so it
reads the few statements that a question may mean, and is an embedder of its own for those who want it for all. How
the weights were made: SOURCE.md beside this file.
"""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.models.bundled import english_tokenizer
from simonides.models.minilm.layers import Layer, Matrix, Norm

WEIGHTS_PATH: Final = Path(__file__).with_name("all-minilm-l6-v2.npz")
NAME: Final = "all-minilm-l6-v2"
DIMENSION: Final = 384
LAYERS: Final = 6
#: Tokens of a text that are read, with the two that frame it.
_MOST_TOKENS: Final = 256
#: Tokens of several texts that go through a layer together.
_TOKENS_AT_ONCE: Final = 512
#: Values of a token's row that share a scale, each of four bits.
GROUP: Final = 32

Floats = NDArray[np.float32]


class MiniLMEmbedder:
    """Meets the `Embedder` port. The weights, some 60 MB in memory, are read with the first text.

    A text's vector does not depend on its neighbours in the call: a row of a product of two rows or more is added up in
    the same order whatever stands beside it. Safe to use from several threads, one at a time.
    """

    def __init__(self, path: Path = WEIGHTS_PATH) -> None:
        self._path = path
        self._one_at_a_time = threading.Lock()

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is the weights' own digest, read, not computed.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        return self._identity

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
        found = np.zeros((len(texts), DIMENSION), np.float32)
        ids = [english_tokenizer().ids(text)[: _MOST_TOKENS - 2] for text in texts]
        for places in _batches([len(some) for some in ids]):
            # The threads of BLAS wait longer for each other than they work: on busy cores three times as long.
            with self._one_at_a_time, _blas().limit(limits=1):
                found[places] = self._weights.encoded([ids[place] for place in places])
        return found

    @cached_property
    def _identity(self) -> EmbedderIdentity:
        with self._opened() as file:
            return EmbedderIdentity(NAME, bytes(_array(file, "fingerprint")).hex(), DIMENSION)

    @cached_property
    def _weights(self) -> _Weights:
        with self._opened() as file:
            return _Weights(file)

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self._path)
        except (OSError, zipfile.BadZipFile) as error:
            raise _damaged(self._path) from error


@cache
def _blas() -> Any:
    """The limiter of the threads of BLAS; its package has no types."""
    return cast("Any", ThreadpoolController()).select(user_api="blas")


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of the texts that have tokens, in their order, so many that their tokens go through a layer together."""
    batch: list[int] = []
    tokens = 0
    for place, length in enumerate(lengths):
        if batch and tokens + length + 2 > _TOKENS_AT_ONCE:
            yield batch
            batch, tokens = [], 0
        if length:
            batch.append(place)
            tokens += length + 2
    if batch:
        yield batch


class _Weights:
    """The content of the file, ready to be multiplied with."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._rows = _array(file, "rows")
        self._scales = _array(file, "scales")
        self._positions = _array(file, "positions").astype(np.float32)
        self._norm = Norm(*_array(file, "norm"))
        self._layers = [_layer(file, number) for number in range(LAYERS)]
        # Behind the tokens stand what begins a text and what ends it.
        self._first, self._last = len(self._rows) - 2, len(self._rows) - 1

    def encoded(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The vectors of texts by the ids of their tokens."""
        framed = [(self._first, *ids, self._last) for ids in texts]
        ends = np.cumsum([len(ids) for ids in framed]).tolist()
        bounds = [slice(end - len(ids), end) for end, ids in zip(ends, framed, strict=True)]
        flat = np.fromiter((one for ids in framed for one in ids), np.intp, ends[-1])
        places = np.concatenate([np.arange(len(ids)) for ids in framed])
        states = self._norm(self._of_tokens(flat) + self._positions[places])
        for layer in self._layers:
            states = layer(states, bounds)
        means = np.array([states[text].mean(axis=0) for text in bounds])
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def _of_tokens(self, ids: NDArray[np.intp]) -> Floats:
        packed = self._rows[ids]
        halves = np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(ids), -1, GROUP)
        values = (halves.astype(np.float32) - 8) * self._scales[ids].astype(np.float32)[..., None]
        return values.reshape(len(ids), DIMENSION)


def _layer(file: zipfile.ZipFile, number: int) -> Layer:
    def matrix(name: str) -> Matrix:
        weights, scales, bias = (
            _array(file, f"{number}.{name}.{part}") for part in ("weights", "scales", "bias")
        )
        return Matrix(np.multiply(weights, scales, dtype=np.float32), bias)

    def norm(name: str) -> Norm:
        return Norm(*_array(file, f"{number}.{name}"))

    return Layer(
        matrix("attend"), matrix("join"), norm("attended"), matrix("widen"), matrix("narrow"), norm("done")
    )


def _array(file: zipfile.ZipFile, name: str) -> Any:
    try:
        with file.open(f"{name}.npy") as content:
            return np.lib.format.read_array(content, allow_pickle=False)
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise _damaged(Path(file.filename or NAME)) from error


def _damaged(path: Path) -> ProviderUnavailable:
    return ProviderUnavailable(f"{path.name} is not there or damaged; reinstall the package.")
