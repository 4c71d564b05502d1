"""Laws of every ranking, whatever it learned: how an item stands counts, and of versions the newest comes first.

The trees learned from conversations, in which nothing was ever confirmed, contested, corrected or said to end: of all
of these they know nothing. So what speaks for an item or against it is added to its score, within bounds, and among
candidates that say nearly the same the scores change hands, so that none but those moves. Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.instant import CLOCKS_DIFFER_US, DAY_US, SECOND_US
from simonides.domain.item import Validation
from simonides.language.bygone import tells_of_the_past
from simonides.language.calendar.told import told_windows
from simonides.language.literals import literals, stands_in
from simonides.language.manner import manner
from simonides.language.roles import asks_own_name, tells_own_name
from simonides.language.sentences import fold, sentences
from simonides.language.tokens import tokens
from simonides.language.value import ValueKind
from simonides.language.values import kinds_told, tells_value
from simonides.ports.store import Sketch
from simonides.recall.candidates import Floats, is_users_own
from simonides.recall.question.analysis import Analysis, Expects, Tense
from simonides.recall.question.answering import names_told
from simonides.recall.question.asks import Occasion, tells_which
from simonides.recall.question.speech import Act, act_of_text
from simonides.recall.question.tense import FormerTime
from simonides.recall.ranking.text_words import ReadText
from simonides.values import dataclass

#: What a validation adds.
_VALIDATED: Final = {
    Validation.VERIFIED.value: 0.3,
    Validation.UNVERIFIED.value: 0.0,
    Validation.CONTESTED.value: -0.7,
    Validation.RETRACTED.value: -2.0,
}
#: Of the worst standing, the higher the worse.
_DOUBTED: Final = {Validation.CONTESTED.value: 1, Validation.RETRACTED.value: 2}
_TRUST: Final = {Validation.VERIFIED.value: 0, Validation.UNVERIFIED.value: 1}
#: What was replaced, ended, or has not begun loses so much.
_NOT_NOW: Final = -2.0
#: A text that only asks again what is asked loses so much; it repeats the question where it shares that of its words.
_ASKS_AGAIN: Final = -6.0
_REPEATED: Final = 0.5
#: Another brief turn that states nothing loses so much; of so many of the best that is looked at.
_STATES_NOTHING: Final = -4.0
#: Different words at most of a reply that adds nothing to what it replies to.
_REACTION: Final = 6.0
_EXCLAIMING: Final = ("!", "！")
_BEST: Final = 24
#: What reinforcement adds at most, and how much of it makes three quarters of that.
_REINFORCED: Final = 0.6
_REINFORCED_ENOUGH: Final = 3.0
#: Versions lie no further apart in their scores: what matches so much better is another answer.
_NEAR: Final = 2.0
#: Best candidates whose versions are looked for.
_LEADERS: Final = 16
#: What tells of the same kind of occasion lies no further behind the best, has so much of what that has in common with
#: the question, and comes so far before it.
_ONE_KIND: Final = 3.5
_HELD_ALIKE: Final = 0.5
_NEAR_ALIKE: Final = 0.35
_AHEAD: Final = 0.2
#: What a text gains that holds the literals of the question: flags and names of code, which mean nothing else.
_LITERAL: Final = 6.0
#: What a value that is asked for counts that one text alone tells, and a name.
_VALUE_TOLD: Final = 1.5
_NAME_TOLD: Final = 1.0
#: What a text gains that tells the user's own name, where that is asked for.
_OWN_NAME_TOLD: Final = 6.0
#: What is gained by what was said today, and the days after which about a third of that is left.
_LATELY: Final = 2.0
_LATELY_DAYS: Final = 14.0
#: Sentences of a message that goes on with something; a question put to a store has one or two.
_GOES_ON: Final = 3
#: What was said or stored within so short a time has no order of age.
_AT_ONCE_US: Final = 60 * SECOND_US


@dataclass(frozen=True, slots=True)
class WordColumns:
    """Words of texts, as versions of one thing are told by them; a column each.

    Attributes:
        texts: As they are read.
        different: Number of different words of each.
        asked: For each of the question's words whether it holds it, a byte.
        statement: Whether it is a short statement: a turn of a chat, or a longer note, that shares words with another
            says something else more often than it says the same anew.
    """

    texts: Sequence[ReadText]
    different: Sequence[float]
    asked: Sequence[bytes]
    statement: Sequence[bool]
    #: The bits of each text, and how many of its words share one with another.
    _bits: Sequence[int] = field(init=False, repr=False, compare=False)
    _hidden: Sequence[float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        bits = [text.bits for text in self.texts]
        hidden = [words - some.bit_count() for words, some in zip(self.different, bits, strict=True)]
        object.__setattr__(self, "_bits", bits)
        object.__setattr__(self, "_hidden", hidden)

    def alike(self, lead: int, rows: Sequence[int]) -> Iterator[int]:
        """Those of some rows that have half of the words in common with one, or more."""
        texts, different, bits, hidden = self.texts, self.different, self._bits, self._hidden
        mine, words, apart, own = bits[lead], different[lead], hidden[lead], None
        for row in rows:
            # Of n words of both, m are common at least where 3m >= n. In most cases the bits alone say that they are
            # fewer: as many as their bits, and those that share one.
            together, theirs = words + different[row], hidden[row]
            shared = (mine & bits[row]).bit_count() + min(apart, theirs)
            if together and 3 * shared >= together:
                own = own or frozenset(texts[lead].codes.tolist())
                if 3 * len(own.intersection(texts[row].codes.tolist())) >= together:
                    yield row


def standing(sketches: Sequence[Sketch], at: int | None, *, former: FormerTime | None = None) -> Floats:
    """The sum of what validation, reinforcement and validity add to each score; shape (n,), in [−4.6, 0.9].

    Args:
        at: What time the question asks about; None for another than that at which it is asked.
        former: The time that is over about which it asks.
    """
    return np.array(
        [
            _VALIDATED[sketch.validation]
            + _reinforced(sketch.reinforcement)
            + _NOT_NOW * (_never_held(sketch) if former else _is_past_or_to_come(sketch, at))
            for sketch in sketches
        ],
        np.float64,
    )


def telling_what_is_asked(analysis: Analysis, sketches: Sequence[Sketch]) -> Floats:
    """Gain of each text that tells a value that is asked for, or a name where somebody is; shape (n,), in [0, 1.5].

    The fewer tell one, the more it counts. Vectors of short statements hardly tell "before bed" from "a warm bed".
    """
    if analysis.values and ValueKind.NAME not in analysis.values:
        gain = _VALUE_TOLD
        tells = [not analysis.values.isdisjoint(kinds_told(sketch.content)) for sketch in sketches]
    elif (analysis.values or analysis.expects is Expects.PERSON) and not analysis.about_asking:
        gain, known = _NAME_TOLD, frozenset(map(fold, analysis.names))
        tells = [not names_told(sketch.content) <= known for sketch in sketches]
    else:
        return np.zeros(len(sketches))
    each = round(gain / max(1, sum(tells)) ** 0.25, 6)
    return each * np.array(tells, np.float64)


def telling_ones_name(analysis: Analysis, sketches: Sequence[Sketch]) -> Floats:
    """Gain of each text in which the user tells their name, where that is asked for; shape (n,), 0 or 6.

    "His name is Mr Okafor." has the word of "What's my name?", and "I'm Dana, 34." has not.
    """
    if not asks_own_name(analysis.text):
        return np.zeros(len(sketches))
    tells = [is_users_own(sketch) and tells_own_name(sketch.content) for sketch in sketches]
    return _OWN_NAME_TOLD * np.array(tells, np.float64)


def stating_nothing(
    sketches: Sequence[Sketch],
    different: Floats,
    shared: Floats,
    vain: NDArray[np.bool_],
    brief: NDArray[np.bool_],
    replying: NDArray[np.bool_],
    scores: Floats,
) -> Floats:
    """Cost of stating nothing: what asks the same has the words of an answer and is none; shape (n,), in [−6, 0].

    A turn that asks for something else, orders a piece of work or acknowledges, and is brief, costs less than one
    that asks the same. So does an assistant's exclamation at what a user stated ("A fresh start!").

    Args:
        different: How many different words each has; shape (n,).
        shared: How many different words each shares with the question; shape (n,).
        vain, brief: As of `CandidateTable`.
        replying: True for an assistant's turn to one that states something; shape (n,).
        scores: As far as they are known.
    """
    cost = np.where(vain, _ASKS_AGAIN, 0.0)
    repeating = (shared >= _REPEATED * different) & (different > 0)
    turns = np.array([sketch.type == "episode" for sketch in sketches], np.bool_)
    best = np.zeros(len(sketches), np.bool_)
    best[np.argsort(-scores, kind="stable")[:_BEST]] = True
    brief_turns = turns & brief
    rows: list[int] = np.flatnonzero(~vain & (repeating | (best & brief_turns))).tolist()
    for row in rows:
        sketch = sketches[row]
        done = act_of_text(sketch.content, sketch.type, sketch.role)
        if repeating[row] and done is Act.ASKS:
            cost[row] = _ASKS_AGAIN
        elif brief_turns[row] and (
            done is not Act.STATES or (replying[row] and _only_reacts(sketch.content, different[row]))
        ):
            cost[row] = _STATES_NOTHING
    return cost


def _only_reacts(text: str, different: float) -> bool:
    """True if a reply exclaims in a few words that tell no name, number, time or colour."""
    if different > _REACTION or not text.rstrip().endswith(_EXCLAIMING):
        return False
    return not (names_told(text) or tells_value(text) or kinds_told(text))


def holding_literals(sketches: Sequence[Sketch], question: str) -> Floats:
    """Gain of each score by the share of the question's literals that it holds; shape (n,), in [0, 6]."""
    asked = literals(question)
    if not asked:
        return np.zeros(len(sketches))
    texts = [f"{sketch.title}\n{sketch.content}" for sketch in sketches]
    held = [sum(stands_in(literal, text) for literal in asked) for text in texts]
    return _LITERAL / len(asked) * np.array(held, np.float64)


def of_the_occasion(
    sketches: Sequence[Sketch],
    occasion: Occasion | None,
    coverage: Floats,
    cosine: Floats,
    scores: Floats,
    now: int,
) -> Floats:
    """Gain of the first, last or next of what tells of occasions of one kind: it comes before the others; shape (n,).

    Of one kind with the best is what is nearly as good, holds nearly as much of the question, and is about as near.
    What tells itself that it is the first or the last keeps its place. The next one is that of which the soonest time
    to come is told.

    Args:
        coverage, cosine: Of each; shape (n,).
        scores: As far as they are known.
    """
    gain = np.zeros(len(sketches))
    if occasion is None or not len(sketches):
        return gain
    best = int(scores.argmax())
    alike = (scores >= scores[best] - _ONE_KIND) & (coverage >= _HELD_ALIKE * coverage[best])
    alike &= cosine >= _NEAR_ALIKE * cosine[best]
    rows: list[int] = np.flatnonzero(alike).tolist()
    if occasion is Occasion.NEXT:
        ahead = {row: at for row in rows if (at := _told_ahead(sketches[row], now)) is not None}
        row = min(ahead, key=lambda one: (ahead[one], -scores[one]), default=best)
    elif tells_which(sketches[best].content):
        row = best
    else:
        place = max if occasion is Occasion.LAST else min
        row = place(rows, key=lambda one: (sketches[one].event_at, scores[one]))
    gain[row] = max(0.0, scores[best] - scores[row] + _AHEAD) if row != best else 0.0
    return gain


def _told_ahead(sketch: Sketch, now: int) -> int | None:
    """The beginning of the soonest time to come that a text names, microseconds UTC."""
    times = told_windows(sketch.content, sketch.event_at)
    return min((window.start for window in times if window.end > now), default=None)


def said_lately(sketches: Sequence[Sketch], analysis: Analysis, now: int) -> Floats:
    """Gain of each score by being new, where a message goes on with something; shape (n,), in [0, 2].

    A message of several sentences goes on with what was talked about lately more often than not. One that names a time,
    or asks of a former one, says itself what it goes on with. Days count whole: what was said at once has no order.
    What is of a later time was not said yet.
    """
    named = analysis.window is not None or analysis.tense is Tense.FORMER
    if named or len(sentences(analysis.text)) < _GOES_ON:
        return np.zeros(len(sketches))
    days = np.array([(now - sketch.event_at) // DAY_US for sketch in sketches], np.float64)
    return np.where(days >= 0, _LATELY * np.exp(-np.maximum(0.0, days) / _LATELY_DAYS), 0.0)


@lru_cache(maxsize=1024)
def _reinforced(reinforcement: float) -> float:
    return _REINFORCED * float(np.tanh(reinforcement / _REINFORCED_ENOUGH))


def newest_first(
    sketches: Sequence[Sketch],
    words: WordColumns,
    scores: Floats,
    at: int | None,
    *,
    by_age: bool,
    bygone: int = 0,
    former: FormerTime | None = None,
) -> Floats:
    """The change of each score where versions of one thing exchange theirs; shape (n,), within ±`_NEAR`.

    Of versions come first: what holds now, what is not contested, what was not demoted, what does not tell itself as
    past where what holds is asked, the newest, what is verified, and what was reinforced most.
    Each version gets a score that one of them had.

    Args:
        words: Of each.
        at: As of `standing`.
        by_age: Whether the newest comes before the others: not where a question asks for a former time.
        bygone: Where what tells itself as past ("Before May it was 14 days") stands, however new: 1 behind the others,
            -1 before them, 0 among them.
        former: As of `standing`: what held then comes first, then.
    """
    moved = np.zeros(len(scores))
    own: list[float] = scores.tolist()
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    if len({*own}) < len(own):
        order.sort(key=lambda row: (-own[row], sketches[row].content))
    # One of them holds what the question names and the other does not: "note 7" is not "note 362".
    left: dict[bytes, list[int]] = {}
    for row in order:
        left.setdefault(words.asked[row], []).append(row)
    taken: set[int] = set()
    for lead in islice((row for row in order if row not in taken), _LEADERS):
        best, asked = own[lead], words.asked[lead]
        others = left[asked] = left[asked][1:]
        near = others[: bisect_right(others, _NEAR, key=lambda row, best=best: best - own[row])]
        told = words.statement if words.statement[lead] and any(asked) else ()
        alike = frozenset(words.alike(lead, [row for row in near if not told[row]] if told else near))
        group = [lead, *(row for row in near if row in alike or (told and told[row]))]
        if len(group) > 1:
            ages = _ages([sketches[row].event_at for row in group]) if by_age else [0] * len(group)
            past = [bygone * tells_of_the_past(sketches[row].content) if bygone else 0 for row in group]
            laws = [
                _law(sketches[row], bound, age, at, former)
                for row, bound, age in zip(group, past, ages, strict=True)
            ]
            ranked = sorted(range(len(group)), key=laws.__getitem__)
            for row, place in zip(group, ranked, strict=True):
                moved[group[place]] = own[row] - own[group[place]]
            taken.update(group)
            left[asked] = [row for row in others if row not in taken]
    return moved


def _law(sketch: Sketch, past: int, age: int, at: int | None, former: FormerTime | None) -> tuple[float, ...]:
    return (
        _is_past_or_to_come(sketch, at) if former is None else _of_another_time(sketch, former),
        _DOUBTED.get(sketch.validation, 0),
        sketch.reinforcement < 0,
        past,
        age,
        _TRUST.get(sketch.validation, 0),
        -sketch.reinforcement,
    )


def _is_past_or_to_come(sketch: Sketch, at: int | None) -> bool:
    if at is None:
        return False
    over = sketch.superseded_by is not None if sketch.valid_until is None else sketch.valid_until <= at
    return over or (sketch.valid_from is not None and sketch.valid_from > at + CLOCKS_DIFFER_US)


def _of_another_time(sketch: Sketch, former: FormerTime) -> bool:
    """True if an item says that it did not hold at a former time; where none is named, if it holds still."""
    if _never_held(sketch):
        return True
    if former.since is None:
        return sketch.valid_until is None or sketch.valid_until > former.until
    begun_behind = sketch.valid_from is not None and sketch.valid_from >= former.until
    return begun_behind or (sketch.valid_until is not None and sketch.valid_until <= former.since)


def _never_held(sketch: Sketch) -> bool:
    """True for the former wording of what is told by another item: a copy, or an event that was told wrongly.

    "I live in Linz" was replaced because that changed; "We met on Monday" because it was never so.
    """
    if sketch.superseded_by is None:
        return False
    return sketch.valid_until is None or manner(tokens(sketch.content)).time == "past"


def _ages(at: Sequence[int]) -> list[int]:
    """0 for the newest, counting up with each gap that makes something older."""
    ages: list[int] = [0] * len(at)
    age, last = 0, max(at)
    for row in sorted(range(len(at)), key=at.__getitem__, reverse=True):
        age += last - at[row] >= _AT_ONCE_US
        ages[row], last = age, at[row]
    return ages
