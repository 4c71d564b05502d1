"""Statements that touch a memory: whether what somebody says, and does not ask, names anything that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK, cjk_bigrams, cjk_runs
from simonides.language.sameness import Reading
from simonides.language.sameness import read as read_closely
from simonides.language.sentences import fold
from simonides.language.tables import as_written, worded
from simonides.language.words import FIRST_PERSON, HAN_LIGHT, PRONOUNS
from simonides.recall.question.speech import Act, act_of_turn
from simonides.values import dataclass

#: Says what somebody needs or is after, which whatever is known of them may serve: "I need a recipe."
_WISHES: Final = worded("touching", r"(?:^|.*[.!,;:…] *){wishing}|.*{han_wishing}", flags=re.DOTALL)
#: Somebody speaks of themselves.
_SPEAKER: Final = FIRST_PERSON.union(
    word for forms in PRONOUNS.values() for word, who in forms.items() if who in {"user", "we"}
)
_OWN: Final = later(rf"\b(?:{'|'.join(map(re.escape, sorted(_SPEAKER)))})\b|[我咱]")
_MOST_CHARS: Final = 600
#: A text that denies as much as another, holds more than so much of it, and few words besides, says the same again.
_REPEATS: Final = 0.6
_FEWER: Final = 2
#: Cosine from which on a statement is about what another one says, whatever its words.
_MEANS_NEARLY: Final = 0.65
_LETTER: Final = rf"[^\W\d_{CJK}]"
_NAME: Final = later(rf"(?<![\w'’]){_LETTER}{{2,}}(?:[-&]{_LETTER}+)*")
_POSSESSIVE: Final = later(r"['’]s\b")
_HAN: Final = later(f"[{CJK}]")
#: Signs between the end of a sentence and the next word, at most.
_BEFORE: Final = 8
_OPENING: Final = later(r"(?:^|[.!?…:;\n])[\s\"'“”«»„(¿¡*—–-]*$")


def only_states(message: str) -> bool:
    """True of a message that states something, and neither asks, doubts nor orders, nor says what is wanted.

    Never of one of more than 600 characters: somebody who says that much may want anything.
    """
    if len(message) > _MOST_CHARS or "?" in message or "？" in message:
        return False
    return act_of_turn(message) is Act.STATES and _WISHES.match(fold(message)) is None


def speaks_of_oneself(message: str) -> bool:
    """True where somebody says something of themselves: "I'm making a lasagne tonight." may need what memory knows."""
    return _OWN.search(fold(message)) is not None


def touches(statement: str, told: Iterable[tuple[str, float]]) -> bool:
    """True if any of these texts tells of somebody or something that a statement names.

    They share a name, or a word that says more than what everybody says every day ("again", "tomorrow", "need"), or
    mean nearly the same. A text that only says the same again is no telling: of "I'm so tired today." it adds nothing
    to know that it was said before. Linear.

    Args:
        told: Texts, each with its cosine to the statement; 0 where that is not known.
    """
    said = _Said(_reading(statement), _names(statement), _pairs(statement))
    return any(said.is_told_of(content, cosine) for content, cosine in told)


def qualifies(statement: str, before: str) -> bool:
    """True if a statement names something right behind a question of its speaker: it says more of what was asked.

    "What can I cook tonight?" and "It's too warm for soup." are one question; "As always then." asks no more.
    """
    asks = "?" in before or "？" in before or act_of_turn(before) is Act.ASKS
    return asks and bool(_reading(statement).content - _everyday())


@dataclass(frozen=True, slots=True)
class _Names:
    """Capitalised words of a text: those that begin a sentence, and those that stand within one."""

    opening: frozenset[str]
    within: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement as it is compared with texts: its words, its names and its pairs of CJK characters."""

    reading: Reading
    names: _Names
    pairs: frozenset[str]

    def is_told_of(self, content: str, cosine: float) -> bool:
        """True if a text tells of something that is named here."""
        mine, theirs = self.reading, _reading(content)
        shared = mine.content & theirs.content
        besides = theirs.content - shared
        if (
            len(shared) > _REPEATS * len(mine.content)
            and _FEWER * len(besides) <= len(shared)
            and mine.turns == theirs.turns
        ):
            return False
        if cosine >= _MEANS_NEARLY and (mine.numbers or mine.content - _everyday()):
            return True
        # What begins a sentence may be a name: it is where it is written so within another.
        told = _names(content)
        if self.names.within & (told.within | told.opening) or self.names.opening & told.within:
            return True
        return bool(self.pairs & _pairs(content)) or any(not _HAN.match(key) for key in shared - _everyday())


@kept(8192)
def _reading(text: str) -> Reading:
    return read_closely(text)


@kept(2048)
def _names(text: str) -> _Names:
    plain = _POSSESSIVE.sub("", text)
    opening: set[str] = set()
    within: set[str] = set()
    for match in _NAME.finditer(plain):
        word = match[0]
        if word[0].isupper() and (folded := fold(word)) not in _everyday_words():
            (
                opening if _OPENING.search(plain, max(0, match.start() - _BEFORE), match.start()) else within
            ).add(folded)
    return _Names(frozenset(opening - within), frozenset(within))


@kept(2048)
def _pairs(text: str) -> frozenset[str]:
    """Pairs of CJK characters neither of which is a small word."""
    pairs = (pair for run in cjk_runs(text) for pair in cjk_bigrams(run))
    everyday = _everyday_words()
    return frozenset(
        pair for pair in pairs if len(pair) > 1 and HAN_LIGHT.isdisjoint(pair) and pair not in everyday
    )


@cache
def _everyday_words() -> frozenset[str]:
    return frozenset(map(fold, as_written("everyday", among="touching")))


@cache
def _everyday() -> frozenset[str]:
    """Keys of words that everybody says every day, as a close reading has them."""
    spoken = as_written("idle", among="acts") | as_written("idle_beside", among="acts")
    words = spoken | as_written("everyday", among="touching") | as_written("telling")
    return frozenset[str]().union(*(_reading(word).content for word in words))
