"""Tokens of texts as text search sees them, in whichever store. Pure, and the same for every way to write a text.

A store that holds the tokens of a text finds it by each of them; two stores that hold these count alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, cast

from simonides.domain.kept import Kept
from simonides.domain.pattern import later
from simonides.language.porter import porter
from simonides.language.tokens import stemmed

#: Raised with every change of what a text's tokens are: an index of another version has to be made anew.
VERSION: Final = 1
#: Letters of a token, at most: a longer one is no word, and a store bounds what it holds.
_LONGEST: Final = 128
#: Stems that are remembered.
_MOST_KNOWN: Final = 65_536

#: Marks that belong to the letter before them.
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc"
    "\u09be-\u09cd\u09d7\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc\u0abe-\u0acd\u0b01-\u0b03\u0b3c"
    "\u0b3e-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc\u0cbe-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
    "\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
)
#: Scripts without spaces, but for those whose pairs stand beside the text (`domain.text.derived_tokens`).
UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
#: Signs that make another word of one: C++, C#, .NET, R&D; what has to stand before and behind them. Each way begins
#: with one letter, so that all else is passed over at once.
_SIGN: Final = later(r"\+\+|#|&|\.(?<![^ (]\.)")
_NAME_BEFORE: Final = later(r"(?<!\w)[^\W\d_]\w{0,30}\Z")
_SHORT_BEFORE: Final = later(r"(?<![\w&])[^\W\d_]{1,2}\Z")
_SHORT_BEHIND: Final = later(r"[^\W\d_]{1,2}(?![\w&])")
_NAME_BEHIND: Final = later(r"[^\W\d_]\w{1,30}(?![\w.])")
_LONGEST_NAME: Final = 40
#: Blanks for all of ASCII but letters and digits: to cut there is faster than to look for words.
_BLANKED: Final = bytes(code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256))
_WORD: Final = later(r"[^\W_]+")
_MARKED_WORD: Final = later(rf"[^\W_](?:[^\W_]|[{MARKS}])*")
_LETTER: Final = later(rf"[^\W_][{MARKS}]*")
_ONE_UNSPACED: Final = later(f"[{UNSPACED}]")
_MARKED_OR_UNSPACED: Final = later(f"[{MARKS}{UNSPACED}]")
#: Letters that no decomposition takes apart; Arabic ones that are written one for another.
_SAME: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ё": "е",
     "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ـ": None}
)  # fmt: skip
#: Letters that are others without their marks, from and to: of Cyrillic, of scripts in which vowels are marks. They
#: are compared, not matched: to compile a class of tens of thousands of letters takes milliseconds.
_MARKED: Final = (("\u0400", "\u0482"), ("\u048a", "\u04ff"), ("\u0900", "\u1cff"))
#: From here on ideographs, kana and Hangul: words of these alone are long runs, of which each letter is what it is.
_ALL_MARKED: Final = "\u2e80"
#: Full-width signs.
_WIDE: Final = later("[\uff01-\uff5e]")
_CYRILLIC: Final = ("\u0400", "\u04ff")


def search_tokens(texts: Iterable[str]) -> list[list[str]]:
    """The tokens of each text, in its order, each in the form that it shares with other forms of the word."""
    return [tokens_of(text) for text in texts]


def tokens_of(text: str) -> list[str]:
    """The tokens of a text. Cost: some microseconds for a turn of a chat."""
    plain = text.isascii()
    small = text.lower() if plain else _composed(_composed(text).casefold())
    if _may_have_signs(small):
        return _with_signs(small)
    if not plain:
        return _cut(small)
    return list(map(_stems.__getitem__, small.encode().translate(_BLANKED).decode().split()))


def _may_have_signs(small: str) -> bool:
    # Single letters are found several times as fast as two: those that most texts lack are looked for first.
    return (
        "#" in small
        or "&" in small
        or ("+" in small and "++" in small)
        or ("(" in small and "(." in small)
        or ("." in small and (" ." in small or small[0] == "."))
    )


def _composed(text: str) -> str:
    if unicodedata.is_normalized("NFKC", text):
        return text
    # A text with one full-width sign is composed letter by letter, which takes long; without it, it stands mostly.
    return unicodedata.normalize("NFKC", _WIDE.sub(_narrow, text))


def _narrow(wide: re.Match[str]) -> str:
    return chr(ord(wide[0]) - 0xFEE0)


def _with_signs(small: str) -> list[str]:
    """The tokens of a text with signs. A letter with a sign is one token; a longer word is one without it, too."""
    parts: list[str] = []
    done = 0
    for match in _SIGN.finditer(small):
        start, end = _signed(small, match.start(), match.end(), done)
        if start == end:
            continue
        word = small[start:end]
        bare = word.strip("+#.")
        parts += _cut(small[done:start])
        if "&" not in word and len(bare) > 1:
            parts += _cut(bare)
        parts.append(_folded(word))
        done = end
    return parts + _cut(small[done:])


def _signed(small: str, start: int, end: int, done: int) -> tuple[int, int]:
    """Place of the word that a sign belongs to; an empty one where it belongs to none."""
    sign, following = small[start], small[end : end + 1]
    if sign == ".":
        behind = _NAME_BEHIND.match(small, end)
        return (start, behind.end()) if behind else (start, start)
    before = small[max(done, start - _LONGEST_NAME) : start]
    if sign == "&":
        short, behind = _SHORT_BEFORE.search(before), _SHORT_BEHIND.match(small, end)
        return (start - len(short[0]), behind.end()) if short and behind else (start, start)
    if following.isalnum() or following in ("_", "+", "#"):
        return start, start
    name = _NAME_BEFORE.search(before)
    return (start - len(name[0]), end) if name else (start, start)


def _cut(small: str) -> list[str]:
    # Marks are few, and looking for them at each letter is slow.
    if small.isascii() or not _MARKED_OR_UNSPACED.search(small):
        return _spaced(small)
    return [
        token
        for word in _MARKED_WORD.findall(small)
        for token in (letter_pairs(word) if _ONE_UNSPACED.search(word) else [_stems[word]])
    ]


def _spaced(small: str) -> list[str]:
    """The tokens of a text without marks, and of no script without spaces but those whose pairs stand beside it."""
    # Words and pairs of ideographs stand between signs of ASCII mostly: to cut there and to look up what is known is
    # several times as fast. Half of a surrogate pair, which no other encoding takes, stays as it is.
    written = small.encode("utf-8", "surrogatepass").translate(_BLANKED)
    parts = written.decode("utf-8", "surrogatepass").split()
    known = list(map(_stems.get, parts))
    if None not in known:
        return cast("list[str]", known)
    tokens: list[str] = []
    for part, token in zip(parts, known, strict=True):
        if token is not None:
            tokens.append(token)
        elif part.isalnum():
            tokens.append(_stems[part])
        else:
            tokens += map(_stems.__getitem__, _WORD.findall(part))
    return tokens


def letter_pairs(run: str) -> list[str]:
    """Overlapping pairs of letters, with their marks, of a run without spaces; a lone one by itself."""
    letters = _LETTER.findall(run)
    return [one + other for one, other in pairwise(letters)] or letters


def _stem(word: str) -> str:
    word = word[:_LONGEST]
    if not word.isascii():
        if min(word) >= _ALL_MARKED:
            return word
        word = _folded(word) or word
        if _CYRILLIC[0] <= word[0] <= _CYRILLIC[1]:
            return stemmed(word)
    return porter(word)


#: Tokens by words in small letters.
_stems: Final = Kept(_stem, _MOST_KNOWN, None)


def _folded(word: str) -> str:
    """A word in small letters without marks; й, and signs of `_MARKED` scripts keep theirs."""
    if word.isascii():
        return word
    if min(word) >= _ALL_MARKED:
        return word
    word = word.translate(_SAME)
    return "".join(letter if _is_marked(letter) else _bare(letter) for letter in word)


def _is_marked(letter: str) -> bool:
    return letter >= _ALL_MARKED or any(first <= letter <= last for first, last in _MARKED)


def _bare(letter: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
