"""Manner of a statement: of what time, how surely, of how many. Two that differ in it say different things.

English, Russian, French and Chinese; in doubt two texts differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from simonides.language.tokens import Shape, Token
from simonides.language.words import (
    ADVERBS,
    CHANGES,
    DEFINING,
    EVENTS,
    FRENCH_PERFECT,
    FUTURE,
    HAN_MANNERS,
    HAN_NO_MANNERS,
    MANNERS,
    PARTICIPLE_BEHIND,
    PAST_AUXILIARIES,
    PERFECT,
    PRESENT_COPULAS,
    PURSUED,
    WISHED,
    became,
    is_past_form,
)
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Manner:
    """Manner of a statement.

    Attributes:
        time: `past`, `future`, or nothing for what is so.
        marks: Other ways in which it is meant: `may`, `must`, `would`, `doubt`, `all`, `some`, `only`, `ended` …
    """

    time: str
    marks: frozenset[str]


def manner(words: Sequence[Token]) -> Manner:
    """Read the manner from the words of one statement."""
    han = HAN_NO_MANNERS.sub(" ", "".join(_written(token) for token in words))
    marks = {mark for token in words if (mark := _mark(token)) is not None}
    if "would" in marks and any(token.fold in WISHED for token in words):
        marks = marks - {"would"} | {"want"}
    marks |= {mark for sign, mark in HAN_MANNERS if sign in han}
    time = _time(words)
    for moment in ("future", "past"):
        if moment in marks:
            time = moment
    return Manner(time, frozenset(marks - {"past", "future"}))


def past_forms(words: Sequence[Token]) -> Mapping[str, frozenset[bool]]:
    """Each stem with whether it stands there in a form of the past, in another, or in both."""
    forms: dict[str, frozenset[bool]] = {}
    for token in words:
        if token.shape is Shape.WORD and not token.capital:
            forms[token.stem] = forms.get(token.stem, frozenset()) | {is_past_form(token)}
    return forms


def _written(token: Token) -> str:
    """Chinese as it stands there, a number as one, anything else as a gap."""
    return token.text if token.shape is Shape.HAN else "0" if token.shape is Shape.NUMBER else " "


def _mark(token: Token) -> str | None:
    if token.shape is not Shape.WORD or (token.fold == "may" and token.capital):
        return None
    if became(token):
        return None
    return MANNERS.get(token.fold)


def _time(words: Sequence[Token]) -> str:
    spoken = [token for token in words if token.shape is Shape.WORD]
    # What a definition says behind "means" is of no time.
    defined = next((place for place, token in enumerate(spoken) if place and token.fold in DEFINING), None)
    spoken = spoken[:defined]
    folds = [token.fold for token in spoken]
    if FUTURE & set(folds) or any(
        fold in PRESENT_COPULAS and folds[place + 1 : place + 3] == ["going", "to"]
        for place, fold in enumerate(folds)
    ):
        return "future"
    if any(f"{one} {other}" in PURSUED for one, other in pairwise(folds)):
        return "future"
    if EVENTS & set(folds):
        return ""  # Who moved it, or that it was moved, tells what holds from then on.
    if PAST_AUXILIARIES & set(folds):
        return "past"
    if any(
        _tells_of_the_past(spoken, place)
        for place, token in enumerate(spoken)
        if not token.capital
        or token is words[0]  # Behind Chinese a name stands first among the words: Memcached.
    ):
        return "past"
    return ""


def _tells_of_the_past(spoken: Sequence[Token], place: int) -> bool:
    """True if a form of the past is one: "has painted" is, "is painted" and "the painted fence" are none."""
    token = spoken[place]
    if not is_past_form(token) or token.fold in CHANGES:
        return False
    before = place - 1
    while before >= 0 and (spoken[before].fold in ADVERBS or spoken[before].fold.endswith("ly")):
        before -= 1
    if before < 0:
        return True
    auxiliary = spoken[before].fold
    if auxiliary in PERFECT or (auxiliary in FRENCH_PERFECT and token.text.casefold() != token.fold):
        return True
    return auxiliary not in PARTICIPLE_BEHIND
