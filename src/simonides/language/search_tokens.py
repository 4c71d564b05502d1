"""Tokens of texts as text search sees them, in whichever store: cut, folded and stemmed by the tokenizer of FTS5."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

import apsw

from simonides.language.tokens import stemmed

_TOKENIZER: Final = ("porter", ["unicode61", "remove_diacritics", "2"])
_CYRILLIC: Final = ("\u0400", "\u04ff")
_WIDE: Final = ("\uff10", "\uff5a")
#: One tokenizer a thread: it belongs to a connection, which two must not use at once.
_own = threading.local()


def search_tokens(texts: Sequence[str]) -> list[list[str]]:
    """The tokens of each text, each in the form that it shares with other forms of the word."""
    cut = index_tokens(texts)
    if all(text.isascii() for text in texts):
        return cut
    return [[folded_token(token) for token in tokens] for tokens in cut]


def index_tokens(texts: Sequence[str]) -> list[list[str]]:
    """The tokens that a text index holds for each text."""
    cut: Any = getattr(_own, "tokenizer", None)
    if cut is None:
        connection: Any = apsw.Connection(":memory:")
        cut = _own.tokenizer = connection.fts5_tokenizer(*_TOKENIZER)
    return [
        cut(
            text.encode("utf-8", "replace"),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        for text in texts
    ]


def folded_token(token: str) -> str:
    """Common form of a word's forms; the token itself where the index folds it by itself."""
    if token.isascii() or not token:
        return token
    if _WIDE[0] <= token[0] <= _WIDE[1]:
        return unicodedata.normalize("NFKC", token).casefold()
    # Few write ё, so that it is found as е and the other way round.
    return stemmed(token.replace("ё", "е")) if _CYRILLIC[0] <= token[0] <= _CYRILLIC[1] else token
