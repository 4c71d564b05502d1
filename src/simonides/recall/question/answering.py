"""What somebody says who asked and was not answered: the answer that they found themselves, or something else. Pure."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Final

from simonides.domain.kept import kept
from simonides.language.guess import language_of
from simonides.language.names import names_in
from simonides.language.search_tokens import tokens_of
from simonides.language.sentences import fold
from simonides.language.tables import worded, words
from simonides.language.terms import terms
from simonides.language.value import ValueKind
from simonides.language.values import tells_value
from simonides.recall.question.analysis import Analysis
from simonides.recall.question.asks import Expects
from simonides.recall.question.speech import stated

_worded: Final = partial(worded, "acts", flags=0)
#: Gives the question up: what follows is about something else, more often than not.
_GIVES_UP: Final = _worded(r"\W*(?:{gives_up})(?!\w)|\W*(?:{han_gives_up})")
#: Speaks of what was asked for without naming it: "it is in the drawer".
_POINTS_BACK: Final = _worded(r"(?<!\w)(?:{points_back})(?!\w)|{han_points_back}")
_FIRST_WORD: Final = re.compile(r"\w+")
_WITH_NAMES: Final = {Expects.PERSON, Expects.PLACE}
#: Cosines with the question from which on something may be about it: where a name would do, and else.
_NEAR: Final = 0.1
_NOT_FAR: Final = 0.05


def may_answer(asked: Analysis, said: str, cosine: float | None) -> bool:
    """True if what a user says after their question found no answer may be the answer.

    What shares a word with the question may be it, and what speaks of something without naming it. Else it is none
    where the question was given up first ("Thanks anyway. I bought a bike."), where a time or a number is asked for and
    none is told, and where the user tells of themselves what is not near to what was asked. In doubt it is.

    Args:
        asked: The question.
        cosine: Of the two; None where there are no vectors that know their language.
    """
    text = " ".join(stated(said)) or said
    held = {token for term in terms(text) for token in tokens_of(term)}
    if any(token in held for term in asked.content_terms for token in tokens_of(term)):
        return True
    folded = fold(text)
    gives_up = _GIVES_UP.match(fold(said)) is not None
    if _POINTS_BACK.search(folded) and not (gives_up and _of_themselves(folded)):
        return True
    if gives_up:
        return False
    if asked.values - {ValueKind.NAME} or asked.expects is Expects.TIME:
        return tells_value(text, asked.values)
    if cosine is None or not _of_themselves(folded):
        return True
    if asked.expects in _WITH_NAMES:
        return cosine >= _NEAR or bool(names_told(text))
    return cosine >= _NOT_FAR


@kept(4096)
def names_told(text: str) -> frozenset[str]:
    """Names that a text mentions, folded; none in German, where every noun looks like one."""
    if language_of(text) == "de":
        return frozenset()
    return frozenset(fold(name.text) for name in names_in(text) if not name.known_only)


def _of_themselves(folded: str) -> bool:
    """True if a text begins with the user as its subject."""
    first = _FIRST_WORD.match(folded)
    return folded.startswith("我") or (first is not None and first[0] in _speakers())


@cache
def _speakers() -> frozenset[str]:
    return words("user", among="pronouns") | words("we", among="pronouns")
