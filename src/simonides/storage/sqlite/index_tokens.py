"""Tokens as the text index of a file holds them: cut by the tokenizer of FTS5."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import apsw

from simonides.language.search_tokens import tokens_of

_TOKENIZER: Final = ("porter", ["unicode61", "remove_diacritics", "2"])
#: One tokenizer a thread: it belongs to a connection, which two must not use at once.
_own = threading.local()


def index_tokens(texts: Sequence[str]) -> list[list[str]]:
    """The tokens that the text index holds for each text."""
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
    cut = tokens_of(token)
    return cut[0] if len(cut) == 1 else token
