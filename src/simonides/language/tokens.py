"""Tokens of a text: cut, folded and stemmed. English, Russian, French and Chinese."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.values import dataclass

#: What of a text is read: statements are short, and every cost stays bounded.
MAX_CHARS: Final = 4_000


class Shape(StrEnum):
    """Looks of a token."""

    WORD = "word"
    HAN = "han"
    NUMBER = "number"
    DATE = "date"
    CLOCK = "clock"
    IDENTIFIER = "identifier"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, one Han character, a number, an identifier, or a mark.

    Attributes:
        fold: Case-folded, without accents, without an English possessive.
        stem: `fold` without common endings.
    """

    shape: Shape
    text: str
    fold: str
    stem: str

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


#: A sign of CJK, and another letter. Neither asks for case: where it does not count, each of tens of thousands of signs
#: is folded when a class of them is compiled.
_SIGN: Final = f"(?-i:[{CJK}])"
_LETTER: Final = rf"(?-i:[^\W\d_{CJK}])"
_TOKEN: Final = later(
    rf"""
      (?P<date> (?<![\w.]) (?: \d{{4}}-\d{{1,2}}-\d{{1,2}} | \d{{4}}/\d{{1,2}}/\d{{1,2}}
        | \d{{1,2}}(?P<sep>[./-])\d{{1,2}}(?P=sep)(?:\d{{4}}|\d\d) ) (?! \d | \.\d ) )
    | (?P<identifier>
          (?:https?://|www\.) [^\s<>"')]{{1,300}}
        | (?<![\w.+%-]) [\w.+%-]{{1,64}} @ [\w-]{{1,63}} (?: \. [\w-]{{1,63}} ){{1,5}}
        | (?<![\w.]) v? \d{{1,9}} (?: \. \d{{1,9}} ){{2,5}} [\w-]{{0,20}}
        | (?<!\w) [A-Za-z]{{1,30}} [-_]? \d [\w-]{{0,40}} (?: \.\d[\w-]{{0,20}} ){{0,4}}
        | (?<!\w) [A-Za-z0-9]{{1,40}} (?: _[A-Za-z0-9]{{1,40}} ){{1,8}}
        | (?<!\w) [A-Za-z][\w-]{{0,60}} (?: \.[A-Za-z][\w-]{{1,60}} ){{1,6}} (?!\w)
      )
    | (?P<clock> (?<!\d) [0-2]?\d (?: [:h] | \x20h\x20 ) [0-5]\d (?: :[0-5]\d )? (?!\d) )
    | (?P<number> \d{{1,3}} (?: [,'\x20] \d{{3}} (?!\d) ){{1,5}} (?: \.\d{{1,9}} )?
        | \d{{1,3}} (?: \.\d{{3}} (?!\d) ){{2,5}} (?: ,\d{{1,9}} )?
        | \d{{1,15}} (?: [.,]\d{{1,9}} )? )
    | (?P<han> {_SIGN} )
    | (?P<word> [ap]\.m\. | {_LETTER}+ (?: ['’] {_LETTER}+ )* )
    | (?P<mark> \S )
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: A character without which nothing but words, signs and marks stands in a text: what else there is holds a digit, `@`,
#: `_`, two slashes, or a full stop before what goes on.
_BEYOND_WORDS: Final = later(r"[\d@_] | \. [^\s<>\"')] | //", re.VERBOSE)
_WORDS_AND_MARKS: Final = later(
    rf"(?P<han> {_SIGN} ) | (?P<word> {_LETTER}+ (?: ['’] {_LETTER}+ )* ) | (?P<mark> \S )",
    re.VERBOSE | re.IGNORECASE,
)
_SHAPES: Final = {shape.value: shape for shape in Shape}


def tokens(text: str) -> list[Token]:
    """The tokens of a text in order; compatibility forms are resolved first."""
    text = text[:MAX_CHARS]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    parts: list[Token] = []
    for match in (_TOKEN if _BEYOND_WORDS.search(text) else _WORDS_AND_MARKS).finditer(text):
        kind, written = match.lastgroup, match[0]
        if kind == "word":
            if "'" in written or "’" in written:
                parts += _words(written)
            else:
                parts.append(_word(written))
        else:
            fold = written.casefold()
            parts.append(Token(_SHAPES["date" if kind == "sep" else kind or "mark"], written, fold, fold))
    return parts


def _words(text: str) -> list[Token]:
    """A word; French and English forms with an apostrophe are two: l'hôtel, don't, Ana's."""
    rest = text.replace("’", "'")
    parts: list[Token] = []
    start = 0
    # A loop: a chain of elisions is as long as whoever writes it likes.
    while 0 < (cut := rest.find("'", start)) < len(rest) - 1:
        head = rest[start:cut]
        ending = rest[cut + 1 :].casefold() if len(rest) - cut <= _LONGEST_ENDING + 1 else ""
        if ending == "s":
            # A possessive belongs to its word; of a pronoun it is "is".
            return [*parts, _word(head), *([_word("is")] if head.casefold() in _WITH_IS else ())]
        if ending == "t":
            stem = head[:-1] if head[-1:].casefold() == "n" else head
            return [
                *parts,
                _word({"ca": "can", "wo": "will"}.get(stem.casefold(), stem) or "not"),
                _word("not"),
            ]
        if (auxiliary := _SHORTENED.get(ending)) is not None:
            return [*parts, _word(head), _word(auxiliary)]
        if len(head) > _LONGEST_ELIDED:
            break
        parts.append(_word(head))
        start = cut + 1
    return [*parts, _word(rest[start:])]


#: Characters of what stands before an apostrophe as a word of its own, and behind one as the end of a word.
_LONGEST_ELIDED: Final = 2
_LONGEST_ENDING: Final = 2
_SHORTENED: Final = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_WITH_IS: Final = frozenset({"it", "he", "she", "that", "there", "what", "who", "here", "let"})


@kept(8192, longest=None)
def _word(text: str) -> Token:
    fold = folded(text)
    return Token(Shape.WORD, text, fold, stemmed(fold))


def folded(word: str) -> str:
    """Without case and accents; й and ё keep what makes them letters of their own."""
    word = word.casefold().replace("ё", "е").replace(".", "")
    if word.isascii() or "\u0400" <= word[0] <= "\u04ff":
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


_ENDINGS: Final = """
ами ями ого его ому ему ыми ими ая яя ое ее ой ый ий ую юю ые ие ых их ом ем ов ев ах ях ам ям ешь ишь ает яет ует ит
ет ют ут ат ят ть ать ить еть ал ала али ил ила или ел ела ели а я о е и ы у ю ь й
"""
#: The longest first.
_RUSSIAN_ENDINGS: Final = tuple(sorted(_ENDINGS.split(), key=len, reverse=True))
_LONG_ENOUGH: Final = 3


@kept(8192, longest=None)
def stemmed(fold: str) -> str:
    """A folded word without common endings: forms of one word mostly meet, different words mostly do not."""
    if "\u0400" <= fold[0] <= "\u04ff":
        for ending in _RUSSIAN_ENDINGS:
            if fold.endswith(ending) and len(fold) - len(ending) >= _LONG_ENOUGH:
                return fold[: -len(ending)]
        return fold
    if len(fold) <= _LONG_ENOUGH:
        return fold
    if fold.endswith("ies") and len(fold) > 4:
        return fold[:-3] + "y"
    if fold.endswith("s") and not fold.endswith(("ss", "us", "is")):
        fold = fold[:-2] if fold.endswith(("shes", "ches", "xes", "sses", "zes")) else fold[:-1]
    for ending in ("ing", "ed"):
        if fold.endswith(ending) and len(fold) - len(ending) >= _LONG_ENOUGH:
            fold = fold[: -len(ending)]
            if fold[-1] == fold[-2] and fold[-1] not in "lsz":
                fold = fold[:-1]
            break
    return fold[:-1] if fold.endswith("e") and len(fold) > _LONG_ENOUGH else fold
