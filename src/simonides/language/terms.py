"""The words of a question that are worth looking for."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from simonides.domain.text import CJK, cjk_bigrams
from simonides.language.tables import as_written, han

#: Characters of a long message that are looked for, most informative terms first.
MAX_CHARS: Final = 200
_URL = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+")
#: A run of CJK, or a word: letters, digits and what holds identifiers and contractions together.
_WORD = re.compile(rf"[{CJK}]+|(?<!\w)[A-Za-z](?:\+\+|#)|(?:(?![{CJK}])\w)+(?:['’](?:(?![{CJK}])\w)+)?")
_IDENTIFIER = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w+_\w+|[A-Z][A-Z0-9]+|\w*\d\w*")

#: Function words only: what carries no topic in a question. As written, without case.
ENGLISH_STOP_WORDS: Final = as_written("question_stop", of="en")
FRENCH_STOP_WORDS: Final = as_written("question_stop", of="fr")
STOP_WORDS: Final = as_written("question_stop")
CJK_STOP_WORDS: Final = frozenset[str](han("question_stop").split())


@lru_cache(maxsize=64)
def terms(text: str) -> tuple[str, ...]:
    """Terms for the text index, in the order of the text, none twice (compared without case).

    URLs go, hyphens and other punctuation separate, single characters go (CJK ones are kept where a
    run has no other), stop words go unless nothing else is left; identifiers are never stop words. Of
    a long message the most informative terms are kept, up to `MAX_CHARS` characters: identifiers and
    numbers first, then longer words.
    """
    found: dict[str, str] = {}
    cut = text[: 100 * MAX_CHARS]
    if not cut.isascii():  # Full-width letters are letters.
        cut = unicodedata.normalize("NFKC", cut)
    for word in _WORD.findall(_URL.sub(" ", cut)):
        for part in _parts(word):
            known = found.setdefault(part.casefold(), part)
            if known != part and _is_stop(known) and not _is_stop(part):
                found[part.casefold()] = part  # "does it work in IT?": the identifier counts.
    everything = tuple(found.values())
    chosen = tuple(term for term in everything if not _is_stop(term))
    return _informative(chosen or everything)


def is_topical(text: str) -> bool:
    """Whether any term of a question carries a topic: "what is it to you?" has none."""
    return any(not _is_stop(term) for term in terms(text))


def _parts(word: str) -> list[str]:
    if re.match(f"[{CJK}]", word):
        return cjk_bigrams(word)
    bare = word.replace("’", "'")
    if bare.casefold() in STOP_WORDS or bare[-1] in "+#":
        return [bare]
    head, _, tail = bare.partition("'")
    # "Anna's" is about Anna; "O'Brien" and "l'hôtel" have their weight behind the apostrophe.
    kept = [part for part in (head, tail) if len(part) > 1]
    return kept or ([bare] if len(bare) > 1 or bare.isdigit() else [])


def _is_stop(term: str) -> bool:
    if term.casefold() in STOP_WORDS:
        return not (_IDENTIFIER.fullmatch(term) and len(term) > 1 and term.upper() == term and term != "I")
    return term in CJK_STOP_WORDS


def _informative(found: tuple[str, ...]) -> tuple[str, ...]:
    if sum(len(term) + 1 for term in found) <= MAX_CHARS:
        return found
    ranked = sorted(
        range(len(found)),
        key=lambda n: (_IDENTIFIER.fullmatch(found[n]) is None, -min(len(found[n]), 12), n),
    )
    kept: set[int] = set()
    spent = 0
    for n in ranked:
        spent += len(found[n]) + 1
        if spent > MAX_CHARS and kept:
            break
        kept.add(n)
    return tuple(term for n, term in enumerate(found) if n in kept)
