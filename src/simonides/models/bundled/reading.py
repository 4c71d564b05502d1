"""From a text in any language to the rows of the table: English by whole words, other languages by pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Final
from unicodedata import normalize

from simonides.domain.kept import Kept
from simonides.domain.pattern import later
from simonides.models.bundled.pieces import UnigramPieces
from simonides.models.bundled.wordpiece import WordPiece, chunks

#: A text whose words speak for English no more than this is in another language; sixteenths, as `WordPiece.read`.
NOT_ENGLISH: Final = -16

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CYRILLIC: Final = "\u0400-\u052f"
_LATIN: Final = "a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff"
#: What is read by pieces in any text.
_BY_PIECES: Final = later(f"[{_HAN}{_CYRILLIC}]")
_WORDS: Final = later(
    f"(?P<han>[{_HAN}]+)|(?P<cyrillic>[{_CYRILLIC}]+)|(?P<latin>[{_LATIN}]+)"
    rf"|[^\W_{_HAN}{_CYRILLIC}{_LATIN}]+"
)
_LATIN_LETTER: Final = later(f"[{_LATIN}]")
_LONE_WORD: Final = later(rf"[\W_]*([{_LATIN}]+)[\W_]*")
#: Texts of more rows are not looked at for being one word, with what signs stand around it.
_LONE_WORD_PIECES: Final = 8
#: Lower case leaves a dot above behind the Turkish capital İ; Russian mostly writes е for ё.
_FOLDED: Final = str.maketrans({"\u0307": None, "ё": "е"})
#: What stands between two spaces and is longer is read anew each time.
_CACHED_CHUNK_CHARACTERS: Final = 40
_CACHE_SIZE: Final = 32_768


class RowFinder:
    """Finds the rows of a text; safe to use from several threads.

    The words in Latin letters of a text are read as English or not by how much likelier they all are in English than
    in the languages of the pieces together, a lone word by who knows it. Russian and Chinese are read by pieces in
    any text, numbers by English rows in any; all rows lie in one space.
    """

    def __init__(
        self, wordpiece: WordPiece, pieces: Callable[[], UnigramPieces], *, cache_size: int = _CACHE_SIZE
    ) -> None:
        """Read by `wordpiece`, and by pieces, which are made when the first text needs them."""
        self._wordpiece = wordpiece
        self._make_pieces = pieces
        #: Rows of what stands between spaces, of an English text and of others.
        self._known = {
            english: Kept(partial(self._chunk, english=english), cache_size, _CACHED_CHUNK_CHARACTERS)
            for english in (True, False)
        }

    def ids(self, text: str) -> list[int]:
        """The rows of the first `wordpiece.MAX_CHARACTERS` characters of a text, in order."""
        pieces = chunks(text)
        plain = text.isascii()
        if (
            not plain
            and all(map(_BY_PIECES.search, pieces))
            and not _LATIN_LETTER.search(folded(" ".join(pieces)))
        ):
            return self._read(pieces, english=False)  # As it would be read in an English text.
        ids, for_english = self._wordpiece.read_chunks(pieces)
        english = self._is_english(text, ids, for_english)
        if english and (plain or not _BY_PIECES.search(text)):
            return ids
        return self._read(pieces, english=english)

    def _read(self, pieces: Sequence[str], *, english: bool) -> list[int]:
        return list(chain.from_iterable(map(self._known[english].__getitem__, pieces)))

    def _is_english(self, text: str, ids: list[int], for_english: int) -> bool:
        # A word alone that English does not know is a name, unless it is a word elsewhere.
        alone = _LONE_WORD.fullmatch(folded(text)) if 1 < len(ids) <= _LONE_WORD_PIECES else None
        if alone is not None and self._wordpiece.whole(alone[1]) is None:
            return self._pieces.whole(alone[1]) is None
        return for_english > NOT_ENGLISH

    @cached_property
    def _pieces(self) -> UnigramPieces:
        return self._make_pieces()

    def _chunk(self, chunk: str, *, english: bool) -> tuple[int, ...]:
        if english and not _BY_PIECES.search(chunk):
            return tuple(self._wordpiece.ids(chunk))
        ids: list[int] = []
        for match in _WORDS.finditer(folded(chunk)):
            word, script = match[0], match.lastgroup
            if script == "han":
                ids += self._pieces.ids(word, starts=False)
            elif script is None or (english and script == "latin"):
                ids += self._wordpiece.ids(word)
            else:
                ids += self._word(word)
        return tuple(ids)

    def _word(self, word: str) -> tuple[int, ...]:
        """A word of another language; what English writes the same has one row, with the English words."""
        if self._pieces.whole(word) is None:
            shared = self._wordpiece.whole(word)
            if shared is not None:
                return (shared,)
        return self._pieces.ids(word)


def folded(text: str) -> str:
    """A text as the pieces are written: composed, in lower case."""
    return normalize("NFKC", text).lower().translate(_FOLDED)
