"""Porter's stemmer for English, with the endings and exceptions of the one in FTS5: stores agree to the letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

#: Shorter and longer words stay as they are.
SHORTEST: Final = 3
LONGEST: Final = 64

_VOWELS: Final = frozenset("aeiou")
_NO_DOUBLES: Final = frozenset("lsz")
_OPEN: Final = frozenset("wxy")


def _consonants(word: str) -> list[bool]:
    """Each letter's being a consonant; y is one behind a vowel and at the beginning."""
    consonants: list[bool] = []
    before = False
    for letter in word:
        before = letter not in _VOWELS and not (letter == "y" and before)
        consonants.append(before)
    return consonants


def _measure(word: str) -> int:
    """Runs of vowels that a consonant follows."""
    measure = 0
    vowel = False
    for consonant in _consonants(word):
        measure += consonant and vowel
        vowel = not consonant
    return measure


def _has_vowel(word: str) -> bool:
    return any(letter in _VOWELS or (letter == "y" and place > 0) for place, letter in enumerate(word))


def _is_short(word: str) -> bool:
    """True if a word ends with consonant, vowel, consonant, of which the last is not w, x or y."""
    return word[-1] not in _OPEN and _consonants(word)[-3:] == [True, False, True]


class _Endings(NamedTuple):
    """Endings, and what they become, the longest first."""

    old: tuple[str, ...]
    new: Mapping[str, str]


def _of(pairs: str) -> _Endings:
    """Endings with what they become; "-" is nothing."""
    cut = (pair.split(":") for pair in pairs.split())
    new = {old: new.replace("-", "") for old, new in sorted(cut, key=lambda pair: -len(pair[0]))}
    return _Endings(tuple(new), new)


_SECOND: Final = _of(
    "ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous "
    "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble"
)
_THIRD: Final = _of("icate:ic ative:- alize:al iciti:ic ical:ic ful:- ness:-")
_FOURTH: Final = _of(
    "al:- ance:- ence:- er:- ic:- able:- ible:- ant:- ement:- ment:- ent:- ion:- ou:- ism:- ate:- iti:- ous:- "
    "ive:- ize:-"
)


def _replaced(word: str, endings: _Endings, fits: Callable[[str, str], bool]) -> str:
    if not word.endswith(endings.old):  # As most do not: one look instead of twenty.
        return word
    for ending, new in endings.new.items():
        if word.endswith(ending) and len(word) > len(ending):
            stem = word[: -len(ending)]
            return stem + new if fits(stem, ending) else word
    return word


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("es") and (
        (len(word) > 4 and word.endswith("sses")) or (len(word) > 3 and word[-3] == "i")
    ):
        return word[:-2]
    return word[:-1]


def _without_past(word: str) -> str:
    if len(word) > 3 and word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    ending = (
        "ed"
        if len(word) > 2 and word.endswith("ed")
        else "ing"
        if len(word) > 3 and word.endswith("ing")
        else ""
    )
    if not ending or not _has_vowel(word[: -len(ending)]):
        return word
    word = word[: -len(ending)]
    if len(word) > 2 and word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 1 and word[-1] == word[-2] and word[-1] not in _VOWELS and word[-1] not in _NO_DOUBLES:
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _is_short(word) else word


def porter(word: str) -> str:
    """The stem of a word in small letters."""
    if not SHORTEST <= len(word) <= LONGEST:
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND, lambda stem, _: _measure(stem) > 0)
    word = _replaced(word, _THIRD, lambda stem, _: _measure(stem) > 0)
    word = _replaced(
        word, _FOURTH, lambda stem, ending: _measure(stem) > 1 and (ending != "ion" or stem[-1] in "st")
    )
    if word.endswith("e") and (
        (measure := _measure(word[:-1])) > 1 or (measure == 1 and not _is_short(word[:-1]))
    ):
        word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
