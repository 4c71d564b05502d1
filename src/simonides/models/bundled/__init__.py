"""The bundled embedder: a static table of token vectors that needs no model, download or network.

A text's vector is the sum of its tokens' vectors, sent through a linear map that was learned on sentences, and
scaled to length 1. Table and map hold whole numbers of one common scale each, so sums are exact and the scales fall
out: a text has the same vector, bit for bit, alone or in a batch, in any process. How they were made: SOURCE.md
beside this file.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.models.bundled.pieces import UnigramPieces
from simonides.models.bundled.reading import RowFinder
from simonides.models.bundled.wordpiece import WordPiece

TABLE_PATH: Final = Path(__file__).with_name("multilingual-256.table")

#: What the first version's embedder was called, which had the English rows alone.
ENGLISH: Final = EmbedderIdentity(
    "bundled-minilm-l6-256", "5ad80325f57b9f6837f1b98eec9a607c1867da2a3b8592756ca1edf6f397cdef", 256
)

#: magic, rows, columns, SHA-256 of all that follows, how many rows are English, bytes of the English tokens and of
#: the others, how often a sum counts beside what the map makes of it. Then, little-endian: rows x columns int8; for
#: each English row int8, how much it speaks for English; for each other row uint16, its cost; the rows' tokens, UTF-8,
#: one a line, the English ones and the others each without a last line feed; the map, columns x columns int8.
#: `scripts/distill_embedder.py` writes it.
_HEADER: Final = struct.Struct("<8sII32sIIII")
_MAGIC: Final = b"SIMTABLE"
#: What the largest number of a vector becomes before its length is taken: all squares of 256 such are exact as float64.
_LARGEST: Final = 1 << 22
#: Rows of 256 that are multiplied by a square at once.
_ROWS_AT_ONCE: Final = 3


class _Table:
    """The file, mapped: its pages are shared between processes and come into memory as they are used."""

    def __init__(self, path: Path) -> None:
        damaged = ProviderUnavailable(f"{path} is not a whole table of token vectors; reinstall the package.")
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size or not header.startswith(_MAGIC):
                raise damaged
            self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _, rows, columns, digest, english, *sizes, kept = _HEADER.unpack(header)
        others = rows - english
        self._costs_at = _HEADER.size + rows * columns + english
        self._tokens_at = self._costs_at + 2 * others
        self._pieces_at = self._tokens_at + sizes[0]
        self._map_at = self._pieces_at + sizes[1]
        if len(self._content) != self._map_at + columns * columns:
            raise damaged
        self._english, self._others = english, others
        self.identity = EmbedderIdentity(f"bundled-multilingual-{columns}", digest.hex(), columns)
        self.rows = np.frombuffer(self._content, np.int8, rows * columns, _HEADER.size).reshape(rows, columns)
        learned = np.frombuffer(self._content, np.int8, columns * columns, self._map_at)
        self.map = learned.reshape(columns, columns) + kept * np.eye(columns)

    def english(self) -> list[str]:
        """The tokens of the English rows."""
        return self._content[self._tokens_at : self._pieces_at].decode().split("\n")

    def wordpiece(self) -> WordPiece:
        """The tokenizer of the English rows."""
        tokens = self.english()
        speaks = self._content[self._costs_at - self._english : self._costs_at]
        return WordPiece({token: row for row, token in enumerate(tokens)}, memoryview(speaks).cast("b"))

    def pieces(self) -> UnigramPieces:
        """The tokenizer of the other rows."""
        pieces = self._content[self._pieces_at : self._map_at].decode().split("\n")
        costs = np.frombuffer(self._content, "<u2", self._others, self._costs_at).tolist()
        return UnigramPieces(pieces, costs, self._english)


class _TableEmbedder:
    """Embeds text as the sum of rows; meets the `Embedder` port. Safe to use from several threads.

    Args:
        map_: What sums are sent through, whole numbers; None for sums as they are.
    """

    def __init__(
        self,
        identity: EmbedderIdentity,
        rows: NDArray[np.int8],
        ids: Callable[[str], list[int]],
        map_: NDArray[np.float64] | None = None,
    ) -> None:
        self._identity = identity
        self._rows = rows
        self._ids = ids
        self._map = map_

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is the table's own digest, read, not computed."""
        return self._identity

    @property
    def local(self) -> bool:
        """True: some 50 µs a turn, no network."""
        return True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, each by its first `wordpiece.MAX_CHARACTERS` characters.

        Args:
            texts: Any strings. NUL, other controls and lone surrogates are passed over.

        Returns:
            Shape (len(texts), dimension), float32, rows of length 1, or of zeros where no token of the
            text is known.
        """
        sums = np.zeros((len(texts), self._identity.dimension), np.int32)
        for row, text in enumerate(texts):
            np.add.reduce(self._rows.take(self._ids(text), axis=0), 0, np.int32, sums[row])
        totals = sums.astype(np.float64)
        # Whole numbers, and below 2**53 for any text: exact, in whichever order BLAS adds them.
        if self._map is not None:
            totals = _product(totals, self._map)
            largest = np.maximum.reduce(np.abs(totals), 1, keepdims=True)
            totals *= _LARGEST / np.maximum(largest, 1)
            np.rint(totals, out=totals)
        squares = np.einsum("ij,ij->i", totals, totals)
        totals /= np.sqrt(np.maximum(squares, 1))[:, None]
        return totals.astype(np.float32)


def _product(rows: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product of rows with a square of 256, a few at a time and never one alone.

    Of more, and of a lone vector, BLAS makes work for several threads: waiting for these takes longer than the work.
    """
    if len(rows) == 1:
        return (np.concatenate([rows, np.zeros_like(rows)]) @ square)[:1]
    product = np.empty_like(rows)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        first = min(start, len(rows) - 2)
        np.matmul(rows[first : start + _ROWS_AT_ONCE], square, out=product[first : start + _ROWS_AT_ONCE])
    return product


def english_tokens() -> list[str]:
    """The tokens of the English rows, in the order of their ids; `[UNK]` is among them."""
    return _Table(TABLE_PATH).english()


@cache
def english_tokenizer() -> WordPiece:
    """The tokenizer of the English rows, for all that read English in this process.

    Raises:
        ProviderUnavailable: The table is not whole.
    """
    return _Table(TABLE_PATH).wordpiece()


class BundledEmbedder(_TableEmbedder):
    """The embedder that ships with the package.

    Knows English, the other languages of Europe in Latin letters, Russian and its neighbours, and Chinese, all in one
    space. Other alphabets are read letter by letter; what is unknown, like emoji, adds nothing.
    """

    def __init__(self, path: Path = TABLE_PATH) -> None:
        """Map the table at `path`.

        Raises:
            ProviderUnavailable: The file is not such a table, or cut short.
        """
        table = _Table(path)
        words = english_tokenizer() if path == TABLE_PATH else table.wordpiece()
        super().__init__(table.identity, table.rows, RowFinder(words, table.pieces).ids, table.map)

    @property
    def multilingual(self) -> bool:
        return True


class EnglishEmbedder(_TableEmbedder):
    """The embedder of the first version, for stores that hold its vectors: sums of English rows, for any text."""

    def __init__(self, path: Path = TABLE_PATH) -> None:
        """Map the table at `path`, as `BundledEmbedder` does."""
        table = _Table(path)
        super().__init__(ENGLISH, table.rows, table.wordpiece().ids)

    @property
    def multilingual(self) -> bool:
        return False
