"""Google's multilingual encoder of sentences on numpy, with its weights in the package.

It reads sixteen languages into one space, where a question lies near to what answers it, whatever both are written
in. It takes some two milliseconds a text, so it reads the few statements that a question may mean. How the weights
were made: SOURCE.md beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from unicodedata import normalize

from simonides.models.bundled.pieces import MAX_WORD_CHARACTERS, START, UnigramPieces
from simonides.models.universal.encoder import WINDOWS, Convolution, Encoder, Floats, TextHead
from simonides.models.weights import Arrays, FileEncoder, Matrix, Norm, PackedRows, rows_of

WEIGHTS_PATH: Final = Path(__file__).with_name("universal-sentence-encoder-multilingual.npz")
DIMENSION: Final = 512
#: Characters that are cut into pieces together: more stand without a space between them where none is written.
_WORD: Final = MAX_WORD_CHARACTERS - len(START)


class _Weights:
    """The content of the file."""

    def __init__(self, array: Arrays) -> None:
        self._rows = PackedRows.read(array)
        pieces = bytes(array("pieces")).decode().split("\n")
        self._pieces = UnigramPieces(pieces, array("costs").tolist(), first_id=0)
        self._encoder = _encoder(array)
        # Behind the pieces stand what begins a text and what ends it.
        self._first, self._last = len(pieces), len(pieces) + 1

    def ids(self, text: str) -> Sequence[int]:
        words = normalize("NFKC", text).split()
        parts = (word[at : at + _WORD] for word in words for at in range(0, len(word), _WORD))
        return [id_ for part in parts for id_ in self._pieces.ids(part)]

    def encoded(self, texts: Sequence[Sequence[int]]) -> Floats:
        ids, places = rows_of(texts, self._first, self._last)
        return self._encoder(self._rows[ids], places)


def _encoder(array: Arrays) -> Encoder:
    def matrix(name: str) -> Matrix:
        return Matrix.read(array, name)

    return Encoder(
        look=matrix("look"),
        looked=Norm.read(array, "looked"),
        windows=[
            Convolution(width, before, matrix(f"{width}.first"), matrix(f"{width}.second"))
            for width, before in WINDOWS
        ],
        done=Norm.read(array, "done"),
        head=TextHead(
            join=matrix("join"),
            widen=matrix("widen"),
            skip=matrix("skip"),
            mix=matrix("mix"),
            narrow=matrix("narrow"),
            past=matrix("past"),
            last=matrix("last"),
        ),
    )


class MultilingualEncoder(FileEncoder):
    """Embeds texts in sixteen languages. The weights fill some 60 MB of memory."""

    name = "universal-sentence-encoder-multilingual"
    dimension = DIMENSION
    multilingual = True
    path = WEIGHTS_PATH
    weights = _Weights
