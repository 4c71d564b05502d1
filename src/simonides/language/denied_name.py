"""Statements that deny by name what another says: "I live in York, not in Leeds." after "I live in Leeds.". Pure.

So does "I live not in Leeds but in York.".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.language.tables import worded, words
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import HAN_IS, NE, PREPOSITIONS

_LONGEST: Final = 400
#: The stop of a short word ends nothing: Dr. Mertens.
_DENIED: Final = worded(
    "put_right",
    r"(?P<told>.+?)(?:\s*[,，]\s*(?:{not})\s+|[，,]{han_not})(?P<old>(?:[^,，;:.!?。]|(?<=\b\w\w)\.(?=\s\w)){1,40})\W*$",
)
_INSTEAD: Final = worded(
    "put_right",
    r"(?P<told>.+?)(?:\s(?:{not})\s+|{han_not})(?P<old>[^,，;:!?。]{1,40}?)"
    r"(?:\s*,?\s+(?:{but})\s+|[，,]\s*而?是)(?P<new>[^,，;:!?。]{1,40}?)\W*$",
)
#: Differ with a name, or say nothing of it.
_SMALL: Final = PREPOSITIONS | words("indefinite", among="clauses") | NE | {"在", HAN_IS}


def denied_by_name(former: str, text: str) -> tuple[str, str] | None:
    """Name that a text puts in the place of what a former one says and it denies; None where they differ otherwise."""
    if len(text) > _LONGEST:
        return None
    if (match := _INSTEAD.match(text)) and (instead := _instead(former, match)):
        return instead
    match = _DENIED.match(text)
    if match is None:
        return None
    mine, stated, old = (_words(part) for part in (former, match["told"], match["old"]))
    at = next((at for at in range(1, len(mine)) if _folds(mine[at : at + len(old)]) == _folds(old)), 0)
    before, behind = mine[:at], mine[at + len(old) :]
    end = len(stated) - len(behind)
    new = stated[at:end]
    if not (old and at and _is_of_a_kind(old, new)):
        return None
    if _folds(stated[:at]) != _folds(before) or _folds(stated[end:]) != _folds(behind):
        return None
    words_of = _joined(old), _joined(new)
    # "I drink tea in the morning, not coffee" tells of the morning.
    whole = words_of[1] in match["told"] and words_of[0] in former
    return words_of if whole and words_of[0] != words_of[1] else None


def _instead(former: str, match: re.Match[str]) -> tuple[str, str] | None:
    """The end of a former statement that another denies, and the words that take its place."""
    mine, beginning, old, new = (_words(part) for part in (former, match["told"], match["old"], match["new"]))
    if not (old and _is_of_a_kind(old, new)) or _folds(beginning + old) != _folds(mine):
        return None
    if match["old"].strip().casefold() not in former.casefold():
        return None  # To Rome is not from Rome.
    # Where the denial stands before the verb, it stands with what is denied: no es Moss, sino Ruiz.
    given = tuple(_joined(part) for part in (old[-len(new) :], new))
    return (given[0], given[1]) if given[0] != given[1] else None


def _is_of_a_kind(old: Sequence[Token], new: Sequence[Token]) -> bool:
    """True if words may take the place of others: of one more each is of a name; "tea at night" tells of the night."""
    more = len(new) - len(old)
    return bool(new) and (more <= 0 or (more == 1 and all(_is_of_a_name(token) for token in new)))


def _is_of_a_name(token: Token) -> bool:
    return token.capital or token.shape is not Shape.WORD


def _joined(part: Sequence[Token]) -> str:
    return ("" if part[0].shape is Shape.HAN else " ").join(token.text for token in part)


def without_denied(text: str) -> str:
    """A text without what it denies at its end: of "I live in York, not in Leeds.", "I live in York"."""
    match = _DENIED.fullmatch(text) if len(text) <= _LONGEST else None
    return match["told"] if match else text


def _words(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.shape is not Shape.MARK and token.fold not in _SMALL]


def _folds(part: Sequence[Token]) -> list[str]:
    return [token.fold for token in part]
