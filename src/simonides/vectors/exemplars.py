"""Vectors that are the same for every store of an embedder, kept in the folder beside a store: a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity


class KeptExemplars:
    """Meets `ports.vectors.Exemplars` with one file for each embedder and list of texts."""

    def __init__(self, folder: Path, *, writes: bool) -> None:
        self._folder = folder
        self._writes = writes

    def kept(self, model: EmbedderIdentity, texts: Sequence[str]) -> NDArray[np.float32] | None:
        try:
            with self._file(model, texts).open("rb") as file:
                vectors = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        fits = vectors.shape == (len(texts), model.dimension) and vectors.dtype == np.float32
        return vectors if fits and np.isfinite(vectors).all() else None

    def keep(self, model: EmbedderIdentity, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        if not self._writes:
            return
        file = self._file(model, texts)
        # Written whole or not at all; where it cannot be written they are asked for again.
        part = file.with_name(f"{file.name}.{token_hex(4)}")
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            with part.open("wb") as out:
                np.save(out, vectors, allow_pickle=False)
            part.replace(file)

    def _file(self, model: EmbedderIdentity, texts: Sequence[str]) -> Path:
        text = "\n".join((model.fingerprint, *texts))
        return self._folder / f"exemplars-{hashlib.sha256(text.encode()).hexdigest()[:16]}.npy"
