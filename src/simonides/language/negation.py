"""Ways to deny a statement, each brought to one word: "it is false that we ship" says what "we do not ship" says.

English, French, Russian and Chinese. Words around a statement ("the claim that … is wrong", "it is no longer true
that …") and before a verb ("stopped shipping", "больше не") become a `not`, or where something ended an
`ENDED`, so that comparing statements meets one form of denial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.language.tokens import Shape, Token
from simonides.language.words import ENDED, HAN_ENDED

_NOT: Final = "not"
_TRUE: Final = "(?:true|the case|so|correct|right|accurate|a fact|valid)"
_STILL: Final = "(?: any ?more| any longer)?"
_FALSE: Final = (
    rf"(?:(?:simply|just|plainly|completely|now) )?(?:(?P<not>false|wrong|untrue|incorrect|inaccurate|a lie|a myth)"
    rf"|(?P<ended>outdated|out of date|obsolete|void|over|history|(?:no longer|not) {_TRUE} any ?more"
    rf"|(?:no longer|not) {_TRUE} any longer|no longer {_TRUE}|a thing of the past)|(?P<nor>not {_TRUE}))"
)
#: A verb's form in -ing, by its looks.
_DOING: Final = (
    r"(?!during |(?:some|any|no|every|)thing |morning |evening |spring |string |king |ring )\w\w+ing(?!\S)"
)
_END: Final = r"(?!\S)"
_HAVING: Final = "(?:(?:have|has|had) )?"
_CLAIM: Final = (
    "(?:claim|idea|notion|statement|assumption|belief|rumou?r|note|story|assertion|report|memory|entry)"
)

#: Patterns of a sentence whose folded words stand between single spaces. Group `rest` is what is denied; without one,
#: all that matches gives way to the denial. A group `ended` tells that it was so once.
_AROUND: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^it (?:is|was) {_FALSE} that (?P<rest>.+)$",
        (
            rf"^(?:(?:the|this|that|any|your|my|our|his|her|their|an?) )?(?:\w+ )?{_CLAIM} that (?P<rest>.+?)"
            rf" (?:is|was) {_FALSE}$"
        ),
        rf"^that (?P<rest>.+?) (?:is|was) {_FALSE}$",
        rf"^(?P<rest>{_DOING} .+?) is (?P<ended>over|history|a thing of the past)$",
        r"^(?P<rest>.+) (?P<ended>no more)$",
        "^(?:il|c|ce) est (?:faux|inexact|errone) qu?e? (?P<rest>.+)$",
        "^(?:il|ce) (?:n|ne) est (?:pas|(?P<ended>plus)) (?:vrai|exact|le cas|correct) qu?e? (?P<rest>.+)$",
        (
            "^(?:это )?(?:(?P<ended>больше|уже) )?(?:неправда|неверно|не верно|не правда|ложь|не так) "
            "(?:, )?что (?P<rest>.+)$"
        ),
        (
            "^(?:说 )?(?P<rest>.+?) (?:的 说 法 )?(?:是 错 的|是 假 的|不 是 真 的|不 属 实|不 正 确"
            "|(?P<ended>不 再 成 立))$"
        ),
    )
)
_BEFORE: Final = tuple(
    re.compile(rf"(?<!\S)(?P<ended>{words}){behind}")
    for words, behind in (
        ("no longer", _END),
        (f"{_HAVING}(?:stops?|stopped|quits?|ceased?|ceases|discontinued)", f"(?= {_DOING})"),
        (f"{_HAVING}ceased? to", _END),
        ("(?:is|are|am) (?:done|finished|through)(?: with)?", f"(?= {_DOING})"),
        (f"{_HAVING}(?:gave|given|give) up", f"(?= {_DOING})"),
        (
            "(?:(?:ai|as|a|avons|avez|ont) )?(?:arrete|arretons|arretent|cesse|cessons|cessent|fini) (?:de|d)",
            _END,
        ),
        ("(?:больше|уже) (?:никогда )?не", _END),
        ("переста(?:л|ла|ло|ли|ну|нем|нут)", rf"(?= \w+(?:ть|ться|ти|чь){_END})"),
        ("不 再", _END),
    )
)
#: Stand at the end of what a "not" denies, and say that it was so once.
_TRAILING: Final = re.compile(
    "(?P<before>.* )(?P<not>not|не)(?P<denied> .+?) (?:any ?more|any longer|(?<! не )больше)$"
)


def denied_plainly(sentence: Sequence[Token]) -> list[Token]:
    """A sentence with each way of denying it brought to one word before what is denied."""
    words = list(sentence)
    for _ in range(2):  # "It is false that the claim that … is wrong" is as deep as people go.
        line = _line(words)
        match = next((found for pattern in _AROUND if (found := pattern.match(line))), None)
        if match is None:
            break
        first, last = _place(line, match.start("rest")), _place(line, match.end("rest"))
        words = [_denial(match, words[first]), *words[first:last]]
    if match := _TRAILING.match(line := _line(words)):
        at, end = _place(line, match.start("not")), _place(line, match.end("denied"))
        words[at:] = [_ended(words[at]), *words[at + 1 : end]]
    for pattern in _BEFORE:
        line = _line(words)
        for match in reversed(list(pattern.finditer(line))):
            first, last = _place(line, match.start()), _place(line, match.end())
            words[first:last] = [_denial(match, words[first])]
    return words


def _line(words: Sequence[Token]) -> str:
    return " ".join(token.fold.replace(" ", "_") for token in words)


def _place(line: str, at: int) -> int:
    """The number of the word that begins, or of the first behind the one that ends, at a place of the line."""
    return line.count(" ", 0, at) + (0 if at == 0 or line[at - 1 : at] == " " else 1)


def _denial(match: re.Match[str], token: Token) -> Token:
    if match.groupdict().get("ended") is not None:
        return _ended(token)
    word, shape = ("不", Shape.HAN) if token.shape is Shape.HAN else (_NOT, Shape.WORD)
    return Token(shape, word, word, word)


def _ended(token: Token) -> Token:
    """What stands for "no longer" in the script of a word."""
    if token.shape is Shape.HAN:
        return Token(Shape.HAN, HAN_ENDED, HAN_ENDED, HAN_ENDED)
    return Token(Shape.WORD, "no longer", ENDED, ENDED)
