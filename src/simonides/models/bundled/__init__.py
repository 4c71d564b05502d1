"""The bundled embedder: a static table of token vectors that needs no model, download or network.

A text's vector is the sum of its tokens' vectors, scaled to length 1. The table holds whole numbers of
one common scale, so sums are exact and the scale falls out: a text has the same vector, bit for bit,
alone or in a batch, in any process. How the table was made: SOURCE.md beside this file.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.models.bundled.wordpiece import WordPiece

TABLE_PATH: Final = Path(__file__).with_name("minilm-l6-256.table")

#: magic, rows, columns, SHA-256 of all that follows; then rows x columns int8, then the row's token
#: for each row: UTF-8, one a line. Little-endian. `scripts/distill_embedder.py` writes it.
_HEADER: Final = struct.Struct("<8sII32s16x")
_MAGIC: Final = b"SIMTABLE"


class BundledEmbedder:
    """Embeds text with the table that ships with the package; meets the `Embedder` port.

    English above all: other alphabets are read letter by letter, and most Chinese characters, like
    emoji, are unknown and add nothing. Safe to use from several threads. The table is mapped, not
    read: its pages are shared between processes and come into memory as they are used.
    """

    def __init__(self, path: Path = TABLE_PATH) -> None:
        """Map the table at `path`.

        Raises:
            ProviderUnavailable: The file is not such a table, or cut short.
        """
        damaged = ProviderUnavailable(f"{path} is not a whole table of token vectors; reinstall the package.")
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size or not header.startswith(_MAGIC):
                raise damaged
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _, rows, columns, digest = _HEADER.unpack(header)
        tokens = content[_HEADER.size + rows * columns :].decode(errors="replace").split("\n")
        if len(tokens) != rows:
            raise damaged
        self._table = np.frombuffer(content, np.int8, rows * columns, _HEADER.size).reshape(rows, columns)
        self._wordpiece = WordPiece({token: row for row, token in enumerate(tokens)})
        self._identity = EmbedderIdentity("bundled-minilm-l6-256", digest.hex(), columns)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is the table's own digest, read, not computed."""
        return self._identity

    @property
    def multilingual(self) -> bool:
        return False

    @property
    def local(self) -> bool:
        """True: some 10 µs a turn, no network."""
        return True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, each by its first `wordpiece.MAX_CHARACTERS` characters.

        Args:
            texts: Any strings. NUL, other controls and lone surrogates are passed over.

        Returns:
            Shape (len(texts), dimension), float32, rows of length 1, or of zeros where no token of the
            text is known.
        """
        vectors = np.zeros((len(texts), self._identity.dimension), np.float32)
        for row, text in enumerate(texts):
            ids = self._wordpiece.ids(text)
            total = self._table.take(ids, axis=0).sum(axis=0, dtype=np.int32).astype(np.float64)
            # Whole numbers, and below 2**53 for any text: exact, in whichever order BLAS adds them.
            squares = float(total @ total)
            if squares:
                vectors[row] = total / sqrt(squares)
        return vectors
