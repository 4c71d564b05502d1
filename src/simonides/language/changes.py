"""Changes of a value told as such, each brought to one word: "the limit went up to 480" says what "is now 480" says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from simonides.domain.pattern import later
from simonides.language.quantities import CURRENCIES, HAN_DIGITS, NUMERALS
from simonides.language.tables import han, phrases, section, words
from simonides.language.tokens import Shape, Token, folded, stemmed
from simonides.language.values import values
from simonides.language.words import (
    CHANGES,
    DEFINITE,
    HAN_CHANGES,
    HAN_IS,
    HAN_LIGHT,
    HAN_RISING,
    JOINING,
    PERSONS,
    PREPOSITIONS,
    RISING,
)

_CHANGED: Final = Token(Shape.WORD, "changed", "changed", "chang")
_CHANGE: Final = Token(Shape.HAN, HAN_CHANGES[0], HAN_CHANGES[0], HAN_CHANGES[0])
_HAN_MOVED_TO: Final = later(str(han("moved_to")))
_IS: Final = Token(Shape.HAN, HAN_IS, HAN_IS, HAN_IS)
_TO: Final = words("risen_to", among="clauses")
#: Behind these, and "de", an infinitive tells what is done: je viens de déménager.
_JUST: Final = words("just", among="clauses")
_LIVING: Final = words("living", among="clauses")
_ON_DOES: Final = words("on_does", among="clauses")
_PARTICIPLES: Final = frozenset({"gé", "és", "ée", "lé", "né", "té"})
_NOUS: Final = Token(Shape.WORD, "nous", "nous", "nous")
_MOVED: Final = Token(Shape.WORD, "moved", "moved", "mov")
_PUT_OFF: Final = frozenset(phrases("put_off"))
_PUT: Final = frozenset(first for first, _ in _PUT_OFF)
#: Between two times that something was moved to, one after the other.
_THEN_AGAIN: Final = words("then_again", among="clauses") | frozenset(str(han("then_again")))
_BETWEEN_TIMES: Final = (
    _THEN_AGAIN
    | HAN_LIGHT
    | DEFINITE
    | JOINING
    | PREPOSITIONS
    | words("changed_to", among="clauses")
    | words("moved_to", among="clauses")
)


def _token(text: str) -> Token:
    return Token(Shape.WORD, text, folded(text), stemmed(folded(text)))


_DONE: Final = {
    folded(infinitive): _token(done)
    for some in section("clauses")
    for infinitive, done in (pair.split() for pair in some.get("done", "").split("|") if pair.strip())
}
#: Words between the verb and what it has come to: by how much, from what, how fast.
_MOST_BETWEEN: Final = 6


def changed_plainly(sentence: Sequence[Token]) -> list[Token]:
    """A sentence with each verb of rising and falling to a value as "changed to", without from what and by how much."""
    words = _without_former(_put_off_plainly(_moved_plainly(_without_rising_signs(sentence))))
    at = 0
    while at < len(words):
        if words[at].fold in RISING:
            to = _place_of_value(words, at)
            if to is not None:
                words[at:to] = [_CHANGED]
            elif _stands_behind_value(words, at):
                words[at] = _CHANGED
        at += 1
    return words


def _put_off_plainly(words: list[Token]) -> list[Token]:
    """A sentence with "moved" for "brought forward" and the like."""
    for at in range(len(words) - 2, -1, -1):
        if words[at].fold in _PUT and (words[at].fold, words[at + 1].fold) in _PUT_OFF:
            words[at : at + 2] = [_MOVED]
    return words


def _without_former(words: list[Token]) -> list[Token]:
    """A sentence with the last of the times that something was moved to: moved to Monday and then back to Friday."""
    if _THEN_AGAIN.isdisjoint(token.fold for token in words):
        return words
    if not any(token.fold in CHANGES or token.text in HAN_CHANGES for token in words):
        return words
    read = [(start, end) for start, end, _ in values(words)]
    for (first, end), (start, _) in reversed([*pairwise(read)]):
        between = {token.fold for token in words[end:start] if token.shape is not Shape.MARK}
        if _THEN_AGAIN & between and between <= _BETWEEN_TIMES:
            del words[first:start]
    return words


def _moved_plainly(words: list[Token]) -> list[Token]:
    """A sentence with "vient de déménager" as "déménagé", French "on" as "nous", and no "to live" behind a move."""
    plain: list[Token] = []
    at = 0
    while at < len(words):
        token = words[at]
        done = _DONE.get(words[at + 2].fold) if token.fold in _JUST and at + 2 < len(words) else None
        if done is not None:
            # "Acabo" says who.
            plain += [token, done] if token.fold in PERSONS else [done]
            at += 2
        elif token.fold in _LIVING and (moved := _behind_a_move(plain)):
            del plain[len(plain) - moved + 1 :]
        else:
            plain.append(_NOUS if token.fold == "on" and _is_french(words, at) else token)
        at += 1
    return plain


def _behind_a_move(words: Sequence[Token]) -> int:
    """Number of words from that of a change on, with at most one behind it; 0 where none is there."""
    return next((n for n in (1, 2) if len(words) >= n and words[-n].fold in CHANGES), 0)


def _is_french(words: Sequence[Token], at: int) -> bool:
    """True if "on" is the French pronoun, before what we have done or do: on a déménagé, on habite."""
    following = words[at + 1 : at + 5]
    if any(token.fold in PERSONS for token in words[:at]) or not following:
        return False
    return (
        following[0].fold in _ON_DOES
        or any(token.fold in CHANGES and token.text[-2:].casefold() in _PARTICIPLES for token in following)
        or (following[0].fold in _JUST and any(token.fold in _DONE for token in following))
    )


def _place_of_value(words: Sequence[Token], at: int) -> int | None:
    """The place of "to" before the number that a verb leads to; None where it leads to none."""
    for place in range(at + 1, min(at + 2 + _MOST_BETWEEN, len(words) - 1)):
        if words[place].fold in _TO and _is_number(words[place + 1]):
            return place
        if words[place].shape is Shape.MARK and words[place].text not in "%€$£":
            return None
    return None


def _stands_behind_value(words: Sequence[Token], at: int) -> bool:
    """True for a German verb behind what it leads to: ist auf 480 Euro gestiegen."""
    before = at
    while before and _is_number(words[before - 1]):
        before -= 1
    return 0 < before < at and words[before - 1].fold in _TO


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
    for match in reversed(list(_HAN_MOVED_TO.finditer(line))):
        words[match.start() : match.end()] = [_CHANGE]
        line = f"{line[: match.start()]}{_CHANGE.text}{line[match.end() :]}"
    for match in reversed(list(HAN_RISING.finditer(line))):
        if _leads_to_a_number(line, match):
            words[match.start() : match.end()] = [_IS]
    return words


def _leads_to_a_number(line: str, match: re.Match[str]) -> bool:
    following = line[match.end() : match.end() + 1]
    return match[0][-1] in "到至了" and (following == "0" or following in HAN_DIGITS)
