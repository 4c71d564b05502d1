"""Words of items as the text index has them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from simonides.language.search_tokens import tokens_of
from simonides.storage.postgres.tallies import tallies

#: Bytes of a token: no lexeme may have more than 2,046. What is cut off tells nothing apart.
_LONGEST_TOKEN: Final = 500
#: Bytes of all lexemes of an item: a tsvector holds less than a megabyte.
_MOST_BYTES: Final = 900_000
#: Bytes of a lexeme beside its token, at most.
_BESIDE: Final = 16
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The lexeme of each status; no token has a sign before its letters but a full stop.
KINDS: Final = {"active": "#a", "archived": "#x", "quarantined": "#q"}


class Worded(NamedTuple):
    """The words of one item.

    Attributes:
        length: Number of tokens.
    """

    length: int
    counts: Counter[str]


def worded(texts: Sequence[str]) -> Worded:
    """Tokens of an item's texts with how often each occurs."""
    tokens = [token for text in texts for token in tokens_of(text)]
    if max(map(len, tokens), default=0) * 4 > _LONGEST_TOKEN:
        tokens = list(map(cut, tokens))
    found = Counter(tokens)
    if sum(map(len, found)) * 4 + len(found) * _BESIDE <= _MOST_BYTES:
        return Worded(len(tokens), found)
    kept: Counter[str] = Counter()
    room = _MOST_BYTES
    for token, count in found.items():
        room -= len(token.encode()) + _BESIDE
        if room < 0:
            break
        kept[token] = count
    return Worded(kept.total(), kept)


def cut(token: str) -> str:
    """A token as it is stored."""
    if len(token) * 4 <= _LONGEST_TOKEN:
        return token
    return token.encode("utf-8", "replace")[:_LONGEST_TOKEN].decode("utf-8", "ignore")


def prefix_of(tenant: int) -> str:
    """Beginning of a tenant's lexemes: its number in base 36, so that it has lists of its own in the index."""
    digits, left = "", abs(tenant)
    while left:
        left, digit = divmod(left, 36)
        digits = _DIGITS[digit] + digits
    return f"{'-' if tenant < 0 else ''}{digits}:"


def quoted(lexeme: str) -> str:
    """A lexeme as tsvectors and queries have it between quotes."""
    return lexeme.replace("\\", "\\\\").replace("'", "''")


def words_row(tenant: int, key: int, words: Worded, scope_key: int, status: str) -> tuple[Any, ...]:
    """The values of `put_words` for an item."""
    prefix = prefix_of(tenant)
    lexemes = [f"{prefix}{token}" for token in words.counts]
    lexemes += [f"{prefix}#s{scope_key}", f"{prefix}{KINDS[status]}"]
    return key, words.length, json.dumps(words.counts, ensure_ascii=False), lexemes, tallies(words.counts)
