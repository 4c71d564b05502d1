"""Whether what a model wrote says only what its sources say. Pure; in doubt, it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from simonides.domain.text import CJK
from simonides.tasks.extract import unsaid

_SCRIPTS: Final[Mapping[str, re.Pattern[str]]] = {
    "Han, kana or Hangul": re.compile(f"[{CJK}]"),
    "Cyrillic": re.compile(r"[\u0400-\u052f]"),
    "Latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
}
#: Letters of a word of Latin or Cyrillic that weigh as much as one character that is a word by itself.
_LETTERS_A_WORD: Final = 4
#: Words that occur in nearly every sentence of a language and in few of another.
_LANGUAGES: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "English": "the is are was were and of to that with has have for they she he from this it's",
        "French": "le les des est sont était et du que avec elle pour dans une au aux qui ne pas sur",
        "German": "der die das ist sind war und von mit dem den ein eine nicht für auf sie er zu im",
        "Spanish": "el los las es son era y de que con para una del por su como pero muy está fue",
    }.items()
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAST_HITS: Final = 2


def unfaithful(text: str, sources: Sequence[str], most_chars: int) -> str | None:
    """What is wrong with a text that a model made of others, in words that quote nothing; None if nothing is.

    It may be blank, too long, in a language that no source is in, or hold a number or name that no source holds.
    """
    if not text.strip():
        return "it is blank"
    if len(text) > most_chars:
        return f"it is longer than {most_chars} characters"
    if in_another_language(text, sources):
        return "it is in another language"
    if found := unsaid(text, sources):
        return f"it has {len(found)} numbers or names that no source has"
    return None


def left_out(text: str, sources: Sequence[str]) -> int:
    """How many numbers and names of the sources a text does not hold."""
    return sum(len(unsaid(source, [text])) for source in sources)


def in_another_language(text: str, sources: Sequence[str]) -> bool:
    """Whether a text is in another script than its sources, or in a language of which they have no word."""
    told = " ".join(sources)
    if _script(text) != _script(told):
        return True
    hits, known = _hits(_WORD.findall(text)), _hits(_WORD.findall(told))
    language = max(hits, key=lambda name: hits[name])
    return hits[language] >= _LEAST_HITS and known[language] == 0 and any(known.values())


def _script(text: str) -> str:
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    counts["Han, kana or Hangul"] *= _LETTERS_A_WORD
    return max(counts, key=lambda name: counts[name])


def _hits(words: Iterable[str]) -> dict[str, int]:
    folded = [word.casefold() for word in words]
    return {name: sum(word in common for word in folded) for name, common in _LANGUAGES.items()}
