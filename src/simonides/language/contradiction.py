"""Contradictions of two texts about the same: a number, a date, a name, yes and no.

No model is asked. English, Russian, French, Chinese, German and Spanish; pure; the cost is linear in the texts, of
which the first 4,000 characters and 24 statements are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeVar

from simonides.domain.batches import batches
from simonides.domain.pattern import later
from simonides.language import tables
from simonides.language.aliases import COMMON
from simonides.language.alignment import aligned
from simonides.language.clause_names import LOCATING, ClauseName, begins_with_signs, is_word
from simonides.language.clauses import (
    Clause,
    clauses,
    corrects,
    opposed,
    stands_for_another,
    without_no,
)
from simonides.language.conventions import other_value
from simonides.language.denied_name import denied_by_name, without_denied
from simonides.language.manner import past_forms
from simonides.language.negation import ANY_USE
from simonides.language.succession import tells_of_a_planned_move
from simonides.language.tokens import Shape, Token, folded, tokens
from simonides.language.value import Value, ValueKind
from simonides.language.values import values
from simonides.language.words import (
    CONSUMED,
    CONTRASTS,
    DEFINITE,
    ENDED,
    EVENTS,
    HAN_CHANGES,
    MOMENT,
    NAMING,
    NEVER,
    NOW,
    OPPOSITES,
    PRONOUNS,
    RELATIONS,
    RISING,
    TELLING,
    TELLING_RELATIONS,
    root_of,
)
from simonides.values import dataclass

DifferenceKind = Literal["number", "date", "name", "negation", "manner"]

#: Of each of these a person has one at a time.
_ONE_AT_A_TIME: Final = frozenset({"place", "employer", "called", "origin"})
#: Who speaks; whoever else is meant by a pronoun may be another one the next time.
_SPEAKING: Final = frozenset({"user", "we"})
_USER: Final = frozenset({"user"})
_WITHOUT: Final = "without"
#: Stand before what a value has become; and say that it has not.
_CHANGED_TO: Final = tables.words("changed_to", among="clauses")
_HAN_CHANGED_TO: Final = frozenset[str](tables.han("changed_to"))
#: Stand before the time that something was moved to, and before how much it was changed by; "by" says so always.
_MOVED_TO: Final = _CHANGED_TO | tables.words("moved_to", among="clauses")
_CHANGED_BY: Final = tables.words("changed_by", among="clauses")
_BY: Final = tables.words("by", among="clauses")
_BEGINNING: Final = tables.words("beginning", among="clauses")
_EXTENDED: Final = tables.words("extended", among="clauses")
_NOT_QUITE: Final = tables.words("not_quite", among="clauses")
_HAN_NOT_QUITE: Final = str(tables.han("not_quite"))
#: Say that somebody has something, or none; that it was so once; and stand before what it is of.
_HAVING: Final = tables.words("having", among="clauses")
_NO_MORE: Final = tuple(map(frozenset, tables.phrases("no_more")))
_JOINTS: Final = RELATIONS.keys() | tables.words("before_objects", among="clauses")
_OTHERS: Final = frozenset({"he", "she", "they"})
#: Chinese characters in which two statements agree, of which one corrects the other.
_LEAST_ALIKE: Final = 2
_MOST_REPLACED: Final = 6
#: Before a kind of person or thing, of which one is one at a time for whoever corrects himself.
_ARTICLES: Final = tables.words("indefinite", among="clauses")
_SET_WHERE: Final = tables.words("set_where", among="clauses")
_HAN_NOW: Final = str(tables.han("now"))
#: Of a move: forms that are present and past alike, words of a time beside them, and what says that it is over.
_WITHOUT_TENSE: Final = tables.words("moves_without_tense", among="clauses")
_TIMES: Final = tables.words("times_of_moves", among="clauses")
_DONE: Final = tables.words("done_by_now", among="clauses")
_HAN_WITHOUT_TENSE: Final = later(f"[{tables.han('moves_without_tense')}]")
_HAN_OVER: Final = tuple[str, ...](tables.han("over_by_now"))
_HAN_DONE: Final = tuple[str, ...](tables.han("done_behind"))
_BEING: Final = tables.words("being", among="clauses")
#: Say that something is somebody's, and not whose: son loyer, su alquiler.
_OWN: Final = frozenset(word for forms in PRONOUNS.values() for word, who in forms.items() if who == "own")
_HAN_RISEN_BY: Final = later(str(tables.han("risen_by")))
_HAN_ONE: Final = tuple[str, ...](tables.han("one_of_several"))
#: Letters with which words of one root begin.
_ROOT: Final = 3
#: Share of its words that a longer statement has in common with one that is about the same.
_SAME_TOPIC: Final = 0.8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Difference:
    """A point that two texts differ in.

    Attributes:
        kind: `date` holds times of day, too, `name` identifiers; `manner` is time, certainty or extent: lives
            and lived, may and must, some and most.
        words: As they stand in the first text and in the second.
    """

    kind: DifferenceKind
    words: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.words[0]!r} and {self.words[1]!r}"


def difference(a: str, b: str) -> Difference | None:
    """Point in which two texts contradict each other; None where they do not, or where it is in doubt.

    Given only where statements of both are about the same thing: all other words agree, the subject among them. What
    is guessed, asked, said of another time or added ("also") contradicts nothing, and more than one difference is
    another case, not another opinion.

    Returns:
        The first that is found in the order of the texts.
    """
    a, b = COMMON.together(a, b)
    if (between := _difference(clauses(a), clauses(b))) is not None:
        return between
    if (by_name := denied_by_name(a, b)) is not None:
        return Difference("name", by_name)
    by_name = denied_by_name(b, a)
    return None if by_name is None else Difference("name", (by_name[1], by_name[0]))


def _difference(some: Sequence[Clause], theirs: Sequence[Clause]) -> Difference | None:
    for mine in some:
        for other in theirs:
            if any(_moved(one) and _may_be_to_come(one) for one in (mine, other)):
                continue
            if (between := _between(mine, other)) and not _otherwise_joined(mine, other):
                return between
    return None


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Everything that two texts say differently, whatever they are about: a guard against taking them for one.

    A value, name or denial counts where each text has one that the other lacks; a text that merely says more
    differs in nothing. What begins a sentence with a capital counts as a name. How statements are meant is compared
    between those that have the most in common.
    """
    mine, theirs = _statements(a), _statements(b)
    differing = [
        *_unmatched(_all_values(mine), _all_values(theirs), _values_agree, _value_difference),
        *_unmatched(_all_names(mine), _all_names(theirs), ClauseName.agrees, _name_difference),
    ]
    denied, other = _denials(mine), _denials(theirs)
    if len(denied) % 2 != len(other) % 2:
        differing.append(Difference("negation", ((denied or ("",))[0], (other or ("",))[0])))
    differing += (*_opposites(mine, theirs, a, b), *_contrasts(a, b))
    differing += _manners(mine, theirs)
    return tuple(differing)


#: Words of one search.
_SEARCHED: Final = 60

#: What kind of name is told, and of whom: persons, or the name of one.
Told = tuple[str, frozenset[str]]


def told_of_one(text: str) -> Mapping[Told, tuple[ClauseName, ...]]:
    """Statements of a text about whoever speaks, or one who is named, by one name and with nothing beside it.

    "I live in Graz." tells the speaker's place, "Ana lives in Graz." hers; "My sister lives in Graz." may tell of
    any of two sisters.

    Returns:
        Names by what is told with them; two texts that tell the same are about the same.
    """
    return _told_of_one(_statements(without_denied(text)))


def _told_of_one(statements: Sequence[Clause]) -> Mapping[Told, tuple[ClauseName, ...]]:
    names_by_role: dict[Told, tuple[ClauseName, ...]] = {}
    for clause in statements:
        moved = _moved(clause)
        if moved and _may_be_to_come(clause):
            continue
        # When one moved to a place tells nothing of the place, but for a year, after which one may have moved on.
        when = clause.values if moved and not any(value.is_a_year for value in clause.values) else ()
        if not clause.plain or clause.negated or clause.adds or clause.values != when:
            continue
        subject = _subject(clause)
        if subject is None and not (clause.persons and clause.persons <= _SPEAKING):
            continue
        for name in clause.names:
            role = "" if name is subject else _told_alone(clause, name, subject)
            # Who lived here may have lived there, or will; where somebody was born does not change.
            if role in _ONE_AT_A_TIME and (role == "origin" or not (clause.past or clause.manner.time)):
                whoever = clause.persons if subject is None else frozenset(subject.parts)
                # Where we live by now, I do; for whom we work may be told of a team.
                with_us = subject is None and (moved or (role == "place" and _is_by_now(clause)))
                for one in {whoever, _USER} if with_us else {whoever}:
                    names_by_role[role, one] = (*names_by_role.get((role, one), ()), name)
    return names_by_role


def words_of_telling(telling: Iterable[Told]) -> list[tuple[str, ...]]:
    """Words by which texts tell one of these, in any language (lives, habite, живет), search by search."""
    kinds = sorted({kind for kind, _ in telling})
    return list(batches(dict.fromkeys(word for kind in kinds for word in TELLING.get(kind, ())), _SEARCHED))


def has_changed(former: str, text: str) -> bool:
    """True if a text tells that what a former one says is otherwise by now: moved, now lives, was raised to."""
    if difference_of_one(told_of_one(former), told_of_one(text)) is not None:
        return any(_moved(clause) or _is_by_now(clause) for clause in _statements(text))
    return any(
        _leads_to_another(one, other)
        for one in _statements(former)
        for other in _statements(text)
        if (between := _between(one, other)) and between.kind in {"number", "date"}
    )


def _leads_to_another(former: Clause, clause: Clause) -> bool:
    """True if a clause tells to what the value of a former one has changed, and tells no value beside it."""
    if clause.manner.marks or clause.manner.time or len(clause.values) > len(former.values):
        return False
    if former.persons - clause.persons:
        return False  # Son loyer, su alquiler, the rent: it may be another's.
    if any(token.fold in _NOT_QUITE for token in clause.tokens) or _HAN_NOT_QUITE in _han_of(clause):
        return False
    if _begins(former) and any(token.fold in _EXTENDED for token in clause.tokens):
        return False  # What is longer ends later, and begins as before.
    if _is_by_now(clause):
        return True
    first = next(iter(values(clause.tokens)), None)
    return _moved(clause) and first is not None and _is_led_to(clause.tokens, first[0], first[2].kind)


def _begins(clause: Clause) -> bool:
    return any(token.fold in _BEGINNING for token in clause.tokens)


def _is_led_to(words: Sequence[Token], at: int, kind: ValueKind) -> bool:
    """True if the words before a value say that something has come there: to Monday, auf den 4. Mai."""
    led = _MOVED_TO if kind is ValueKind.DATE else _CHANGED_TO
    while at and words[at - 1].fold in DEFINITE:
        at -= 1
    if at > 1 and words[at - 1].text == "在" and words[at - 2].text in HAN_CHANGES:
        return True  # 改在周一.
    return at > 0 and (words[at - 1].fold in led or words[at - 1].text in _HAN_CHANGED_TO)


def _subject(clause: Clause) -> ClauseName | None:
    """The name of one that a clause begins with, and is about."""
    first = clause.names[0] if clause.names and not clause.persons else None
    begins = first is not None and clause.tokens[0].stem == first.parts[0]
    return first if first is not None and begins and not first.role else None


def difference_of_one(
    one: Mapping[Told, tuple[ClauseName, ...]], other: Mapping[Told, tuple[ClauseName, ...]]
) -> Difference | None:
    """The first thing of which two texts tell no name in common."""
    for telling, names in one.items():
        others = other.get(telling, ())
        if others and not any(name.agrees(another) for name in names for another in others):
            return _name_difference(names[0], others[0])
    return None


def leaves_standing(former: str, text: str) -> bool:
    """True if a former text states something beside what a text says otherwise.

    "I live in Lisbon and work for Acme." told also of work, and "I moved to Porto." tells nothing of that.
    """
    former, text = COMMON.together(former, text)
    stated, theirs = clauses(former), clauses(text)
    if len(stated) < 2:
        return False
    telling = _told_of_one(theirs)
    return any(
        (one.topic.difference(*(name.parts for name in one.names)) or any(name.role for name in one.names))
        and not (_difference([one], theirs) or difference_of_one(_told_of_one([one]), telling))
        for one in stated
    )


def overrules(former: str, text: str) -> bool:
    """True if whoever stated one thing says something else of it in a later text: another value, an end, a move."""
    return (
        difference(former, text) is not None
        or difference_of_one(told_of_one(former), told_of_one(text)) is not None
        or replacement(former, text, next_to=False) is not None
    )


def _moved(clause: Clause) -> bool:
    return any(token.fold in EVENTS for token in clause.tokens) or any(
        sign in _han_of(clause) for sign in HAN_CHANGES
    )


def _may_be_to_come(clause: Clause) -> bool:
    """True of a move told in a form that has no tense of its own, as a plan or at a time that is not told to be over.

    "Nos mudamos a Zaragoza en abril." and "我们四月搬到上海。" may be said before it and behind it.
    """
    han = _han_of(clause)
    if move := _HAN_WITHOUT_TENSE.search(han):
        if tells_of_a_planned_move("".join(token.text for token in clause.tokens)):
            return True
        is_over = any(map(han.__contains__, _HAN_OVER)) or any(map(han[move.end() :].__contains__, _HAN_DONE))
        return bool(clause.values) and not is_over
    folds = {token.fold for token in clause.tokens}
    if folds.isdisjoint(_WITHOUT_TENSE) or not folds.isdisjoint(_DONE):
        return False
    return bool(clause.values) or not folds.isdisjoint(_TIMES)


def _is_by_now(clause: Clause) -> bool:
    return any(token.fold in NOW for token in clause.tokens) or _HAN_NOW in _han_of(clause)


def replacement(former: str, text: str, *, next_to: bool, announced: bool = False) -> Difference | None:
    """Replacement that a correcting text gives for a former one of one statement: "Actually, I prefer coffee".

    Args:
        next_to: Whether the text was said right behind the former: then "No, it's Linz" may be of it.
        announced: The text was said as a correction, and stands here without the words that said so.
    """
    denied = next_to and without_no(text) != text
    if not (announced or denied or corrects(text)):
        return None
    mine, theirs = _statements(former), _statements(text)
    if len(mine) != 1 or not theirs:
        return None
    earlier, later = mine[0], theirs[-1]
    if next_to and (instead := _instead(earlier, later, text)) is not None:
        return instead
    if denied and (theirs := _statements(without_no(text))):
        later = theirs[-1]
    if len(theirs) != 1 or not (earlier.plain and later.plain) or earlier.adds or later.adds:
        return None
    if (
        bool(earlier.negated) != bool(later.negated)
        or earlier.persons != later.persons
        or earlier.values
        or later.values
    ):
        return None
    return (
        _one_word(earlier, later) or _one_sign(earlier, later) or _one_kind(earlier, later, next_to=next_to)
    )


def _instead(old: Clause, new: Clause, text: str) -> Difference | None:
    """Replacement by a name that stands alone, or is told of "her"."""
    given = [name for name in old.names if name.role]
    if len(given) != 1 or len(new.names) != 1 or new.values:
        return None
    former, name = given[0], new.names[0]
    put = stands_for_another(text)
    alone = put == "name" or (put == "place" and former.role in {"place", "is"})
    hers = new.persons <= _OTHERS and bool(new.persons) and name.role == former.role
    if not (alone or (hers and new.topic <= {*name.parts} and old.topic > {*former.parts})):
        return None
    return None if former.agrees(name) else _name_difference(former, name)


def _one_word(former: Clause, later: Clause) -> Difference | None:
    """The word that stands in the place of another, where all others stand there in their order."""
    own, others = former.topic - later.topic, later.topic - former.topic
    if len(own) != 1 or len(others) != 1 or not former.topic & later.topic:
        return _one_name(former, later)
    shared = [
        [token.stem for token in one.tokens if token.stem in former.topic & later.topic]
        for one in (former, later)
    ]
    if shared[0] != shared[1] or former.manner != later.manner:
        return None
    return Difference("name", (dict(former.words)[min(own)], dict(later.words)[min(others)]))


def _one_name(former: Clause, later: Clause) -> Difference | None:
    """The last word, where without a capital only one of two is known for a name: i live in leeds, i live in york."""
    mine, theirs = ([token for token in one.tokens if is_word(token)] for one in (former, later))
    names = [name.words for one in (former, later) for name in one.names]
    before = [word.fold for word in mine[:-1]]
    if len(names) != 1 or not before or before != [word.fold for word in theirs[:-1]]:
        return None
    one, other = mine[-1].text, theirs[-1].text
    return Difference("name", (one, other)) if names[0] in {one, other} and one != other else None


def _one_kind(former: Clause, later: Clause, *, next_to: bool) -> Difference | None:
    """The kind of thing that somebody is in the place of another: I'm a vegetarian, I'm a vegan."""
    mine, theirs = (
        [token for token in one.tokens if token.shape is not Shape.MARK] for one in (former, later)
    )
    before = [word.fold for word in mine[:-1]]
    if not before or before != [word.fold for word in theirs[:-1]] or not former.persons:
        return None
    one, other = mine[-1], theirs[-1]
    # Russian needs no verb to say what one is.
    is_so = not _BEING.isdisjoint(before) or (len(before) == 1 and "\u0400" <= one.fold[0] <= "\u04ff")
    if not is_so or one.stem == other.stem or former.topic | later.topic != frozenset((one.stem, other.stem)):
        return None
    of_a_root = one.fold[:_ROOT] == other.fold[:_ROOT] and min(len(one.fold), len(other.fold)) > _ROOT
    named = next_to and before[-1] in _ARTICLES
    return Difference("name", (one.text, other.text)) if of_a_root or named else None


def _one_sign(former: Clause, later: Clause) -> Difference | None:
    """The same of Chinese: what stands between a beginning and an end that both have."""
    one, other = _han_of(former), _han_of(later)
    alike = aligned(one, other)
    mine, theirs = (
        one[alike.before : len(one) - alike.behind],
        other[alike.before : len(other) - alike.behind],
    )
    if sum(alike) < _LEAST_ALIKE or not all(0 < len(part) <= _MOST_REPLACED for part in (mine, theirs)):
        return None
    return Difference("name", (mine, theirs)) if former.topic & later.topic else None


def _told_alone(clause: Clause, name: ClauseName, subject: ClauseName | None) -> str:
    """Of what a name is the value in a clause that tells nothing else; empty where it does."""
    moved = _moved(clause)
    beside = clause.topic - set(name.parts) - (MOMENT if moved else frozenset())
    if subject is not None:
        beside -= set(subject.parts)
    if moved and not name.role and not MOMENT.issuperset(name.parts):
        # The verb may stand behind it: "Ich bin nach Linz gezogen."
        telling = {token.stem for token in clause.tokens if token.fold in EVENTS}
        beside -= telling
        return "" if beside else next((NAMING[stem] for stem in sorted(telling & NAMING.keys())), "")
    if name.role == "is" and beside and all(NAMING.get(stem) == "called" for stem in beside):
        return "called"  # "My name is Ana."
    return "" if beside else name.role


# Two statements


def _statements(text: str) -> tuple[Clause, ...]:
    """The statements of a text, what has several names by one of them."""
    return clauses(COMMON.unified(text))


def _between(mine: Clause, other: Clause) -> Difference | None:
    if not (mine.plain and other.plain):
        return None
    if mine.past != other.past and not (_never(mine) or _never(other)):
        return None
    if mine.persons and other.persons and mine.persons != other.persons:
        return None
    if ("may" in mine.manner.marks) != ("may" in other.manner.marks):
        return None
    if (given := other_value(mine, other)) is not None:
        return Difference("name", given)
    values = list(
        _unmatched(mine.values, other.values, Value.agrees, _value_difference, within=Value.comparable)
    )
    if not (mine.topic and other.topic) and not (mine.persons & other.persons and values):
        return None
    if _about_the_same(mine.topic, other.topic) or _about_the_same(*_wherever_set(mine, other)):
        return _of_the_same(mine, other, values)
    if bool(mine.negated) != bool(other.negated):
        denied, affirmed = (mine, other) if mine.negated else (other, mine)
        if _about_the_same(*_in_other_words(mine, other)) or _denies_any(denied, affirmed):
            return _of_the_same(mine, other, values)
    if values or mine.negated or other.negated or mine.adds or other.adds:
        return None if values else _opposite(mine, other)
    return _of_names(mine, other) or _opposite(mine, other)


def _otherwise_joined(mine: Clause, other: Clause) -> bool:
    """True if a word that both have is joined otherwise: a flight to Oslo, and one from there."""
    kinds: tuple[dict[str, set[str]], ...] = ({}, {})
    for joined, clause in zip(kinds, (mine, other), strict=True):
        for stem, kind in clause.relations:
            joined.setdefault(stem, set()).add(kind)
    for stem in kinds[0].keys() & kinds[1].keys():
        one, another = kinds[0][stem], kinds[1][stem]
        if one & another or ("" in one | another and not (one | another) & TELLING_RELATIONS):
            continue
        # What one does with a thing, one may deny to do without it; prices with and without it are two.
        if mine.values or other.values or _WITHOUT not in one | another:
            return True
    return False


def _never(clause: Clause) -> bool:
    """True if a clause denies for all times what another may tell of one."""
    return bool(clause.negated) and any(token.stem in NEVER for token in clause.tokens)


def _of_the_same(mine: Clause, other: Clause, values: Sequence[Difference]) -> Difference | None:
    if bool(mine.negated) != bool(other.negated):
        denied, affirmed = (mine, other) if mine.negated else (other, mine)
        return (
            None
            if values or _restricted(denied, affirmed) or _comes_from(affirmed)
            else _negation(mine, other)
        )
    if not values or _denies(mine) or mine.adds or other.adds or opposed(_han_of(mine), _han_of(other)):
        return None
    if _in_the_past_alone(mine, other) or _in_the_past_alone(other, mine):
        return None
    values = _of_the_thing(mine, other)
    if not values or _is_another(mine, other) or _is_another(other, mine):
        return None
    dated = values[0].kind == "date"  # When something is to be, is told of the future either way.
    if (mine.manner.time == "future") != (other.manner.time == "future") and not dated:
        return None
    if _of_another_day(mine, other) or _of_another_day(other, mine) or not _of_one_kind(mine, other):
        return None
    if _of_another_one(mine, other) or _of_another_one(other, mine):
        return None
    if dated and (_arrives(mine, other) or _arrives(other, mine)):
        return None
    return None if mine.occasions != other.occasions else values[0]


def _of_the_thing(mine: Clause, other: Clause) -> list[Difference]:
    """Values that differ, without those that tell when or by how much something changed."""
    one, another = (
        [value for value in clause.values if value not in left]
        for clause, left in ((mine, _of_changes(mine)), (other, _of_changes(other)))
    )
    return list(_unmatched(one, another, Value.agrees, _value_difference, within=Value.comparable))


def _of_changes(clause: Clause) -> list[Value]:
    """Values of a clause that tell when something was changed, and by how much: moved on Monday, went up by 50."""
    words = clause.tokens
    changed = any(token.fold in RISING for token in words) or _moved(clause)
    read = [(start, value, _is_led_to(words, start, value.kind)) for start, _, value in values(words)]
    when = changed and not _is_by_now(clause)
    when = when and not any(led for _, value, led in read if value.kind is ValueKind.DATE)
    return [
        value
        for start, value, led in read
        if (
            when
            if value.kind is ValueKind.DATE
            else not led and start > 0 and _says_by_how_much(words[:start], changed=changed)
        )
    ]


def _says_by_how_much(before: Sequence[Token], *, changed: bool) -> bool:
    """True if the words before a number say that it tells by how much something has changed."""
    fold = before[-1].fold
    if fold in _BY or (changed and (fold in _CHANGED_BY or fold in RISING)):
        return True
    return (
        before[-1].shape is Shape.HAN
        and _HAN_RISEN_BY.search("".join(token.text for token in before[-4:])) is not None
    )


def _is_another(clause: Clause, other: Clause) -> bool:
    """True if a change in the first is of another thing than the second is about: a meeting was moved, son loyer."""
    first, begins = clause.tokens[0], other.tokens[0].fold
    if first.fold in _OWN and not clause.persons and not other.persons.isdisjoint(_SPEAKING):
        return True
    if not (_moved(clause) or _is_by_now(clause)):
        return False
    if first.fold in _ARTICLES and begins not in _ARTICLES:
        return True
    return begins_with_signs(clause.tokens, 0, _HAN_ONE) and not begins_with_signs(other.tokens, 0, _HAN_ONE)


def _arrives(clause: Clause, other: Clause) -> bool:
    """True if the second is where the first goes: the train to Rome, and in Rome."""
    return any(
        kind == "to"
        and (stem, kind) not in other.relations
        and any(token.stem == stem and before.fold in LOCATING for before, token in pairwise(other.tokens))
        for stem, kind in clause.relations
    )


def _denies(clause: Clause) -> bool:
    """True if a clause is denied, and not only tells of a thing without something."""
    return bool(clause.negated) and RELATIONS.get(folded(clause.negated)) != _WITHOUT


def _in_the_past_alone(clause: Clause, other: Clause) -> bool:
    """True if a German verb stands in the past in the first alone: öffnete, öffnet."""
    written = {stem: folded(word) for stem, word in other.words}
    return any(
        stem in written
        and folded(word) in {f"{written[stem]}e", f"{written[stem]}en"}
        and written[stem].endswith("t")
        for stem, word in clause.words
    )


def _of_one_kind(mine: Clause, other: Clause) -> bool:
    """True if all values that differ are of one kind: on another day and at another hour, it is another meeting.

    A meeting that was moved may be that one.
    """
    kinds = [
        one
        for one in mine.values
        if any(one.comparable(value) for value in other.values)
        and not any(one.comparable(value) and one.agrees(value) for value in other.values)
    ]
    if all(one.kind is ValueKind.DATE for one in kinds) and (_moved(mine) or _moved(other)):
        return True
    return all(one.comparable(kinds[0]) for one in kinds)


def _of_another_day(mine: Clause, other: Clause) -> bool:
    """True if only the first is restricted to a day, month or year: Sundays and August may be an exception."""
    return any(
        value.key == "day" and value.kind is ValueKind.DATE for value in _restricting(mine)
    ) and not any(value.kind is ValueKind.DATE and value.key == "day" for value in other.values)


def _of_another_one(mine: Clause, other: Clause) -> bool:
    """True if the second tells from which value something was moved, and it is not the first's."""
    return _moved(other) and any(
        len(alike := [value for value in other.values if one.comparable(value)]) > 1
        and not any(one.agrees(value) for value in alike)
        for one in mine.values
    )


def _restricting(clause: Clause) -> Sequence[Value]:
    """Values at which alone a clause holds; of a change the day tells when it was made."""
    return [value for value in clause.limits if value.is_a_weekday] if _moved(clause) else clause.limits


def _restricted(denied: Clause, affirmed: Clause) -> bool:
    """True if a denial is of a time or number that the statement does not tell: not on Fridays in August."""
    return bool(denied.occasions - affirmed.occasions) or any(
        not any(value.comparable(given) and value.tells_no_more(given) for given in affirmed.values)
        for value in denied.limits
    )


def _comes_from(clause: Clause) -> bool:
    """True if a statement tells of where somebody comes from: who left, comes from there."""
    return any(name.role == "origin" for name in clause.names)


def _in_other_words(mine: Clause, other: Clause) -> tuple[frozenset[str], frozenset[str]]:
    """Two topics as far as they are one: an allergy, allergic; giving up meat, eating meat."""
    one, another = mine.topic, other.topic
    if ANY_USE in one:
        one = _with_use(one, another)
    elif ANY_USE in another:
        another = _with_use(another, one)
    return frozenset(map(root_of, one)), frozenset(map(root_of, another))


def _denies_any(denied: Clause, affirmed: Clause) -> bool:
    """True if a clause says that there is none any more of what another tells a kind of: allergies, nuts.

    What is told beside has to stand behind a preposition: without bread one may have a bread knife.
    """
    if len(denied.topic) != 1 or not denied.persons or denied.persons != affirmed.persons or denied.values:
        return False
    folds = {token.fold for token in denied.tokens}
    (root,) = map(root_of, denied.topic)
    ended = ENDED in folds or "ended" in denied.manner.marks or any(words <= folds for words in _NO_MORE)
    if not ended or _HAVING.isdisjoint(folds):
        return False
    kinds = {stem for stem in affirmed.topic if root_of(stem) == root}
    joint = next(
        (at for at, token in enumerate(affirmed.tokens) if token.fold in _JOINTS), len(affirmed.tokens)
    )
    return bool(kinds) and affirmed.topic - kinds <= {token.stem for token in affirmed.tokens[joint:]}


def _with_use(topic: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    uses = other & CONSUMED
    return topic - {ANY_USE} | uses if len(uses) == 1 else topic


def _wherever_set(mine: Clause, other: Clause) -> tuple[frozenset[str], frozenset[str]]:
    """Two topics without what one alone says of where it is set: the limit is 25 MB, set in nginx.conf."""
    ends = [
        next(
            (
                at
                for at, (token, then) in enumerate(pairwise(clause.tokens))
                if token.text == "," and then.fold in _SET_WHERE
            ),
            None,
        )
        for clause in (mine, other)
    ]
    if None not in ends or ends == [None, None]:
        return mine.topic, other.topic
    one, another = (
        clause.topic if end is None else clause.topic & {token.stem for token in clause.tokens[:end]}
        for clause, end in zip((mine, other), ends, strict=True)
    )
    return one, another


def _about_the_same(mine: frozenset[str], other: frozenset[str]) -> bool:
    """All words of one are among those of the other, which has few more.

    Where both have words of their own, these tell them apart.
    """
    if not (mine <= other or other <= mine):
        return False
    more, fewer = max(len(mine), len(other)), min(len(mine), len(other))
    return fewer >= _SAME_TOPIC * more


def _of_names(mine: Clause, other: Clause) -> Difference | None:
    """The same but for one name that both give as the value of the same, at the same time."""
    if mine.manner.time != other.manner.time:
        return None
    again, other_again = _named_again(mine), _named_again(other)
    own = mine.topic - other.topic or again
    others = other.topic - mine.topic or other_again
    # The main branch and the trunk branch are two, whatever they are called.
    if not own or not others or not (again <= other.topic and other_again <= mine.topic):
        return None
    one = next((name for name in mine.names if name.role and own <= set(name.parts)), None)
    another = next((name for name in other.names if name.role and others <= set(name.parts)), None)
    if one is None or another is None or one.agrees(another):
        return None
    if one.role != another.role and {one.role, another.role} != {"is", "place"}:
        return None
    shared = mine.topic & other.topic
    return Difference("name", (one.words, another.words)) if shared or mine.persons & other.persons else None


def _named_again(clause: Clause) -> frozenset[str]:
    """The name by which something is called that has it in another word already: the main branch is called main."""
    called = {part for name in clause.names if name.role == "called" for part in name.parts}
    return frozenset(part for part in called if sum(token.stem == part for token in clause.tokens) > 1)


def _negation(mine: Clause, other: Clause) -> Difference:
    return Difference("negation", (_denied(mine), _denied(other)))


def _denied(clause: Clause) -> str:
    words = " ".join(dict.fromkeys(word for _, word in clause.words if word))
    return f"{clause.negated}: {words}" if clause.negated else words


def _opposite(mine: Clause, other: Clause) -> Difference | None:
    """The same but for one word that denies the other."""
    if bool(mine.negated) != bool(other.negated) or not _same_values(mine, other):
        return None
    own, others = mine.topic - other.topic, other.topic - mine.topic
    if len(own) == len(others) == 1 and own | others in OPPOSITES and mine.topic & other.topic:
        return Difference("negation", (dict(mine.words)[min(own)], dict(other.words)[min(others)]))
    pair = opposed(_han_of(mine), _han_of(other))
    if pair and own <= set(pair[0]) and others <= set(pair[1]) and mine.topic & other.topic:
        return Difference("negation", pair)
    return None


def _same_values(mine: Clause, other: Clause) -> bool:
    """True if the values of both agree, or one has none: a shop opens at 9 and closes at 18."""
    if not (mine.values and other.values):
        return True
    return all(
        any(one.comparable(value) and one.agrees(value) for value in theirs)
        for values, theirs in ((mine.values, other.values), (other.values, mine.values))
        for one in values
    )


def _han_of(clause: Clause) -> str:
    return "".join(token.text for token in clause.tokens if token.shape is Shape.HAN)


# Whole texts


def _all_values(several: Sequence[Clause]) -> list[Value]:
    return [value for clause in several for value in clause.values]


def _all_names(several: Sequence[Clause]) -> list[ClauseName]:
    return [name for clause in several for name in clause.names]


def _denials(several: Sequence[Clause]) -> tuple[str, ...]:
    return tuple(clause.negated for clause in several if clause.negated)


def _values_agree(one: Value, other: Value) -> bool:
    return (
        one.kind is other.kind
        and (one.key == other.key or one.kind is ValueKind.NUMBER)
        and one.agrees(other)
    )


def _opposites(mine: Sequence[Clause], theirs: Sequence[Clause], a: str, b: str) -> Iterator[Difference]:
    own = {stem: word for clause in mine for stem, word in clause.words}
    others = {stem: word for clause in theirs for stem, word in clause.words}
    for stem in own.keys() - others.keys():
        for other in others.keys() - own.keys():
            if frozenset((stem, other)) in OPPOSITES:
                yield Difference("negation", (own[stem], others[other]))
    if pair := opposed(a, b):
        yield Difference("negation", pair)


def _contrasts(a: str, b: str) -> Iterator[Difference]:
    """Small words of which each text has one, and not the other: before noon, after noon."""
    mine, theirs = ({token.fold for token in tokens(text)} for text in (a, b))
    for one, other in CONTRASTS:
        for first, second in ((one, other), (other, one)):
            if first in mine - theirs and second in theirs - mine:
                yield Difference("negation", (first, second))


def _manners(mine: Sequence[Clause], theirs: Sequence[Clause]) -> Iterator[Difference]:
    """Differences of manner between statements about the same; each of the shorter text is held against its nearest."""
    if len(mine) <= len(theirs):
        yield from (_meant_differently(clause, other) for clause, other in _nearest(mine, theirs))
    if len(theirs) <= len(mine):
        yield from (_meant_differently(other, clause) for clause, other in _nearest(theirs, mine))


def _nearest(some: Sequence[Clause], others: Sequence[Clause]) -> Iterator[tuple[Clause, Clause]]:
    """Each clause with the one that has the most in common with it, where the two are meant differently."""
    for clause in some if others else ():
        other = max(others, key=lambda one: (len(one.topic & clause.topic), not _apart(one, clause)))
        if _apart(clause, other):
            yield clause, other


def _apart(one: Clause, other: Clause) -> bool:
    return _lasting(one) != _lasting(other) or _changed_form(one, other) is not None


def _lasting(clause: Clause) -> tuple[str, frozenset[str]]:
    """Manner of a clause; what holds without more holds of all: backups run, and all backups always run."""
    return clause.manner.time, clause.manner.marks - {"all"}


def _changed_form(one: Clause, other: Clause) -> str | None:
    """A stem of both that tells of the past in one of them alone."""
    forms, others = past_forms(one.tokens), past_forms(other.tokens)
    return next((stem for stem in forms if stem in others and not forms[stem] & others[stem]), None)


def _meant_differently(one: Clause, other: Clause) -> Difference:
    if _lasting(one) != _lasting(other):
        return Difference("manner", (_meant(one), _meant(other)))
    stem = _changed_form(one, other)
    return Difference("manner", (_word_of(one, stem), _word_of(other, stem)))


def _meant(clause: Clause) -> str:
    return " ".join((clause.manner.time or "present", *sorted(clause.manner.marks)))


def _word_of(clause: Clause, stem: str | None) -> str:
    return next(token.text for token in clause.tokens if token.stem == stem)


def _unmatched(
    mine: Iterable[T],
    theirs: Iterable[T],
    agree: Callable[[T, T], bool],
    made: Callable[[T, T], Difference],
    within: Callable[[T, T], bool] = lambda _one, _other: True,
) -> Iterator[Difference]:
    """Of what is comparable, pairs of what only the first text has with what only the second has."""
    mine, theirs = list(mine), list(theirs)
    left = [one for one in mine if not any(within(one, other) and agree(one, other) for other in theirs)]
    right = [other for other in theirs if not any(within(one, other) and agree(one, other) for one in mine)]
    for one in left:
        other = next((other for other in right if within(one, other)), None)
        if other is not None:
            right.remove(other)
            yield made(one, other)


def _value_difference(one: Value, other: Value) -> Difference:
    return Difference("number" if one.kind is ValueKind.NUMBER else "date", (one.words, other.words))


def _name_difference(one: ClauseName, other: ClauseName) -> Difference:
    return Difference("name", (one.words, other.words))
