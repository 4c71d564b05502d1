"""Vectors to search among, made from a seed and kept in files: as many as memory need not hold twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Corpus
from simonides.models.bundled import BundledEmbedder
from simonides.ports.vectors import VectorChanges
from simonides.sample import load_sample

DIMENSION: Final = 256
#: Vectors around one centre of the mixture, on average, and how far they are from it: a vector and its
#: centre have a cosine of about 1 / √(1 + spread²).
_IN_A_CLUSTER: Final = 100
_SPREAD: Final = 0.8
_PIECE: Final = 4096
_NEVER: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class VectorSet:
    """Unit vectors, shape (n, 256), mapped from a file, and questions for them, shape (m, 256)."""

    rows: NDArray[np.float32]
    questions: NDArray[np.float32]


def clusters(size: int, questions: int, seed: int, folder: Path) -> VectorSet:
    """A mixture of Gaussians with centres of very different weight; questions are further draws from it."""
    random = np.random.default_rng((seed, size))
    count = max(1, size // _IN_A_CLUSTER)
    centres = random.normal(size=(count, DIMENSION)).astype(np.float32)
    weights = 1.0 / np.arange(1, count + 1) ** 0.5
    weights /= weights.sum()

    def drawn(number: int) -> NDArray[np.float32]:
        noise = random.normal(size=(number, DIMENSION), scale=_SPREAD).astype(np.float32)
        return _unit(centres[random.choice(count, number, p=weights)] + noise)

    rows = _new(folder / f"clusters-{size}.npy", size)
    for first in range(0, size, _PIECE):
        rows[first : first + _PIECE] = drawn(min(_PIECE, size - first))
    return VectorSet(rows, drawn(questions))


def texts(size: int, questions: int, seed: int, folder: Path) -> VectorSet:
    """Vectors of the speed bench's texts, and of its questions, by the bundled embedder."""
    corpus, embedder = Corpus(load_sample(), seed), BundledEmbedder()
    rows = _new(folder / f"texts-{size}.npy", size)
    stream = islice(corpus.stream(), size)
    for first in range(0, size, _PIECE):
        piece = list(islice(stream, _PIECE))
        rows[first : first + len(piece)] = embedder.embed(piece)
    asked = embedder.embed([question for question, _ in corpus.questions(size, questions)])
    return VectorSet(rows, asked[asked.any(axis=1)])


class ArraySource:
    """Rows as a store gives them: item n + 1 is row n, scopes by turns. Meets `ports.vectors.VectorSource`."""

    def __init__(self, rows: NDArray[np.float32], scopes: int) -> None:
        self._rows = rows
        self._scopes = scopes

    def last_change(self) -> int:
        return len(self._rows)

    def vector_changes(self, since: int, model: str) -> Iterator[VectorChanges]:  # noqa: ARG002 - it knows one model
        for first in range(since, len(self._rows), _PIECE):
            vectors = self._rows[first : first + _PIECE]
            numbers = np.arange(first, first + len(vectors), dtype=np.int64)
            yield VectorChanges(
                keys=numbers + 1,
                scopes=numbers % self._scopes,
                statuses=np.zeros(len(vectors), np.int8),
                expires_at=np.full(len(vectors), _NEVER, np.int64),
                vectors=vectors,
            )

    def mark(self) -> str:
        return f"{len(self._rows)} rows"

    def holds(self, mark: str) -> bool:
        return mark == self.mark()


def _new(path: Path, size: int) -> NDArray[np.float32]:
    return cast("NDArray[np.float32]", np.lib.format.open_memmap(path, "w+", np.float32, (size, DIMENSION)))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
