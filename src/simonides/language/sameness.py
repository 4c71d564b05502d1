"""Sameness of two short texts, by their words alone: in doubt, they do not say the same.

A repetition says everything that the other text says, in the same or in equal words, and nobody has changed places;
beyond that, one of the two may add a circumstance. Pure, linear, without a model. English, Russian, French and
Chinese; of other languages what their writing alone tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from simonides.language.clauses import opened
from simonides.language.code_signs import signs_of_code
from simonides.language.contradiction import differences
from simonides.language.decoration import other_links, plain_form, undecorated
from simonides.language.quantities import MONTHS, NUMERALS, WEEKDAYS
from simonides.language.synonyms import FILLERS, HAN_FILLERS, group_of
from simonides.language.tables import by_kind, words
from simonides.language.tokens import Shape, Token, folded, tokens
from simonides.language.words import (
    HAN_LIGHT,
    HAN_NEGATORS,
    HAN_PAST,
    HAN_PERSONS,
    HAN_UNSURE,
    JOINING,
    NEGATORS,
    PERSONS,
    PREPOSITIONS,
    QUESTION_MARKS,
    SENTENCE_ENDS,
    STOP,
    UNSURE,
)
from simonides.values import dataclass

#: Without these, or with others, a sentence says something else.
_TURNS: Final = NEGATORS | UNSURE | words("turning")
#: A text about what was and one about what is tell different things, even in the same words.
_TENSES: Final[Mapping[str, str]] = {
    **dict.fromkeys(words("was"), "past"),
    **dict.fromkeys(words("is"), "present"),
}
_PAST_AND_PRESENT: Final = frozenset({"past", "present"})
#: What stands for each other before a word that has a part in what is told.
_PLACES: Final = by_kind("places")
#: Where only one of two texts has one of these before a word, the word has another part in it.
_TELLING: Final = words("telling_apart")
#: Before a circumstance; one may stand anywhere in a sentence.
_CIRCUMSTANCES: Final = (_TELLING | PREPOSITIONS | words("circumstances")) - words("no_circumstances")
#: Before what is added to a sentence: more of the same, or why.
_CLAUSES: Final = words("adding_clauses")
_ADDS: Final = (_CIRCUMSTANCES | _CLAUSES) - _TELLING
_JOINING: Final = _CIRCUMSTANCES | _CLAUSES | words("joining_clauses")
#: Begin a circumstance of time: every night.
_TIMES: Final = words("each")
_ARTICLES: Final = words("articles")
_JOINTS: Final = SENTENCE_ENDS | frozenset([",", ":", "(", ")", "—", "–", "，", "：", "、", "（", "）"])
#: With fewer words in common than these, the small words count, too.
_FEW: Final = 3
_EXACT: Final = frozenset({Shape.NUMBER, Shape.DATE, Shape.CLOCK, Shape.IDENTIFIER})
_COUNTED: Final = frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(NUMERALS)
_OWNER: Final = re.compile(r"(\w{1,60})['’]s\b")


class Word(NamedTuple):
    """A word that tells something.

    Attributes:
        key: What it counts as: forms of a word, and words that say the same, have one.
        part: The preposition before it, if any; by it a word has its part in what is told.
        added: Whether a circumstance may begin with it.
        exact: Whether it is a number, a date, an identifier or a name: something one adds or leaves out knowingly.
        number: Whether it is a number or a date, which says nothing of what a text is about.
        written: As it is written, without case.
        segment: How many joints stand before it.
    """

    key: str
    part: str
    added: bool
    exact: bool
    number: bool
    written: str
    segment: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared.

    Attributes:
        words: In the order of the text.
        content: Keys of what it is about: words, names and identifiers; no numbers and dates.
        names: Keys of names and identifiers: whatever has a capital.
        numbers: Keys of numbers and dates.
        turns: Words that turn what is said: not, only, sometimes.
        persons: Who speaks of whom.
        tense: past, present, both or neither.
        every: All of its words but articles and fillers, sorted: what short texts are compared by.
        asks: Whether it holds a question.
        signs: Those that mean something as in code.
    """

    text: str
    words: tuple[Word, ...]
    content: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    turns: frozenset[str]
    persons: frozenset[str]
    tense: frozenset[str]
    every: tuple[str, ...]
    asks: bool
    signs: tuple[str, ...]


def read(text: str) -> Reading:
    """A text, read once for many comparisons. Cost: linear, bounded by `wording.MAX_CHARS`."""
    words: list[Word] = []
    turns: set[str] = set()
    persons: set[str] = set()
    tense: set[str] = set()
    owners = {folded(owner[1]) for owner in _OWNER.finditer(text)}
    cut = tokens(undecorated(text))
    cut = cut[opened(cut) :]
    part, added, segment = "", False, 0
    for token in cut:
        fold = token.fold if token.shape is Shape.WORD else ""
        segment += token.text in _JOINTS or fold in JOINING or fold in _CLAUSES
        if token.shape is Shape.MARK:
            if token.text in _JOINTS:
                part, added = "", bool(words)
        elif fold in _TURNS and not (fold == "may" and token.capital):
            turns.add(fold)
            part, added = "", False
        elif fold in PERSONS:
            persons.add(PERSONS[fold])
        elif fold in _TIMES:
            part, added = fold, False
        elif fold in _JOINING:
            part, added = fold if fold in _CIRCUMSTANCES else "", added or fold in _ADDS
        elif _says_nothing(token):
            if fold in _TENSES:
                tense.add(_TENSES[fold])
            if fold and fold not in _ARTICLES and fold not in FILLERS:
                part, added = "", False
        else:
            owns = not part and token.capital and fold in owners
            words.append(_word(token, "of" if owns else part, segment, added=added))
            part, added = "", False
    if any(token.shape is Shape.HAN for token in cut):
        turns |= {sign for sign in (*HAN_NEGATORS, *HAN_UNSURE, *HAN_PAST) if sign in text}
        persons |= {person for sign, person in HAN_PERSONS if sign in text}
    every = sorted(
        token.stem
        for token in cut
        if token.shape is not Shape.MARK and token.fold not in _ARTICLES and token.fold not in FILLERS
    )
    return Reading(
        text=text,
        words=tuple(words),
        content=frozenset(word.key for word in words if not word.number),
        names=frozenset(word.key for word in words if word.exact and not word.number),
        numbers=frozenset(word.key for word in words if word.number),
        turns=frozenset(turns),
        persons=frozenset(persons),
        tense=frozenset(tense),
        every=tuple(every),
        asks=any(token.text in QUESTION_MARKS for token in cut),
        signs=signs_of_code(text),
    )


def overlap(one: Reading, other: Reading) -> float:
    """Share of its content words that each has in common with the other, the lower of the two, in [0, 1]."""
    most = max(len(one.content), len(other.content))
    return len(one.content & other.content) / most if most else 0.0


def says_all(one: Reading, other: Reading) -> bool:
    """True if `one` says everything that `other` says, of two that say the same."""
    return not Counter(word.key for word in other.words) - Counter(word.key for word in one.words)


def same(one: Reading, other: Reading) -> bool:
    """True if two texts say the same, or one of them that and a circumstance. Symmetric."""
    if other_links(one.text, other.text) or one.signs != other.signs:
        return False
    if plain_form(one.text) == plain_form(other.text):
        return True
    if one.numbers != other.numbers or one.names - other.content or other.names - one.content:
        return False  # Nobody adds or leaves out a number or a name without meaning it.
    if one.asks != other.asks or one.turns != other.turns or one.tense ^ other.tense == _PAST_AND_PRESENT:
        return False
    if not (one.persons <= other.persons or other.persons <= one.persons):
        return False  # "My bike" and "her bike" are two bikes.
    shared = Counter(word.key for word in one.words) & Counter(word.key for word in other.words)
    first, left = _apart(one.words, shared)
    second, right = _apart(other.words, shared)
    if shared.total() < _FEW and one.every != other.every:
        return False
    if not shared or (left and right) or not (_only_adds(one.words, left) and _only_adds(other.words, right)):
        return False
    return (
        _same_parts(first, second) and not _exchanged(first, second) and not differences(one.text, other.text)
    )


def exchanged(one: Reading, other: Reading) -> bool:
    """True if two texts say of two things each what the other says of the other one.

    "Reads go to the replica, writes to the primary", "Reads go to the primary, writes to the replica": two words of one
    part, each in a part of its own of a sentence, have changed places around a word that stands between them in both.
    """
    shared = Counter(word.key for word in one.words) & Counter(word.key for word in other.words)
    return _exchanged(_apart(one.words, shared)[0], _apart(other.words, shared)[0])


def _exchanged(first: Sequence[Word], second: Sequence[Word]) -> bool:
    counts = Counter(word.key for word in first)
    mine = [word for word in first if counts[word.key] == 1]
    theirs = {word.key: (place, word) for place, word in enumerate(second) if counts[word.key] == 1}
    last: dict[str, int] = {}
    segments, other_segments = _segments(first), _segments(second)
    for at, word in enumerate(mine):
        kind = _PLACES.get(word.part, word.part) or ("exact" if word.exact else "")
        before = last.get(kind) if kind else None
        last[kind] = at
        if before is None or segments[mine[before].key] == segments[word.key]:
            continue
        (here, one), (there, other) = theirs[mine[before].key], theirs[word.key]
        if here < there or other_segments[one.key] == other_segments[other.key]:
            continue
        if _PLACES.get(one.part, one.part) == _PLACES.get(other.part, other.part) and any(
            there < theirs[between.key][0] < here for between in mine[before + 1 : at]
        ):
            return True
    return False


def _segments(words: Sequence[Word]) -> dict[str, int]:
    """The parts of sentences in which words stand; a circumstance that opens a sentence belongs to what follows."""
    opening = [word for word in words if word.segment == words[0].segment]
    opens = bool(opening[0].part) and not any(word.part for word in opening[1:]) if opening else False
    return {word.key: max(word.segment, words[0].segment + 1) if opens else word.segment for word in words}


def _says_nothing(token: Token) -> bool:
    if token.shape is Shape.HAN:
        return token.text in HAN_LIGHT or token.text in HAN_FILLERS
    return token.shape is Shape.WORD and (token.fold in STOP or token.fold in FILLERS)


def _word(token: Token, part: str, segment: int, *, added: bool) -> Word:
    number = token.shape in {Shape.NUMBER, Shape.DATE, Shape.CLOCK} or token.fold in _COUNTED
    exact = number or token.shape in _EXACT or (token.shape is Shape.WORD and token.capital)
    if token.shape is Shape.NUMBER:
        key = token.fold.removesuffix(".0")
    elif token.fold in NUMERALS:
        key = f"{NUMERALS[token.fold]:g}"
    else:
        key = group_of(token.stem) if token.shape is Shape.WORD else token.stem
    return Word(key, part, added, exact, number, token.fold, segment)


def _apart(words: Sequence[Word], shared: Mapping[str, int]) -> tuple[list[Word], list[int]]:
    """The words that the other text has, too, in order; and the places of the others."""
    left = dict(shared)
    common: list[Word] = []
    rest: list[int] = []
    for place, word in enumerate(words):
        if left.get(word.key, 0):
            left[word.key] -= 1
            common.append(word)
        else:
            rest.append(place)
    return common, rest


def _only_adds(words: Sequence[Word], places: Sequence[int]) -> bool:
    """True if what stands at these places is circumstances only, each begun as one, and none of it exact."""
    return all(
        not words[place].exact and (words[place].added or (place > 0 and place - 1 in places))
        for place in places
    )


def _same_parts(first: Sequence[Word], second: Sequence[Word]) -> bool:
    """True if the same words have the same parts in both texts: nobody has changed places.

    What stands behind a preposition in both may stand anywhere; all else comes in the same order.
    """
    parts: dict[str, list[str]] = {}
    for word in second:
        parts.setdefault(word.key, []).append(word.part)
    if not all(_same_part(word.part, parts[word.key].pop(0)) for word in first):
        return False
    fixed = _fixed(first, second)
    return [word.key for word in first if word.key in fixed] == [
        word.key for word in second if word.key in fixed
    ]


def _same_part(one: str, other: str) -> bool:
    mine, theirs = _PLACES.get(one, one), _PLACES.get(other, other)
    return mine == theirs if mine and theirs else not {mine, theirs} & _TELLING


def _fixed(first: Sequence[Word], second: Sequence[Word]) -> set[str]:
    """Keys of the words whose place tells their part."""
    free = _free(first) & _free(second)
    beside = {(before.key, word.key) for before, word in pairwise(second)}
    for before, word in pairwise(first):
        # What stands behind such a word in both texts goes with it: on Monday evenings.
        if before.key in free and (before.key, word.key) in beside:
            free.add(word.key)
    for one, other in ((first, second), (second, first)):
        # The team of Juno is the Juno team.
        beside = {(before.key, after.key) for before, after in pairwise(other)}
        free |= {
            word.key for head, word in pairwise(one) if word.part == "of" and (word.key, head.key) in beside
        }
    return {word.key for word in first} - free


def _free(words: Sequence[Word]) -> set[str]:
    """Keys of words that stand behind a preposition wherever they occur."""
    return {word.key for word in words if word.part} - {word.key for word in words if not word.part}
