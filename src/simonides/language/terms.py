"""The words of a question that are worth looking for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK, cjk_bigrams
from simonides.language.search_tokens import MARKS, UNSPACED, letter_pairs
from simonides.language.tables import as_written, han, languages

#: Characters of a long message that are looked for, most informative terms first.
MAX_CHARS: Final = 400
_URL = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+")
_IN_WORD: Final = rf"(?:(?![{CJK}])[\w{MARKS}])"
#: A word with a sign: C++, C#, .NET, R&D.
_SIGNED: Final = (
    r"\b[A-Za-z]\w*+(?:\+\+|#)(?![\w+#])|(?:(?<=[\s(])|^)\.[A-Za-z]\w+(?![\w.])"
    r"|(?<![\w&])[A-Za-z]{1,2}&[A-Za-z]{1,2}(?![\w&])"
)
#: A run of CJK, a word with a sign, or a word: letters, digits and what holds identifiers and contractions together.
_WORD = later(rf"[{CJK}]+|{_SIGNED}|(?![{MARKS}]){_IN_WORD}+(?:['’]{_IN_WORD}+)?")
#: The same in ASCII. To compile the other takes half as long as a search.
_PLAIN_WORD = later(rf"{_SIGNED}|\w+(?:'\w+)?")
_UNSPACED_RUN = later(f"[{UNSPACED}]")
_IDENTIFIER = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w+_\w+|[A-Z][A-Z0-9]+|\w*\d\w*")

#: Function words only: what carries no topic in a question. As written, without case.
ENGLISH_STOP_WORDS: Final = as_written("question_stop", of="en")
FRENCH_STOP_WORDS: Final = as_written("question_stop", of="fr")
STOP_WORDS: Final = as_written("question_stop")
_BESIDE: Final = "question_stop_beside"


def _of_it_alone(code: str) -> frozenset[str]:
    others = (as_written("question_stop", of=other) for other in languages() if other != code)
    return as_written("question_stop", of=code).difference(*others)


#: A language's own stop words, and words that are another language's as well ("die"): these carry no topic where a
#: text has several of the former.
_STOP_BESIDE: Final = tuple(
    (_of_it_alone(code), beside) for code in languages() if (beside := as_written(_BESIDE, of=code))
)
_LEAST_BESIDE: Final = 2
#: All stop words of each language, and those that no other one has.
_STOP_OF: Final = tuple((as_written("question_stop", of=code), _of_it_alone(code)) for code in languages())
CJK_STOP_WORDS: Final = frozenset[str](han("question_stop").split())


@kept(64, longest=None)
def terms(text: str) -> tuple[str, ...]:
    """Terms for the text index, in the order of the text, none twice (compared without case).

    URLs go, hyphens and other punctuation separate, single characters go (CJK ones are kept where a
    run has no other), stop words go unless nothing else is left; identifiers are never stop words. Of
    a long message the most informative terms are kept, up to `MAX_CHARS` characters: identifiers and
    numbers first, then longer words.
    """
    by_key: dict[str, str] = {}
    cut = text[: 100 * MAX_CHARS]
    if not cut.isascii():  # Full-width letters are letters.
        cut = unicodedata.normalize("NFKC", cut)
    for word in (_PLAIN_WORD if cut.isascii() else _WORD).findall(without_addresses(cut)):
        for part in _parts(word):
            known = by_key.setdefault(part.casefold(), part)
            if known != part and _is_stop(known) and not _is_stop(part):
                by_key[part.casefold()] = part  # "does it work in IT?": the identifier counts.
    everything = tuple(by_key.values())
    beside = _stop_beside(by_key.keys())
    named = _named_like_foreign_words(everything)
    chosen = tuple(
        term for key, term in by_key.items() if key in named or (not _is_stop(term) and key not in beside)
    )
    return _informative(chosen or everything)


def without_addresses(text: str) -> str:
    """The text with blanks in the place of addresses of the web; everything else stays where it is."""
    if "://" in text or "www." in text:
        return _URL.sub(lambda match: " " * len(match[0]), text)
    return text


def _stop_beside(folded: AbstractSet[str]) -> frozenset[str]:
    """Stop words of the languages that a text is in which may be words of another language."""
    groups = (beside for own, beside in _STOP_BESIDE if len(own & folded) >= _LEAST_BESIDE)
    return frozenset[str]().union(*groups)


def _named_like_foreign_words(words: Sequence[str]) -> frozenset[str]:
    """Stop words, folded, of languages that a text is not in, with a capital behind its first word: Ella."""
    capitals = {word.casefold() for word in words[1:] if word.istitle() and word.casefold() in STOP_WORDS}
    if not capitals:
        return frozenset()
    folded = {word.casefold() for word in words} - capitals
    own = [every for every, alone in _STOP_OF if not alone.isdisjoint(folded)]
    return frozenset(capitals).difference(*own) if own else frozenset()


def is_topical(text: str) -> bool:
    """True if any term of a question carries a topic: "what is it to you?" has none."""
    return any(not _is_stop(term) for term in terms(text))


def _parts(word: str) -> list[str]:
    if not word.isascii():
        if re.match(f"[{CJK}]", word):
            return cjk_bigrams(word)
        if _UNSPACED_RUN.match(word):
            return letter_pairs(word)
    bare = word.replace("’", "'")
    if bare.casefold() in STOP_WORDS or bare[-1] in "+#" or bare[0] == "." or "&" in bare:
        return [bare]
    head, _, tail = bare.partition("'")
    # "Anna's" is about Anna; "O'Brien" and "l'hôtel" have their weight behind the apostrophe.
    kept = [part for part in (head, tail) if len(part) > 1]
    return kept or ([bare] if len(bare) > 1 or bare.isdigit() else [])


def _is_stop(term: str) -> bool:
    if term.casefold() in STOP_WORDS:
        return not (_IDENTIFIER.fullmatch(term) and len(term) > 1 and term.upper() == term and term != "I")
    return term in CJK_STOP_WORDS


def _informative(terms: tuple[str, ...]) -> tuple[str, ...]:
    if sum(len(term) + 1 for term in terms) <= MAX_CHARS:
        return terms
    ranked = sorted(
        range(len(terms)),
        key=lambda n: (_IDENTIFIER.fullmatch(terms[n]) is None, -min(len(terms[n]), 12), n),
    )
    kept: set[int] = set()
    spent = 0
    for n in ranked:
        spent += len(terms[n]) + 1
        if spent > MAX_CHARS and kept:
            break
        kept.add(n)
    return tuple(term for n, term in enumerate(terms) if n in kept)
