"""Matters of everyday life and work that a text is about: "Do I have any pets?" and "My dog is called Rex." are of one.

A sum of word vectors finds a word of like meaning in one text out of ten, and a fact and a question about it often have
none in common. The tables are in the section `matters` of each language. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.guess import language_of
from simonides.language.sentences import fold
from simonides.language.tables import languages, table

#: A longer text is about many things.
_MOST_CHARS: Final = 600
_WORD: Final = later(r"[^\W_][\w'’-]*")
_JOINED: Final = later(r"['’-]")
_SIGNS: Final = later(f"[{CJK}]+")
#: Signs of a longest question without blanks that asks one thing.
_MOST_SIGNS: Final = 10
#: Letters of the shortest beginning of a word, and signs of the longest word without blanks.
_SHORTEST: Final = 2
_LONGEST: Final = 5


class Matter(NamedTuple):
    """What something is about, in the words of one language: a word may be of another matter in another one."""

    language: str
    name: str


@kept(4096)
def matters(text: str) -> Mapping[Matter, frozenset[str]]:
    """Matters of a text, each with the words that tell of it; of one of more than 600 characters none."""
    if len(text) > _MOST_CHARS:
        return {}
    folded = fold(text)
    by_matter: dict[Matter, frozenset[str]] = {}
    words = _WORD.findall(folded)
    for run in () if folded.isascii() else _SIGNS.findall(folded):
        words += [run[at : at + size] for at in range(len(run)) for size in range(1, _LONGEST + 1)]
    # "L'école", "habites-tu": what is joined tells by itself, too.
    words += [part for word in words if not word.isalnum() for part in _JOINED.split(word)]
    for word in words:
        for matter in _of_word(word):
            by_matter[matter] = by_matter.get(matter, frozenset()) | {word}
    return by_matter


def typical_answers(question: str, about: Sequence[str]) -> tuple[str, ...]:
    """Statements that most people's answers are like, where a question is about a matter alone: "Do I have any pets?".

    "What colour is my dog?" asks for more, and has none.

    Args:
        about: The words of the question that are looked for.
    """
    code = language_of(question) or "en"
    typical = table(code, "typical")
    known = [one for one in matters(question) if one.language == code and one.name in typical]
    if _SIGNS.search(question):
        alone = known if len(question) <= _MOST_SIGNS else []
    else:
        beside = frozenset(typical.get("beside", "").split())
        of_words = [_of_word(fold(word)) for word in about if fold(word) not in beside]
        alone = [one for one in known if of_words and all(one in some for some in of_words)]
    return tuple(typical[one.name] for one in alone)


@kept(16_384)
def _of_word(word: str) -> frozenset[Matter]:
    whole, begun = _tables()
    beginnings = (begun.get(word[:end], ()) for end in range(_SHORTEST, len(word) + 1))
    return whole.get(word, frozenset[Matter]()).union(*beginnings)


@cache
def _tables() -> tuple[dict[str, frozenset[Matter]], dict[str, frozenset[Matter]]]:
    """The matters of whole words, and those of what words begin with, written with an asterisk."""
    whole: dict[str, frozenset[Matter]] = {}
    begun: dict[str, frozenset[Matter]] = {}
    for language in languages():
        for name, words in table(language, "matters").items():
            matter = frozenset({Matter(language, name)})
            for word in fold(words).split():
                some, key = (begun, word[:-1]) if word.endswith("*") else (whole, word)
                known = some.get(key)
                some[key] = matter if known is None else known | matter
    return whole, begun
