"""Folded words of a sentence, and what of them only leads up to something or trails behind it: "no wait actually …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import worded
from simonides.language.tokens import Shape, Token

#: Of words that only lead up to something, or trail behind it; of a row of more nothing is known.
_MOST_AROUND: Final = 8
_LONGEST_CLAUSE: Final = 100
#: A blank between Chinese signs.
HAN_BLANK: Final = later(rf"(?<=[{CJK}]) (?=[{CJK}])")


def wording_of(words: Sequence[Token]) -> str:
    """Folded words between single blanks, Chinese ones without any."""
    folds = " ".join(word.fold for word in words if word.shape is not Shape.MARK)
    return HAN_BLANK.sub("", folds)


def clauses_between_marks(sentence: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the pieces of a sentence between its marks."""
    piece: list[Token] = []
    for token in sentence:
        if token.shape is not Shape.MARK:
            piece.append(token)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def led_up(wording: str) -> list[str]:
    """A wording with less and less of the words that only lead up to something: "no wait actually …"."""
    wordings = [wording]
    while wording and len(wordings) <= _MOST_AROUND and (lead := _LEAD.match(wording)):
        wording = wording[lead.end() :]
        wordings.append(wording)
    return wordings


def trailed(wording: str) -> Iterator[str]:
    """Yield a wording with less and less of the words that only trail behind something."""
    for _ in range(_MOST_AROUND):
        yield wording
        trail = _TRAIL.search(wording)
        if trail is None:
            return
        wording = wording[: trail.start()]


def without_particles(wording: str) -> str:
    """A wording without the words that make an order more polite, or more urgent."""
    return _PARTICLES.sub("", wording)


def only_leads(wording: str) -> bool:
    """True if a wording only leads up to something, or trails behind it."""
    return "" in led_up(without_particles(wording))


def is_of(pattern: re.Pattern[str], clause: Sequence[Token]) -> bool:
    """True if a clause is of a pattern, but for what stands around it."""
    whole = wording_of(clause)
    return len(whole) <= _LONGEST_CLAUSE and any(
        pattern.fullmatch(rest) for wording in led_up(whole) for rest in trailed(wording)
    )


#: A pattern with `{table}` for that table of `[taken_back]`, of all languages.
taking_back: Final = partial(worded, "taken_back", flags=0)
_LEAD: Final = taking_back(rf"{{around}}(?: |$|(?<=[{CJK}]))")
_TRAIL: Final = taking_back(rf"(?:^| |(?<=[{CJK}])){{around}}$")
_PARTICLES: Final = taking_back(r"(?<!\S){particle}(?: |$)|(?: {particle})+$")
