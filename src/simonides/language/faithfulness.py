"""Faithfulness of what a model wrote to its sources: it says what they say, and no more. Pure; in doubt, it is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.code_signs import signs_of_code
from simonides.language.contradiction import differences
from simonides.language.quantities import NUMERALS
from simonides.language.tables import as_written, languages
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import STOP

#: Share of the words of a merged item that its sources hold, and of the words that they agree in that it holds.
_KNOWN: Final = 0.6
_KEPT: Final = 0.8
_EXACT: Final = frozenset({Shape.NUMBER, Shape.DATE, Shape.CLOCK, Shape.IDENTIFIER})
_SCRIPTS: Final[Mapping[str, re.Pattern[str]]] = {
    "Han, kana or Hangul": re.compile(f"[{CJK}]"),
    "Cyrillic": re.compile(r"[\u0400-\u052f]"),
    "Latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
}
#: Letters of a word of Latin or Cyrillic that weigh as much as one character that is a word by itself.
_LETTERS_A_WORD: Final = 4
#: Words that occur in nearly every sentence of a language and in few of another.
_LANGUAGES: Final[Mapping[str, frozenset[str]]] = {
    code: common for code in languages() if (common := as_written("everywhere", of=code))
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAST_HITS: Final = 2


def unfaithful(text: str, sources: Sequence[str], most_chars: int) -> str | None:
    """Fault of a text that a model made of others, in words that quote nothing; None if there is none.

    It may be blank, too long, in a language that no source is in, or hold a number or name that no source holds.
    """
    if not text.strip():
        return "it is blank"
    if len(text) > most_chars:
        return f"it is longer than {most_chars} characters"
    if in_another_language(text, sources):
        return "it is in another language"
    if added := unsaid(text, sources):
        return f"it has {len(added)} numbers or names that no source has"
    return None


def left_out(text: str, sources: Sequence[str]) -> int:
    """Number of the sources' numbers and names that a text does not hold."""
    return sum(len(unsaid(source, [text])) for source in sources)


def in_another_language(text: str, sources: Sequence[str]) -> bool:
    """True if a text is in another script than its sources, or in a language of which they have no word."""
    source = " ".join(sources)
    if _script(text) != _script(source):
        return True
    hits, known = _hits(_WORD.findall(text)), _hits(_WORD.findall(source))
    language = max(hits, key=lambda code: (hits[code], known[code]))
    return hits[language] >= _LEAST_HITS and known[language] == 0 and any(known.values())


def _script(text: str) -> str:
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    counts["Han, kana or Hangul"] *= _LETTERS_A_WORD
    return max(counts, key=lambda name: counts[name])


def _hits(words: Iterable[str]) -> dict[str, int]:
    folded = [word.casefold() for word in words]
    return {code: sum(word in common for word in folded) for code, common in _LANGUAGES.items()}


#: What any fact may say of who spoke, and words that begin sentences and are no names.
_GIVEN: Final = as_written("opening")
_TOKEN: Final = later(rf"[^\W_{CJK}]+(?:['’.,:/-][^\W_{CJK}]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
#: Letters that a word at the beginning of a sentence shares at least with one that was said, if it is no name.
_STEM: Final = 3
_SPELLED: Final = {word: str(int(value)) for word, value in NUMERALS.items()}


def unsaid(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Numbers and names of a text that none of its sources holds, in their order.

    A name is a word with a capital letter; one that begins a sentence counts as one only where no word of
    the sources begins like it. Numbers are compared by their digits ("1,200" is 1200, "three" is 3).
    """
    source = " ".join(sources)
    words = {word.casefold().removesuffix("'s").removesuffix("’s") for word in _TOKEN.findall(source)}
    words |= {part for word in words for part in re.split(r"['’.,:/-]", word)}
    numbers = {_digits(number) for number in _NUMBER.findall(source)} | {
        _SPELLED[word] for word in words if word in _SPELLED
    }
    return tuple(_missing(text, words, numbers))


def _missing(text: str, words: set[str], numbers: set[str]) -> Iterator[str]:
    beginnings = {word[:_STEM] for word in words}
    opens = True
    end = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        opens = opens or any(sign in text[end : token.start()] for sign in ".!?…")
        end = token.end()
        plain = word.casefold().removesuffix("'s").removesuffix("’s")
        if (number := _NUMBER.search(word)) is not None:
            if _digits(number[0]) not in numbers:
                yield word
        elif any(letter.isupper() for letter in word) and plain not in words and plain not in _GIVEN:
            parts = re.split(r"['’.,:/-]", plain)
            known = _SPELLED.get(plain) in numbers or (opens and plain[:_STEM] in beginnings)
            if not known and not all(part in words for part in parts):
                yield word
        opens = False


def _digits(number: str) -> str:
    return re.sub(r"[.,:]", "", number).lstrip("0") or "0"


def unfaithful_merge(title: str, content: str, sources: Sequence[tuple[str, str]]) -> str | None:
    """Reason why words may not stand for the notes that they are to replace; None if they may.

    They may not be longer than the sources together, leave out or add a number, a date, a name, an identifier or a
    denial, leave out what the sources agree in, or be other words, such as those of another language.

    Args:
        title: Of the words; may be empty.
        content: The words themselves.
        sources: Title and content of each note.

    Returns:
        The reason; it quotes nothing of them.
    """
    if len(content) > sum(len(one) for _, one in sources):
        return "it is longer than the notes together"
    known = [tokens("\n".join(source)) for source in sources]
    written = tokens(f"{title}\n{content}")
    if invented := _exact(written) - {word for text in known for word in _exact(text)}:
        return f"it has {len(invented)} numbers or identifiers that no note has"
    if {word for text in known for word in _exact(text)} - _exact(written):
        return "it leaves out a number or an identifier"
    if _names(written) - {word for text in known for word in _words(text)}:
        return "it has a name that no note has"
    if {word for text in known for word in _names(text)} - _words(written):
        return "it leaves out a name"
    signs = signs_of_code(content)
    if any(signs_of_code(one) != signs or differences(one, content) for _, one in sources):
        return "it says something else than a note says"
    return _missed(_words(written), [_words(text) for text in known])


def _missed(written: frozenset[str], known: Sequence[frozenset[str]]) -> str | None:
    every = frozenset[str]().union(*known)
    agreed = frozenset(word for word in every if all(word in words for words in known))
    if not written or len(written & every) < _KNOWN * len(written):
        return "its words are not those of the notes; it may be in another language"
    if len(agreed & written) < _KEPT * len(agreed):
        return "it leaves out what the notes agree in"
    return None


def _exact(text: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.fold for token in text if token.shape in _EXACT)


def _words(text: Sequence[Token]) -> frozenset[str]:
    return frozenset(
        token.stem for token in text if token.shape in {Shape.WORD, Shape.HAN} and token.fold not in STOP
    )


def _names(text: Sequence[Token]) -> frozenset[str]:
    """Stems of capitalised words; a word that begins a text is taken for one, too."""
    return frozenset(
        token.stem for token in text if token.shape is Shape.WORD and token.capital and token.fold not in STOP
    )
