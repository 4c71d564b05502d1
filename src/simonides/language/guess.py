"""The language of a text, guessed from its script and its small words. It says nothing rather than something wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import as_written, han, languages
from simonides.language.tokens import folded

#: Characters of a text that are read.
MAX_CHARS: Final = 400
#: A word, with an apostrophe that stands inside: "j'ai" is two, `j'` and `ai`.
_WORD: Final = later(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?")
_HAN: Final = later("[\u3400-\u4dbf\u4e00-\u9fff]")
_OTHER_CJK: Final = later(f"(?![\u3400-\u4dbf\u4e00-\u9fff])[{CJK}]")
#: Letters of other languages with this script.
_NOT_RUSSIAN: Final = later("[іїєґўјљњћђѓќѕџ]")
#: Signs of code and of addresses; a text with two of them for three words is in no language.
_CODE: Final = later(r"[{}()\[\]=<>_\\|`$#@/*+]|;$|::|\.(?=\w)")
#: Small words of languages that have no file: what is written in these is in none of those that have one.
_ELSEWHERE: Final = """
não um uma você vocês em dos da das com são está isso ao na nos pela pelo meu minha eu ele ela mais muito também sem
il che di è sono gli della delle dei degli nel nella con non mi ho hai abbiamo questo questa anche più io lui mia vivo
het een ik niet van voor zijn heb heeft hebben mijn jij wij maar ook naar bij deze dat wat geen
jest nie się że jak ale są mam och att det som jag är på av inte för har med ikke af og jeg
"""
_LAST_LATIN: Final = "\u024f"
#: Points of a word that one language has, and of one that several have.
_OWN: Final = 2
_SHARED: Final = 1
#: Points that make a guess, and how many times another language's they are, of what only one of the two has.
_LEAST: Final = 2
_LEAD: Final = 2
#: A run of so many Han characters is a sentence; a shorter one may be a name.
_LONGEST_HAN_NAME: Final = 4


def language_of(text: str) -> str | None:
    """Guess the language of a text by its first 400 characters, in some ten microseconds.

    Returns:
        Code of a language that has a file in `data/` ("en", "de"), or None where nothing tells: names, numbers, code,
        a text in two languages, or in one that has no file.
    """
    text = text[:MAX_CHARS]
    words = _WORD.findall(text)
    if not text.isascii():
        if signs := len(_HAN.findall(text)):
            if len(_OTHER_CJK.findall(text)) * _LONGEST_HAN_NAME >= signs:
                return None
            if signs >= sum(word.isascii() for word in words):
                return "zh" if signs > _LONGEST_HAN_NAME or not small_han().isdisjoint(text) else None
        cyrillic = [word for word in words if "\u0400" <= word[0] <= "\u04ff"]
        if cyrillic and 2 * len(cyrillic) >= len(words):
            lower = any(word.islower() for word in cyrillic)
            return "ru" if lower and not _NOT_RUSSIAN.search(text.casefold()) else None
    return _latin(text, words) or None


def in_doubt(text: str) -> bool:
    """True if a text with Latin letters may be in any language that has them: keywords, names, code."""
    text = text[:MAX_CHARS]
    words = _WORD.findall(text)
    return bool(words) and max(text) <= _LAST_LATIN and _latin(text, words) is None


def is_foreign(text: str) -> bool:
    """True if a text is surely not in English: in another language that has a file, or in other letters than Latin."""
    guess = language_of(text)
    if guess is not None:
        return guess != "en"
    letters = [sign for sign in text[:MAX_CHARS] if sign.isalpha()]
    return 2 * sum(sign > _LAST_LATIN for sign in letters) > len(letters)


def _latin(text: str, words: list[str]) -> str | None:
    """The guess for a text with Latin letters; "" for a language that has no file, None where nothing tells."""
    if 3 * len(_CODE.findall(text)) >= 2 * len(words):
        return None
    points = _points(words)
    if not text.isascii():
        letters = _letters()
        points += [letters[sign] for sign in set(text) if sign in letters]
    total: dict[str, int] = {}
    for votes in points:
        for code, worth in votes.items():
            total[code] = total.get(code, 0) + worth
    best = max(total, key=total.__getitem__, default=None)
    if best is None or total.pop(best) < _LEAST:
        return None
    for other in total:  # What both have tells nothing.
        mine = theirs = 0
        for votes in points:
            if other not in votes:
                mine += votes.get(best, 0)
            elif best not in votes:
                theirs += votes[other]
        if mine == 0 or mine < _LEAD * theirs:
            return None
    return best


def _points(words: list[str]) -> list[Mapping[str, int]]:
    """Points that each small word of a text gives to languages."""
    chosen: list[Mapping[str, int]] = []
    votes = _votes()
    last = len(words) - 1
    for place, word in enumerate(words):
        if (points := votes.get(word.casefold())) is None:
            continue
        # "Los Angeles" and "Die Hard" are names; the first word of a sentence has a capital as well.
        named = word[0].isupper() and word[0] != "I" and (place or place == last or words[1][0].isupper())
        chosen.append(dict.fromkeys(points, _SHARED) if named else points)
    return chosen


@cache
def _votes() -> Mapping[str, Mapping[str, int]]:
    """Points of each small word for languages, as written and without accents; `""` has no file."""
    votes: dict[str, dict[str, int]] = {}
    for code in ("", *languages()):
        for word in as_written("question_stop_beside", of=code) if code else ():
            votes.setdefault(word, {})[code] = _SHARED
        own = (
            as_written("question_stop", of=code) | as_written("telling", of=code)
            if code
            else _ELSEWHERE.split()
        )
        for word in own:
            votes.setdefault(word, {})[code] = _OWN
    votes |= {folded(word): codes for word, codes in votes.items() if folded(word) not in votes}
    return {
        written: codes if len(codes) == 1 else dict.fromkeys(codes, _SHARED)
        for word, codes in votes.items()
        for written in {word, word.replace("'", "’")}
    }


@cache
def _letters() -> Mapping[str, Mapping[str, int]]:
    """Points of each letter or mark that only one of the languages writes."""
    return {sign: {code: _SHARED} for code in languages() for sign in as_written("letters", of=code)}


@cache
def small_han() -> frozenset[str]:
    """Signs of the small words of Chinese, which tell nothing of what a text is about."""
    return frozenset(sign for words in han("question_stop").split() for sign in words)
