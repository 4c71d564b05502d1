"""Revisions: a statement that says a former one again with one value, name or noun in another's place, or denies it.

Strict on purpose: all other words are the same, in the same order and the same forms, so that no other subject, owner,
time, modality or number of things is taken for the one of which something is said. Pure; linear in the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from simonides.language import tables
from simonides.language.alignment import shared_beginning
from simonides.language.clauses import clauses, opened, sentences_of, what_holds
from simonides.language.decoration import undecorated
from simonides.language.manner import manner
from simonides.language.negation import ANY_USE, denied_plainly
from simonides.language.tokens import Shape, Token
from simonides.language.value import Value, ValueKind
from simonides.language.values import values
from simonides.language.words import (
    ADDING,
    ENDED,
    EVENTS,
    FREE,
    HAN_ADDING,
    HAN_CHANGES,
    HAN_ENDED,
    HAN_IS,
    HAN_NAMING,
    HAN_NEGATORS,
    HAN_PAST,
    HAN_PERSONS,
    HAN_SEVERAL,
    HAN_UNSURE,
    MANNERS,
    NE,
    NEGATORS,
    NOW,
    PAST,
    PERSONS,
    PREPOSITIONS,
    SEVERAL,
    STOP,
    SUBORDINATE,
    UNSURE,
)

#: The user as somebody else speaks of them, as they speak of themselves.
_USERS: Final = re.compile(r"\bthe user['’]s\b", re.IGNORECASE)
_USER: Final = re.compile(r"\bthe user (\w+)\b", re.IGNORECASE)
_FORMS: Final = {"has": "have", "je": "j"}
_FIRST_PERSON: Final = {"is": "am", "has": "have", "does": "do", "goes": "go"}
#: Words of a name, and of what stands at the end of a statement.
_MOST_OF_NAME: Final = 4
_MOST_WORDS: Final = 3
_MOST_SIGNS: Final = 6
_LEAST_BEFORE: Final = 2
#: No slot holds one: these say of whom, when, how surely or of how many.
_NEVER_REPLACED: Final = (
    STOP | ADDING | NEGATORS | PAST | UNSURE | PREPOSITIONS | PERSONS.keys() | MANNERS.keys() - {ANY_USE}
)
_HAN_NEVER_REPLACED: Final = (
    *HAN_NEGATORS,
    *HAN_PAST,
    *HAN_UNSURE,
    *HAN_ADDING,
    *(sign for sign, _ in HAN_PERSONS),
)
#: Roles of a name that tell nothing but whose name it is.
_NAMING_ROLES: Final = frozenset({"is", "called"})
_NAMING_SIGNS: Final = (HAN_IS, *(frame for frame, _ in HAN_NAMING))
_HAN_NOW: Final = str(tables.han("now"))
#: Deny by themselves; others deny a part of a statement.
_NOT: Final = tables.words("denying", among="clauses") | {ENDED}
_BEHIND_NE: Final = tables.words("plainly_denying", among="clauses")
_HAN_NOT: Final = (HAN_ENDED, *tables.han("denying"))
_DO: Final = frozenset({"do", "does"})
#: Before its subject, a statement names but when, where or with what it holds; "the" is no such word.
_BEFORE_A_SUBJECT: Final = SUBORDINATE | PREPOSITIONS - frozenset().union(*FREE.values())


def revises(former: str, text: str, *, as_correction: bool = False) -> bool:
    """True if a text says a former one again with another value at its end, or plainly denies or affirms it.

    Args:
        as_correction: The text was said as a correction. Only then may it put one noun in the place of another, one
            name in the place of another where there may be several, and tell otherwise what was or happened.
    """
    former_words, later = _statement(former), _statement(text)
    if former_words is None or later is None:
        return False
    later = _without_now(later, former_words)
    if _denies(former_words, later):
        return True
    if former_words[0].fold in _BEFORE_A_SUBJECT or manner(former_words) != manner(later):
        return False
    happened = manner(former_words).time == "past" or _tells_of_a_change(former_words)
    if happened and not as_correction:
        return False
    return (
        _another_value(former_words, later)
        or _another_name(former_words, later, former, text, as_correction)
        or (as_correction and _another_noun(former_words, later))
    )


def said_as_correction(turn: str, text: str) -> bool:
    """True if a sentence of a turn says a text behind words that announce a correction."""
    statement = _statement(text)
    if statement is None:
        return False
    return any(
        (start := opened(sentence)) and _keys(sentence[start:]) == _keys(statement)
        for sentence, asks in sentences_of(turn)
        if not asks
    ) or any(opened(sentence) for sentence, _ in sentences_of(text))


def _statement(text: str) -> list[Token] | None:
    """The one statement of a text, without what announces it as a correction; None where there are more, or it asks."""
    text = _USER.sub(lambda read: f"I {_first_person(read[1])}", _USERS.sub("my", undecorated(text)))
    read = list(sentences_of(text))
    if len(read) != 1 or read[0][1]:
        return None
    sentence = what_holds(read[0][0][opened(read[0][0]) :])
    while sentence and sentence[-1].shape is Shape.MARK:
        sentence = sentence[:-1]
    return list(sentence) or None


def _first_person(verb: str) -> str:
    fold = verb.casefold()
    if fold in _FIRST_PERSON:
        return _FIRST_PERSON[fold]
    return verb[:-1] if fold.endswith("s") and not fold.endswith("ss") else verb


def _without_now(later: list[Token], former: Sequence[Token]) -> list[Token]:
    """A statement without "now", where the one that it is held against has none."""
    if not any(token.fold in NOW for token in former):
        later = [token for token in later if token.fold not in NOW] or later
    han = "".join(token.text for token in later if token.shape is Shape.HAN)
    if _HAN_NOW in han and _HAN_NOW not in "".join(token.text for token in former):
        at = next(
            place
            for place in range(len(later))
            if "".join(t.text for t in later[place : place + 2]) == _HAN_NOW
        )
        later = [*later[:at], *later[at + 2 :]] or later
    return later


def _tells_of_a_change(words: Sequence[Token]) -> bool:
    han = "".join(token.text if token.shape is Shape.HAN else " " for token in words)
    return any(token.fold in EVENTS for token in words) or any(sign in han for sign in (*HAN_CHANGES, "了"))


def _keys(words: Sequence[Token]) -> list[str]:
    return [token.text.casefold() for token in words]


# Denials


def _denies(former: Sequence[Token], later: Sequence[Token]) -> bool:
    """True if of two statements of the same words one is denied and the other is not."""
    mine, theirs = (_plain(denied_plainly(one)) for one in (former, later))
    return theirs in _affirmed(former) or mine in _affirmed(later)


def _affirmed(words: Sequence[Token]) -> Iterator[list[str]]:
    """Words of a denied statement without what denies it; nothing where it is none."""
    plainly = denied_plainly(words)
    denied = [place for place, token in enumerate(plainly) if token.fold in _NOT]
    french = any(token.fold in NE for token in plainly)
    behind = [place for place, token in enumerate(plainly) if token.fold in _BEHIND_NE]
    if french and len(behind) == 1:
        yield _plain(
            [token for place, token in enumerate(plainly) if token.fold not in NE and place != behind[0]]
        )
    elif len(denied) == 1:
        yield _plain([token for place, token in enumerate(plainly) if place != denied[0]])
    if any(token.shape is Shape.HAN for token in words):
        text = "".join(_keys(plainly))
        for sign in _HAN_NOT:
            if text.count(sign) == 1:
                yield ["".join(_plain_han(text.replace(sign, "")))]


def _plain(words: Sequence[Token]) -> list[str]:
    """Words of a statement, of verbs the stems, without "do"; of Chinese the signs."""
    if any(token.shape is Shape.HAN for token in words):
        return ["".join(_plain_han("".join(_keys(words))))]
    return [_form(token) for token in words if token.fold not in _DO]


def _plain_han(text: str) -> str:
    return text.replace("了", "")


def _form(token: Token) -> str:
    """A word without the ending of the third person, which goes to "does"."""
    fold = token.text.casefold()
    long = token.shape is Shape.WORD and not token.capital and len(fold) > 2 and fold.isascii()
    if fold in _FORMS:
        return _FORMS[fold]
    return fold[:-1] if long and fold.endswith("s") and not fold.endswith("ss") else fold


# Slots


def _another_value(former: Sequence[Token], later: Sequence[Token]) -> bool:
    """True if but the last number, date or time is another, and nothing but what it counts stands behind it."""
    mine, theirs = list(values(former)), list(values(later))
    if not mine or len(mine) != len(theirs):
        return False
    (start, end, one), (first, last, other) = mine[-1], theirs[-1]
    return (
        start >= _LEAST_BEFORE
        and _keys(former[:start]) == _keys(later[:first])
        and _keys(former[end:]) == _keys(later[last:])
        and all(token.stem == one.noun for token in former[end:])
        and _of_one_kind(one, other)
        and not one.agrees(other)
        and not _restricts([value for _, _, value in mine[:-1]], one)
    )


def _of_one_kind(one: Value, other: Value) -> bool:
    return (
        one.kind is other.kind
        and one.key == other.key
        and not one.key.startswith("l:")
        and one.currency == other.currency
        and (one.low == one.high) == (other.low == other.high)
        and [_parts(day) for day in one.days[:1]] == [_parts(day) for day in other.days[:1]]
    )


def _parts(day: object) -> set[str]:
    return {name for name in ("year", "month", "day", "weekday", "quarter") if getattr(day, name) is not None}


def _restricts(before: Sequence[Value], last: Value) -> bool:
    """True if a date or time at the end says when something else holds: costs 500 in May, 5 mg at 9."""
    if last.kind is not ValueKind.DATE:
        return False
    if last.key == "day":
        return bool(before)
    return any(value.kind is ValueKind.NUMBER and not value.key.startswith("l:") for value in before)


def _another_name(
    was: Sequence[Token], later: Sequence[Token], former: str, text: str, as_correction: bool
) -> bool:
    """True if but the name at the end is another."""
    start = shared_beginning(_keys(was), _keys(later))
    while start > 1 and _is_of_a_name(was[start - 1]) and was[start - 1].fold not in _NEVER_REPLACED:
        start -= 1
    mine, theirs = was[start:], later[start:]
    if start < _LEAST_BEFORE or not (mine and theirs) or list(values(was)) or list(values(later)):
        return False
    if all(token.shape is Shape.HAN for token in (*mine, *theirs)):
        before = "".join(_keys(was[:start]))
        return (
            before.endswith(_NAMING_SIGNS)
            and (as_correction or not any(one in before for one in HAN_SEVERAL))
            and _may_be_replaced(mine)
            and _may_be_replaced(theirs)
        )
    if (
        not all(_is_of_a_name(token) for token in (*mine, *theirs))
        or max(len(mine), len(theirs)) > _MOST_OF_NAME
    ):
        return False
    if as_correction:
        return True
    role = _role(former)
    names_one_of_several = role in _NAMING_ROLES and any(token.fold in SEVERAL for token in was[:start])
    return role != "" and role == _role(text) and not names_one_of_several


def _is_of_a_name(token: Token) -> bool:
    return token.shape is Shape.IDENTIFIER or (token.shape is Shape.WORD and token.capital)


def _role(text: str) -> str:
    """Of what the last name of a text of one statement is the value."""
    read = clauses(text)
    return read[0].names[-1].role if len(read) == 1 and read[0].names else ""


def _another_noun(former: Sequence[Token], later: Sequence[Token]) -> bool:
    """True if but what stands at the end is another, and neither tells of whom, when or how."""
    start = shared_beginning(_keys(former), _keys(later))
    mine, theirs = former[start:], later[start:]
    if start < _LEAST_BEFORE or not (mine and theirs) or list(values(former)) or list(values(later)):
        return False
    return _may_be_replaced(mine) and _may_be_replaced(theirs)


def _may_be_replaced(words: Sequence[Token]) -> bool:
    if all(token.shape is Shape.HAN for token in words):
        written = "".join(_keys(words))
        return len(written) <= _MOST_SIGNS and not any(sign in written for sign in _HAN_NEVER_REPLACED)
    return len(words) <= _MOST_WORDS and all(
        token.shape is Shape.WORD and token.fold not in _NEVER_REPLACED for token in words
    )
