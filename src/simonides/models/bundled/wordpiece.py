"""BERT's uncased tokenizer: text to token ids, as the table's source model reads it.

Equal to the `tokenizers` package, but for some 500 marks and signs of rare scripts that are newer than
that package's Unicode tables, and for special tokens: "[CLS]" in a text is three pieces of text here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final
from unicodedata import category, normalize

from simonides.domain.kept import Kept
from simonides.domain.pattern import later

#: Characters of a text that are read; what follows changes nothing. Bounds the cost of a hostile text.
MAX_CHARACTERS = 32_768
#: BERT's rule: a longer word is unknown as a whole.
MAX_WORD_CHARACTERS = 100

UNKNOWN = "[UNK]"

#: Longer chunks are read anew each time.
_CACHED_CHUNK_CHARACTERS = 40

#: `str.split` breaks words at these control characters; BERT deletes them and so joins the words.
_SPLITTING_CONTROLS = later("[\x0b\x0c\x1c-\x1f\x85]")
#: Deleted before a word is read: control, format, surrogate and private characters. Unassigned ones stay.
_DELETED = frozenset(("Cc", "Cf", "Cs", "Co"))
#: BERT's "Chinese characters": each is a word of its own. Kana and Hangul are not among them.
_CJK = later(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f]"
)
_ACCENTED = later("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_ASCII_WORDS = later(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_ASCII_SYMBOLS = frozenset("$+<=>^`|~")
#: Characters whose reading is kept.
_MOST_LETTERS = 65_536


#: Sixteenths of a logarithm in favour of English: a letter with an accent; each further piece of a word; and the
#: bounds of a word in several pieces, which is likely a name or a slip in any language.
_FOR_ENGLISH_ACCENTED = -32
_FOR_ENGLISH_PIECE = -8
_FOR_ENGLISH_IN_PIECES = (-32, 16)


class WordPiece:
    """Splits text into the pieces of a vocabulary; safe to use from several threads."""

    def __init__(
        self, vocabulary: Mapping[str, int], for_english: Sequence[int], *, cache_size: int = 32_768
    ) -> None:
        """Read with a vocabulary.

        Args:
            vocabulary: Pieces to ids, `[UNK]` among them; pieces inside a word are marked by `##`.
            for_english: By id, how much likelier a piece is in English than in other languages.
            cache_size: Chunks between spaces whose ids are kept, >= 1; a full cache is emptied. The
                default holds a chat's working vocabulary in some 8 MB.
        """
        self._ids = vocabulary
        self._for_english = for_english
        self._unknown = (vocabulary[UNKNOWN],)
        self._longest_piece = max(map(len, vocabulary))
        self._known_chunks = Kept(self._read_chunk, cache_size, _CACHED_CHUNK_CHARACTERS)

    def ids(self, text: str) -> list[int]:
        """Return the ids of the first `MAX_CHARACTERS` characters of `text`, in order."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[list[int], int]:
        """Return the ids as `ids` does, and how much speaks for English, in sixteenths of a logarithm."""
        return self.read_chunks(chunks(text))

    def read_chunks(self, chunks: Sequence[str]) -> tuple[list[int], int]:
        """`read` of what stands between the spaces of a text."""
        chunks_read = list(map(self._known_chunks.__getitem__, chunks))
        return list(chain.from_iterable([ids for ids, _ in chunks_read])), sum(
            [tokens for _, tokens in chunks_read]
        )

    def whole(self, word: str) -> int | None:
        """The id of a piece that is the whole word, in lower case."""
        return self._ids.get(word)

    def _read_chunk(self, chunk: str) -> tuple[tuple[int, ...], int]:
        ids: list[int] = []
        for_english = 0 if chunk.isascii() or not _ACCENTED.search(chunk) else _FOR_ENGLISH_ACCENTED
        for word in _words(chunk):
            whole = self._ids.get(word)
            if whole is not None:
                ids.append(whole)
                for_english += self._for_english[whole]
                continue
            pieces = self._pieces(word)
            ids += pieces
            tokens = sum(self._for_english[id_] for id_ in pieces)
            if len(pieces) > 1:
                least, most = _FOR_ENGLISH_IN_PIECES
                tokens = max(least, min(most, tokens + _FOR_ENGLISH_PIECE * (len(pieces) - 1)))
            for_english += tokens
        return tuple(ids), for_english

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Cut an unknown word into its longest known pieces from the left; one unknown piece spoils it."""
        if len(word) > MAX_WORD_CHARACTERS:
            return self._unknown
        ids: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest_piece), start, -1):
                id_ = self._ids.get(mark + word[start:end])
                if id_ is not None:
                    ids.append(id_)
                    start, mark = end, "##"
                    break
            else:
                return self._unknown
        return tuple(ids)


def chunks(text: str) -> list[str]:
    """The chunks between the spaces of the first `MAX_CHARACTERS` characters of a text."""
    text = text[:MAX_CHARACTERS]
    if _SPLITTING_CONTROLS.search(text):
        text = _SPLITTING_CONTROLS.sub("", text)
    return text.split()


def _words(chunk: str) -> list[str]:
    """Clean, fold and split a chunk without whitespace: lower case, no accents, punctuation and CJK apart."""
    if chunk.isascii() and chunk.isprintable():
        if chunk.isalnum():
            return [chunk.lower()]
        return _ASCII_WORDS.findall(chunk.lower())
    return normalize("NFD", chunk).translate(_letters).split()


class _Letters(dict[int, str]):
    """The reading of a decomposed character, by its number."""

    def __missing__(self, number: int) -> str:
        if len(self) >= _MOST_LETTERS:
            self.clear()
        self[number] = read = _letter(chr(number))
        return read


_letters: Final = _Letters()


def _letter(character: str) -> str:
    kind = category(character)
    if character == "\ufffd" or kind in _DELETED or kind == "Mn":
        return ""
    # Lowered one by one: in a whole word Python would make the last sigma a final one, BERT does not.
    small = character.lower()
    apart = _CJK.match(character) or small in _ASCII_SYMBOLS or category(small).startswith("P")
    return f" {small} " if apart else small
