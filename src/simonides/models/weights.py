"""Weights of encoders that come along: files of arrays, and what multiplies with them."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.values import dataclass

Floats = NDArray[np.float32]
#: Gives the arrays of an open file by their names.
Arrays = Callable[[str], Any]
Ids = NDArray[np.intp]

#: Tokens that frame a text: what begins it and what ends it.
FRAME: Final = 2
#: Tokens of a text that are read, with those that frame it.
MOST_TOKENS: Final = 256
#: A text's rows stand from a multiple of this on. BLAS goes through the rows of a product by twos to two dozen, as the
#: processor has it, and adds up each row by its place among them, and what is left over in another way.
_BLOCK: Final = 24
#: Tokens of several texts that go through a layer together.
_TOKENS_AT_ONCE: Final = 512
#: Values of a token's row that share a scale.
GROUP: Final = 32
#: The number that stands for 0, by the bits of a value. Of two bits none does: the values lie on both sides of it.
MIDDLE: Final = {2: np.float32(1.5), 4: np.float32(8)}
_EPSILON: Final = np.float32(1e-12)

_one_at_a_time: Final = threading.Lock()


class EncoderWeights(Protocol):
    """The content of an encoder's file, ready to be multiplied with."""

    def ids(self, text: str) -> Sequence[int]:
        """The tokens of a text, in order, without those that frame it."""
        ...

    def encoded(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The vectors of texts by the ids of their tokens, rows of length 1."""
        ...


class FileEncoder:
    """Meets the `Embedder` port by weights in a file, which are read with the first text.

    A text's vector does not depend on its neighbours in the call. Safe to use from several threads, one at a time.
    """

    name: ClassVar[str]
    dimension: ClassVar[int]
    multilingual: ClassVar[bool]
    path: ClassVar[Path]
    weights: ClassVar[Callable[[Arrays], EncoderWeights]]

    def __init__(self, path: Path | None = None) -> None:
        """Prepare to read a file, by default the one that comes along."""
        self._file = WeightsFile(path or self.path)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is the weights' own digest, read, not computed.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        return EmbedderIdentity(self.name, self._file.fingerprint, self.dimension)

    @property
    def local(self) -> bool:
        """True: it is in this process, and some milliseconds a text are worth being found by meaning at once."""
        return True

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts, each by its first 254 tokens.

        Returns:
            Shape (len(texts), dimension), float32, rows of length 1; of zeros where a text has no token.

        Raises:
            ProviderUnavailable: The weights are not there, or damaged.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        weights = self._weights
        ids = [weights.ids(text)[: MOST_TOKENS - FRAME] for text in texts]
        for places in batches(ids):
            with one_thread():
                vectors[places] = weights.encoded([ids[place] for place in places])
        return vectors

    @cached_property
    def _weights(self) -> EncoderWeights:
        with self._file.arrays() as array:
            return type(self).weights(array)


class WeightsFile:
    """An archive of numpy arrays; one of them is the digest of all others."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def fingerprint(self) -> str:
        """The digest, read, not computed.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        with self.arrays() as array:
            return bytes(array("fingerprint")).hex()

    @contextmanager
    def arrays(self) -> Generator[Arrays]:
        """Open the file for reading its arrays by their names.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        try:
            with zipfile.ZipFile(self._path) as file:

                def array(name: str) -> Any:
                    with file.open(f"{name}.npy") as content:
                        return np.lib.format.read_array(content, allow_pickle=False)

                yield array
        except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ProviderUnavailable(
                f"{self._path.name} is not there or damaged; reinstall the package."
            ) from error


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: each row with mean 0 and variance 1, times a weight, plus a bias; shape (columns,)."""

    weight: Floats
    bias: Floats

    @classmethod
    def read(cls, array: Arrays, name: str) -> Norm:
        return cls(*array(name))

    def __call__(self, rows: Floats) -> Floats:
        centred = rows - rows.mean(axis=1, keepdims=True)
        variance = (centred * centred).mean(axis=1, keepdims=True)
        return centred / np.sqrt(variance + _EPSILON) * self.weight + self.bias


@dataclass(frozen=True, slots=True)
class Matrix:
    """An affine map: weights of shape (columns in, columns out), bias of shape (columns out,)."""

    weights: Floats
    bias: Floats

    @classmethod
    def read(cls, array: Arrays, name: str) -> Matrix:
        """One in eight bits, with a scale for each column that comes out."""
        weights, scales, bias = (array(f"{name}.{part}") for part in ("weights", "scales", "bias"))
        return cls(np.multiply(weights, scales, dtype=np.float32), bias)

    def __call__(self, rows: Floats) -> Floats:
        product = rows @ self.weights
        product += self.bias
        return product


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Rows of tokens in two or four bits, with a scale for each `GROUP` values; unpacked as they are asked for.

    Attributes:
        packed: The first value of a byte in its lowest bits.
        scales: Shape (rows, columns / GROUP).
    """

    packed: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def read(cls, array: Arrays) -> PackedRows:
        return cls(array("rows"), array("scales"))

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, ids: Ids) -> Floats:
        bits = 8 * self.packed.shape[1] // (self.scales.shape[1] * GROUP)
        shifts = np.array(range(0, 8, bits), np.uint8)
        numbers = self.packed[ids][..., None] >> shifts & np.uint8((1 << bits) - 1)
        values = numbers.reshape(len(ids), -1, GROUP).astype(np.float32) - MIDDLE[bits]
        values *= self.scales[ids].astype(np.float32)[..., None]
        return values.reshape(len(ids), -1)


@contextmanager
def one_thread() -> Generator[None]:
    """Hold BLAS to one thread, one caller at a time.

    Several threads wait longer for each other than they work, on busy cores three times as long, and add up in another
    order. The limit is the process's: who ends it first would end it for others.
    """
    with _one_at_a_time, _blas().limit(limits=1):
        yield


@cache
def _blas() -> Any:
    """The limiter of the threads of BLAS; its package has no types."""
    return cast("Any", ThreadpoolController()).select(user_api="blas")


def batches(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of the texts that have tokens, in their order, so many that their rows go through a layer together."""
    batch: list[int] = []
    rows = 0
    for place, ids in enumerate(texts):
        taken = _whole(len(ids) + FRAME)
        if batch and rows + taken > _TOKENS_AT_ONCE:
            yield batch
            batch, rows = [], 0
        if ids:
            batch.append(place)
            rows += taken
    if batch:
        yield batch


def rows_of(texts: Sequence[Sequence[int]], first: int, last: int) -> tuple[Ids, list[slice]]:
    """The ids of texts in rows, framed by `first` and `last`, and where each text stands.

    Whatever stands between two texts is `last`, so that a text's numbers do not depend on its neighbours.
    """
    rows: list[int] = []
    places: list[slice] = []
    for ids in texts:
        start = len(rows)
        rows += (first, *ids, last)
        places.append(slice(start, len(rows)))
        rows += [last] * (_whole(len(ids) + FRAME) - len(ids) - FRAME)
    return np.array(rows, np.intp), places


def _whole(rows: int) -> int:
    return -(-rows // _BLOCK) * _BLOCK
