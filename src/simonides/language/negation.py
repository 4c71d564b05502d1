"""Ways to deny a statement, each brought to one word: "it is false that we ship" says what "we do not ship" says.

Words around a statement ("the claim that … is wrong", "it is no longer true
that …") and before a verb ("stopped shipping", "больше не") become a `not`, or where something ended an
`ENDED`, so that comparing statements meets one form of denial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from simonides.domain.pattern import later
from simonides.language.tables import pairs, phrases, section, table, worded, words
from simonides.language.tokens import Shape, Token, stemmed
from simonides.language.words import ENDED, HAN_ENDED, HAN_NOT, NE

_NOT: Final = "not"
#: Where a word ends.
_END: Final = r"(?!\S)"
#: A verb's form in -ing, by its looks.
_DOING: Final = worded("denials", "{doing}", flags=0)
#: Leaves where one lives: the name follows.
_LEFT: Final = worded("denials", r"(?<!\S){left}(?= \w)", flags=0)
_MOVED_ON: Final = worded("denials", r"(?<!\S){moved_on}", flags=0)
#: Begin for how long, or with whom, somebody is away.
_FOR_A_WHILE: Final = words("for_a_while", among="clauses")
#: Says that a thing is eaten, used, done: whatever it is that one does with it.
ANY_USE: Final = "anyuse"
_ANY: Final = Token(Shape.WORD, "", ANY_USE, ANY_USE)
_LIVES: Final = (Token(Shape.WORD, "lives", "lives", stemmed("lives")), Token(Shape.WORD, "in", "in", "in"))
_HAN_LIVES: Final = tuple(Token(Shape.HAN, sign, sign, sign) for sign in "住在")
_USE: Final = Token(Shape.WORD, "using", "use", "use")
_PAS: Final = Token(Shape.WORD, "pas", "pas", "pas")
_LIKE_PAS: Final = words("like_pas", among="clauses")
#: Forms of the French subjunctive to those of the indicative.
_INDICATIVE: Final = dict(pairs(table("fr", "clauses")["indicative"]))
_LONGEST_OTHER: Final = 5
#: Stand at the end of what a "not" denies, and say that it was so once.
_TRAILING: Final = worded(
    "denials", "(?P<before>.* )(?P<not>{trailing_not})(?P<denied> .+?) {any_more}$", flags=0
)


@cache
def _around() -> tuple[re.Pattern[str], ...]:
    """Patterns of a sentence whose folded words stand between single spaces.

    Group `rest` is what is denied; without one, all that matches gives way to the denial. A group `ended` tells that it
    was so once.
    """
    return tuple(
        worded("denials", pattern, flags=0)
        for some in section("denials")
        for pattern in some.get("around", ())
    )


@cache
def _before() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    """Each pattern with what it says of the verb, or the thing, behind it.

    That is `ended` if it was so once, `any` if the verb goes without saying ("gave up meat"), `home` of who moved out.
    """
    ended = "|".join(" ".join(words) for words in phrases("ended"))
    return (
        (frozenset({"ended"}), later(rf"(?<!\S)(?:{ended}){_END}")),
        *(
            (frozenset(says.split()), worded("denials", pattern, flags=0))
            for some in section("denials")
            for says, pattern in some.get("before", ())
        ),
    )


def denied_plainly(sentence: Sequence[Token]) -> list[Token]:
    """A sentence with each way of denying it brought to one word before what is denied."""
    words = list(sentence)
    for _ in range(2):  # "It is false that the claim that … is wrong" is as deep as people go.
        line = _line(words)
        match = next((one for pattern in _around() if (one := pattern.match(line))), None)
        if match is None:
            break
        first, last = _place(line, match.start("rest")), _place(line, match.end("rest"))
        denied = words[first:last]
        words = [_denial(match, words[first]), *(_in_indicative(denied) if " qu" in line else denied)]
    if match := _TRAILING.match(line := _line(words)):
        at, end = _place(line, match.start("not")), _place(line, match.end("denied"))
        words[at:] = [_ended(words[at]), *words[at + 1 : end]]
    line = _line(words)
    for says, pattern in _before():
        for match in reversed(matches := list(pattern.finditer(line))):
            first, last = _place(line, match.start()), _place(line, match.end())
            denial, verb = _put(says, words[first]), words[last : last + 1]
            if words[last - 1].fold in {"de", "d"} and verb and re.fullmatch(r"\w{3,}er", verb[0].fold):
                stem = verb[0].fold[:-1]  # "Refuse de manger" denies that one "mange".
                verb = [Token(Shape.WORD, verb[0].text, stem, stemmed(stem))]
            words[first : last + 1] = [*denial, *verb]
        if matches:
            line = _line(words)
    if len(words) > 1 and words[-1].fold in {"day", "days"} and _DOING.fullmatch(words[-2].fold):
        words.pop()  # "Fridays are shipping days."
    words = [_USE if word.fold == "using" else word for word in words]
    return _with_a_plain_ne(_without_who_left(words))


def _put(says: frozenset[str], token: Token) -> list[Token]:
    """Tokens for a denial, and for the verb that goes without saying, in the script of a word."""
    denial = _ended(token) if "ended" in says else _not(token)
    if "home" in says:
        return [denial, *_HAN_LIVES]
    return [denial, _ANY] if "any" in says else [denial]


def _without_who_left(words: list[Token]) -> list[Token]:
    """A sentence in which who "has left Bergen" no longer lives there, and who moved from there to here moved here."""
    if match := _MOVED_ON.search(line := _line(words)):
        first, last = _place(line, match.start("there")), _place(line, match.end("there"))
        if words[last - 1].capital:
            words = [*words[:first], *words[last:]]
    if match := _LEFT.search(line := _line(words)):
        first, last = _place(line, match.start()), _place(line, match.end())
        end = last
        while end < len(words) and words[end].capital:
            end += 1
        behind = [word.fold for word in words[end : end + 2]]
        for_good = behind == ["for", "good"]
        if end > last and (for_good or not {*behind[:1]} & _FOR_A_WHILE):
            words = [
                *words[:first],
                _ended(words[first]),
                *_LIVES,
                *words[last:end],
                *words[end + 2 * for_good :],
            ]
    return words


def _with_a_plain_ne(words: list[Token]) -> list[Token]:
    """A sentence in which whatever denies behind "ne" is "pas"."""
    behind = False
    for at, word in enumerate(words):
        if behind and word.fold in _LIKE_PAS:
            words[at] = _PAS
        behind = behind or word.fold in NE
    return words


def _in_indicative(words: list[Token]) -> list[Token]:
    """Clause that is said to be false in French, in the mood in which it would be true."""
    indicative: list[Token] = []
    for word in words:
        fold = _INDICATIVE.get(word.fold, word.fold)
        if fold == word.fold and fold.endswith(("ions", "iez")) and len(fold) > _LONGEST_OTHER:
            fold = f"{fold[:-4]}ons" if fold.endswith("s") else f"{fold[:-3]}ez"
        if (
            fold != word.fold
            and indicative
            and indicative[-1].fold in {"je", "j", "tu"}
            and fold.endswith("t")
        ):
            fold = f"{fold[:-1]}{'x' if fold in {'peut', 'veut'} else 's'}"
        indicative.append(word if fold == word.fold else Token(word.shape, word.text, fold, stemmed(fold)))
    return indicative


def _line(words: Sequence[Token]) -> str:
    return " ".join(token.fold.replace(" ", "_") for token in words)


def _place(line: str, at: int) -> int:
    """The number of the word that begins, or of the first behind the one that ends, at a place of the line."""
    return line.count(" ", 0, at) + (0 if at == 0 or line[at - 1 : at] == " " else 1)


def _denial(match: re.Match[str], token: Token) -> Token:
    if match.groupdict().get("ended") is not None:
        return _ended(token)
    return _not(token)


def _not(token: Token) -> Token:
    word, shape = (HAN_NOT, Shape.HAN) if token.shape is Shape.HAN else (_NOT, Shape.WORD)
    return Token(shape, word, word, word)


def _ended(token: Token) -> Token:
    """Token for "no longer" in the script of a word."""
    if token.shape is Shape.HAN:
        return Token(Shape.HAN, HAN_ENDED, HAN_ENDED, HAN_ENDED)
    return Token(Shape.WORD, "no longer", ENDED, ENDED)
