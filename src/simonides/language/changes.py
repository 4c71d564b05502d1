"""Changes of a value told as such, each brought to one word: "the limit went up to 480" says what "is now 480" says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.language.quantities import CURRENCIES, HAN_DIGITS, NUMERALS
from simonides.language.tables import words
from simonides.language.tokens import Shape, Token
from simonides.language.words import HAN_IS, HAN_RISING, RISING

_CHANGED: Final = Token(Shape.WORD, "changed", "changed", "chang")
_IS: Final = Token(Shape.HAN, HAN_IS, HAN_IS, HAN_IS)
_TO: Final = words("risen_to", among="clauses")
#: Words between the verb and what it has come to: by how much, from what, how fast.
_MOST_BETWEEN: Final = 6


def changed_plainly(sentence: Sequence[Token]) -> list[Token]:
    """A sentence with each verb of rising and falling to a value as "changed to", without from what and by how much."""
    words = _without_rising_signs(sentence)
    at = 0
    while at < len(words):
        if words[at].fold in RISING:
            to = _place_of_value(words, at)
            if to is not None:
                words[at:to] = [_CHANGED]
            elif at > 1 and _is_number(words[at - 1]) and words[at - 2].fold in _TO:
                words[at] = _CHANGED  # German verbs stand behind: ist auf 480 gestiegen.
        at += 1
    return words


def _place_of_value(words: Sequence[Token], at: int) -> int | None:
    """The place of "to" before the number that a verb leads to; None where it leads to none."""
    for place in range(at + 1, min(at + 2 + _MOST_BETWEEN, len(words) - 1)):
        if words[place].fold in _TO and _is_number(words[place + 1]):
            return place
        if words[place].shape is Shape.MARK and words[place].text not in "%€$£":
            return None
    return None


def _is_number(token: Token) -> bool:
    return token.shape is Shape.NUMBER or token.fold in CURRENCIES or token.fold in NUMERALS


def _without_rising_signs(sentence: Sequence[Token]) -> list[Token]:
    """A sentence in which Chinese verbs of rising and falling before a number are "is"."""
    words = list(sentence)
    if not any(token.shape is Shape.HAN for token in words):
        return words
    # A sign a token, so that places in the line are places of tokens.
    line = "".join(
        token.text if token.shape is Shape.HAN and len(token.text) == 1 else "0" if _is_number(token) else " "
        for token in words
    )
    for match in reversed(list(HAN_RISING.finditer(line))):
        if _leads_to_a_number(line, match):
            words[match.start() : match.end()] = [_IS]
    return words


def _leads_to_a_number(line: str, match: re.Match[str]) -> bool:
    following = line[match.end() : match.end() + 1]
    return match[0][-1] in "到至了" and (following == "0" or following in HAN_DIGITS)
