"""Sentences that tell a tale: of a third person, in the past. What such sentences stand around is said in the tale.

English, French, Russian and Chinese; by the subject at the beginning and the form of the verb behind it. Linear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import han, phrases, table, words
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import is_past_form

#: Of a sentence that is read: its subject and verb stand at its beginning.
_HEAD: Final = 120
#: Words of a subject with an article: "the tall old man".
_LONGEST_SUBJECT: Final = 4
_THEN: Final = words("tale_then")
#: Third persons, and a company that somebody tells of.
_THEY: Final = words("third")
_ARTICLES: Final = words("tale_articles")
_WE_ALL: Final = frozenset(phrases("we_all"))
#: A sentence with one of these is of whoever speaks, or speaks to somebody.
_TALKS: Final = words("talks")
_FRENCH_PAST: Final = re.compile(table("fr", "words")["past_form"])
_FRENCH: Final = words("third", of="fr") | words("tale_articles", of="fr")
_HAN: Final = later(f"[{CJK}]")
_HAN_TELLS: Final = later(han("tale"))
_NO_PAST_BEHIND: Final = words("no_past_behind")


def narrates(sentence: str) -> bool:
    """True if a sentence tells what a third person, or a company, did."""
    head = sentence[:_HEAD].strip(" .!…。！\n\"'“”«»")
    if _HAN.search(head):
        return _HAN_TELLS.match(head) is not None
    spoken = [token for token in tokens(head) if token.shape is Shape.WORD]
    while spoken and spoken[0].fold in _THEN:
        spoken = spoken[1:]
    if len(spoken) < 2 or {word.fold for word in spoken} & _TALKS:
        return False
    return any(_past(spoken, place) for place in _behind_the_subject(spoken))


def _behind_the_subject(spoken: Sequence[Token]) -> range:
    """Places at which the verb may stand."""
    first, second = spoken[0], spoken[1]
    if (first.fold, second.fold) in _WE_ALL:
        return range(2, min(4, len(spoken)))
    if first.fold in _THEY:
        return range(1, min(4, len(spoken)))
    if first.fold in _ARTICLES:
        return range(2, min(2 + _LONGEST_SUBJECT, len(spoken)))
    # A name, or a Russian noun.
    return range(1, min(3, len(spoken))) if first.capital and not is_past_form(first) else range(0)


def _past(spoken: Sequence[Token], place: int) -> bool:
    word, before = spoken[place], spoken[place - 1].fold
    if before in _NO_PAST_BEHIND:
        return False
    if is_past_form(word):
        return True
    french = spoken[0].fold in _FRENCH
    return french and _FRENCH_PAST.fullmatch(word.fold) is not None
