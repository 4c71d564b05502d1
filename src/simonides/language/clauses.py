"""Statements of a text, taken apart for comparison: what they are about, and what they say of it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.language import tables
from simonides.language.changes import changed_plainly
from simonides.language.clause_names import (
    LOCATING,
    NO_NAME,
    ClauseName,
    begins_with_signs,
    is_topical,
    is_word,
    names_of_clause,
)
from simonides.language.decoration import undecorated
from simonides.language.manner import Manner, manner
from simonides.language.negation import denied_plainly
from simonides.language.quantities import CURRENCIES, NUMERALS
from simonides.language.sentences import counts
from simonides.language.tokens import MAX_CHARS, Shape, Token, tokens
from simonides.language.value import Value
from simonides.language.values import BOUNDS, values
from simonides.language.words import (
    ADDING,
    ASIDES,
    BEFORE_CORRECTING,
    BEHIND_CORRECTING,
    BEHIND_NE,
    BELYING,
    BUT,
    CHANGES,
    COPULAS,
    CORRECTING,
    DEFINITE,
    ENDED,
    HAN_ADDING,
    HAN_ASIDES,
    HAN_CHANGES,
    HAN_CORRECTING,
    HAN_ENDED,
    HAN_IS,
    HAN_LIGHT,
    HAN_NAMING,
    HAN_NEGATORS,
    HAN_NOT,
    HAN_NOT_NEGATING,
    HAN_OCCASIONS,
    HAN_OPPOSITES,
    HAN_PAST,
    HAN_PERSONS,
    HAN_SINCE,
    HAN_UNSURE,
    HAN_WORKING,
    INSTEAD,
    IRREGULAR_PASTS,
    JOINING,
    NAMING,
    NE,
    NEEDS_MARK,
    NEGATORS,
    OCCASION_PHRASES,
    OCCASIONS,
    PAST,
    PERSONS,
    PREPOSITIONS,
    PRESENT,
    QUESTION_MARKS,
    RELATIONS,
    SELDOM,
    SENTENCE_ENDS,
    SINCE,
    TITLES,
    UNSURE,
    WISHED,
    became,
)
from simonides.values import dataclass

#: Clauses of a text that are read: with it the cost of comparing two texts is bounded.
MOST_CLAUSES: Final = 24
#: Words that announce a correction stand within so many characters.
_OPENING_CHARS: Final = 120
_words: Final = partial(tables.words, among="clauses")
_FROM: Final = _words("from")
_TO: Final = _words("to")
_NEVER_THEN: Final = _words("never_then")
_BEFORE_A_TIME: Final = PREPOSITIONS | _words("before_times")
_BEFORE_A_NOUN: Final = _words("before_nouns")
_AUXILIARIES: Final = _words("auxiliaries")
_BEFORE_AUXILIARIES: Final = _words("before_auxiliaries")
_NO: Final = _words("no")
_NO_BEFORE: Final = later(
    rf"\s*(?:{'|'.join((*sorted(_NO), *tables.han('no')))})\s*(?:[,，.。!！:;—]|\s-\s)\s*(?=\S)",
    re.IGNORECASE,
)
_NOT: Final = _words("not")
_HAN_BUT: Final = str(tables.han("but"))
#: Before a value that is not the one: no longer 450 but 480.
_TAKEN_BACK: Final = _words("taken_back") | {ENDED}
_INSTEAD_OF: Final = tables.phrases("instead_of")
_NOT_ONLY: Final = frozenset(tables.phrases("not_only"))
_BEGIN_OCCASIONS: Final = frozenset(phrase[0] for phrase in OCCASION_PHRASES)
_AT_PRESENT: Final = _words("at_present")
#: Beside an amount of money: the time for which most of them are due, and what is done with it.
_MONTHLY: Final = _words("monthly")
_PAYING: Final = _words("paying")
_HAN_DUE: Final = (*tables.han("monthly"), *tables.han("paying"))
_RUSSIAN_PASTS: Final = tuple(sorted(_words("past_endings")))


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement.

    Attributes:
        topic: Stems of what it is about, names included, values and light words not.
        words: Stem to word as written, for those of the topic.
        persons: Of whom pronouns speak.
        negated: The word that denies it; empty where none or an even number does.
        plain: It says what is so: neither a question nor a guess.
        limits: Those of the values to which it is restricted, and not since when it is so.
        adds: It adds to what is known ("also", "another").
        past: It says what was so.
        manner: Of what time, how surely and of how many it is meant.
        tokens: All of it, in order.
        relations: Words of the topic, each with the kind of preposition before it, which is empty where none is.
        occasions: Times of the year, feasts and the like at which it is so.
    """

    topic: frozenset[str]
    words: tuple[tuple[str, str], ...]
    names: tuple[ClauseName, ...]
    values: tuple[Value, ...]
    persons: frozenset[str]
    limits: tuple[Value, ...]
    negated: str
    plain: bool
    adds: bool
    past: bool
    manner: Manner
    tokens: tuple[Token, ...]
    relations: frozenset[tuple[str, str]]
    occasions: frozenset[str]


def clauses(text: str) -> tuple[Clause, ...]:
    """The statements of a text in order, at most `MOST_CLAUSES`."""
    return _clauses(text[:MAX_CHARS])


@kept(1024, longest=None)
def _clauses(text: str) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    text = undecorated(text)
    if " " in text and text.isupper():
        text = text.lower()  # Who writes all in capitals marks no name by them.
    for words, asks in _sentences(tokens(text)):
        plain = changed_plainly(denied_plainly(words[opened(words) :]))
        for sentence in _with_exceptions(what_holds(plain)):
            taken = list(values(sentence))
            for start, end in _cuts(sentence, taken):
                clauses.append(_clause(sentence, start, end, taken, asks=asks))
                if len(clauses) == MOST_CLAUSES:
                    return tuple(clauses)
    return tuple(clauses)


def _sentences(everything: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    sentence: list[Token] = []
    for at, token in enumerate(everything):
        if _makes_ordinal(everything, at):
            continue
        if token.text in SENTENCE_ENDS:
            titled = bool(sentence) and sentence[-1].capital and sentence[-1].fold in TITLES
            if titled and token.text == "." and at + 1 < len(everything) and everything[at + 1].capital:
                continue  # Dr. Moss
            if sentence:
                yield sentence, token.text in QUESTION_MARKS
            sentence = []
        else:
            sentence.append(token)
    if sentence:
        yield sentence, False


def _makes_ordinal(everything: Sequence[Token], at: int) -> bool:
    """True if a full stop belongs to a number that counts, as in "am 3. Juli", and ends no sentence."""
    if everything[at].text != "." or not 0 < at < len(everything) - 1:
        return False
    number, counted = everything[at - 1], everything[at + 1]
    if number.shape is not Shape.NUMBER or len(number.text) > 2 or not is_word(counted):
        return False
    before = [token.fold for token in everything[max(at - 3, 0) : at - 1]]
    return counts(before[-1] if before and before != ["i", "am"] else "", counted.text)


def corrects(text: str) -> bool:
    """True if a text begins with words by which people correct what they said before, or takes back a value."""
    first = next(_sentences(tokens(text[:MAX_CHARS])), None)
    sentence = first[0] if first else []
    plain = denied_plainly(sentence)
    return opened(sentence) > 0 or len(what_holds(plain)) < len(plain) or bool(_put_instead(sentence))


def begins_correction(text: str) -> bool:
    """True if a text begins with words that only announce a correction: "Actually", "Correction:", "Вообще-то"."""
    first = next(_sentences(tokens(text[:_OPENING_CHARS])), None)
    return first is not None and opened(first[0]) > 0


def without_no(text: str) -> str:
    """A text without the "No," that it begins with, if it does; that corrects, or answers, what was said before it."""
    match = _NO_BEFORE.match(text)
    return text[match.end() :] if match else text


def stands_for_another(text: str) -> str:
    """Kind of a text that but puts a `name` or a `place` in the stead of another: "No, it's Linz", "Нет, в Линце"."""
    first = next(_sentences(tokens(text[:MAX_CHARS])), None)
    return _put_instead(first[0]) if first else ""


def _put_instead(sentence: Sequence[Token]) -> str:
    start = opened(sentence)
    denied = bool(sentence) and sentence[0].fold in _NO
    if not (start or (denied and len(sentence) > 2)) or not any(
        token.text in ",，" for token in sentence[: start + 2]
    ):
        return ""
    rest = [token for token in sentence[start:] if is_word(token)]
    before = 0
    while before < len(rest) and rest[before].fold in INSTEAD | _NO:
        before += 1
    names = rest[before:]
    if not names or len(names) > 3 or not all(token.capital and token.fold not in NO_NAME for token in names):
        return ""
    if list(values(names)):
        return ""
    return "place" if rest[before - 1].fold in LOCATING and before else "name"


def opened(sentence: Sequence[Token]) -> int:
    """Start of what a sentence says, behind words that only announce a correction; 0 where none stand there."""
    end = at = 0
    while at < len(sentence):
        if (
            sentence[at].fold in BEFORE_CORRECTING
            or (end and sentence[at].fold in BEHIND_CORRECTING)
            or (at and not is_word(sentence[at]))
        ):
            at += 1
        elif length := _correcting(sentence, at):
            at += length
            end = at
        else:
            break
    while 0 < end < len(sentence) and (not is_word(sentence[end]) or sentence[end].fold in BEHIND_CORRECTING):
        if sentence[end].fold in CURRENCIES:
            break
        end += 1
    return end


def _correcting(sentence: Sequence[Token], at: int) -> int:
    """Number of tokens from here on that announce a correction."""
    for length in range(min(5, len(sentence) - at), 0, -1):
        folds = tuple(token.fold for token in sentence[at : at + length])
        marked = at + length == len(sentence) or not is_word(sentence[at + length])
        if folds in CORRECTING and (marked or folds[0] not in NEEDS_MARK):
            behind = {token.fold for token in sentence[at + length : at + length + 2]}
            return 0 if folds[-1] in BELYING and not behind.isdisjoint(BEHIND_CORRECTING) else length
    return next((len(word) for word in HAN_CORRECTING if begins_with_signs(sentence, at, (word,))), 0)


def what_holds(sentence: list[Token]) -> list[Token]:
    """A sentence without what it takes back: of "no longer 450 but 480", and of "480, not 450", only 480 is left."""
    for at, token in enumerate(sentence):
        if token.fold in _TAKEN_BACK or token.text in {HAN_NOT, HAN_ENDED}:
            behind = _behind_but(sentence, at)
            if behind is not None:
                kept = [word for word in sentence[at + 1 : behind[0]] if _is_verb_left(word)]
                head = [word for word in sentence[:at] if word.fold not in NE or at < 1]
                return [*head, *kept[: _first_value(sentence[at + 1 : behind[0]])], *sentence[behind[1] :]]
        first = _taken_back(sentence, at)
        if first is not None:
            end = first
            while end < len(sentence) and _is_given(sentence[end]):
                end += 1
            if end > first:
                return [*sentence[:at], *sentence[end:]]
    return sentence


def _with_exceptions(sentence: list[Token]) -> Iterator[list[Token]]:
    """A sentence, and what it denies at its end: "on Fridays, never on Sundays" says two things."""
    for at, token in enumerate(sentence):
        if not at or not (token.text in ",，" or token.fold in BUT):
            continue
        behind = at + 1
        while behind < len(sentence) and sentence[behind].fold in BUT | JOINING:
            behind += 1
        denied = behind
        while denied < len(sentence) and sentence[denied].fold in _NEVER_THEN:
            denied += 1
        if denied == behind or denied == len(sentence):
            continue
        own, rest = values(sentence[:at]), list(values(sentence[denied:]))
        inside = {place for start, end, _ in rest for place in range(start, end)}
        first = next((start for start, _, _ in own), None)
        if first is None or not all(
            place in inside or word.fold in _BEFORE_A_TIME for place, word in enumerate(sentence[denied:])
        ):
            continue
        while first and sentence[first - 1].fold in _BEFORE_A_TIME:
            first -= 1
        yield sentence[:at]
        yield [*sentence[:first], *sentence[behind:]]
        return
    yield sentence


def _behind_but(sentence: Sequence[Token], at: int) -> tuple[int, int] | None:
    """Place of a "but" that gives another value than what is denied from a place on, and of what is behind it."""
    for place in range(at + 2, min(at + 14, len(sentence) - 1)):
        token = sentence[place]
        han_but = begins_with_signs(sentence, place, (_HAN_BUT,)) or (
            token.text == HAN_IS and sentence[place - 1].text in ",，"
        )
        if (token.fold in BUT or han_but) and any(_is_given(word) for word in sentence[at + 1 : place]):
            given = any(_is_given(word) for word in sentence[place + 1 : place + 5])
            return (place, place + 1) if given else None
    return None


def _first_value(words: Sequence[Token]) -> int:
    """Number of words of a denied part that are its verb: those before its preposition or value."""
    place = next(
        (n for n, word in enumerate(words) if _is_given(word) or word.fold in PREPOSITIONS), len(words)
    )
    return sum(_is_verb_left(word) for word in words[:place])


def _is_verb_left(word: Token) -> bool:
    return is_word(word) and word.text != HAN_IS


def _taken_back(sentence: Sequence[Token], at: int) -> int | None:
    """Start of a value that is taken back behind what is given: 480, not 450; 480 instead of 450."""
    if not at:
        return None
    folds = tuple(token.fold for token in sentence[at : at + 3])
    if sentence[at].text in ",，" and folds[1:2] and folds[1] in _NOT:
        return at + 2
    return next((at + len(words) for words in _INSTEAD_OF if folds[: len(words)] == words), None)


def _is_given(token: Token) -> bool:
    """True if a token is a value or a name by its looks."""
    if token.shape in {Shape.NUMBER, Shape.DATE, Shape.CLOCK, Shape.IDENTIFIER}:
        return True
    return token.fold in CURRENCIES or token.fold in NUMERALS or (token.shape is Shape.WORD and token.capital)


def sentences_of(text: str) -> Iterator[tuple[list[Token], bool]]:
    """The sentences of a text as tokens, and whether each is a question."""
    return _sentences(tokens(text))


def whole_cuts(sentence: Sequence[Token]) -> list[tuple[int, int]]:
    """Bounds of a sentence's clauses, the reason or circumstance at its end included."""
    cuts = list(_cuts(sentence, list(values(sentence))))
    return [*cuts[:-1], (cuts[-1][0], len(sentence))] if cuts else []


def _cuts(sentence: Sequence[Token], taken: Sequence[tuple[int, int, Value]]) -> Iterator[tuple[int, int]]:
    """Bounds of a sentence's clauses.

    A sentence ends where a reason begins. It is cut at a joint only where a whole statement stands before it: "Ana
    and Ben have three cats" is one statement.
    """
    inside = {place for start, end, _ in taken for place in range(start, end)}
    start = 0
    complete = topical = False
    for at, token in enumerate(sentence):
        if at in inside:
            complete = complete or topical
            topical = topical or is_topical(token)
            continue
        if at > start and (
            (token.fold in ASIDES and not _is_a_car(sentence, at))
            or begins_with_signs(sentence, at, HAN_ASIDES)
        ):
            yield start, at
            return
        if token.stem in NAMING or token.fold in COPULAS or (token.text == HAN_IS and at > start):
            complete = True
        comma = token.text in ",，、"
        if at > start and complete and (token.fold in JOINING or (comma and _verb_follows(sentence, at))):
            yield start, at
            start, complete, topical = at + 1, False, False
        else:
            topical = topical or is_topical(token)
    if start < len(sentence):
        yield start, len(sentence)


def _is_a_car(sentence: Sequence[Token], at: int) -> bool:
    """True if "car" is the English noun, and not the French joint."""
    return sentence[at].fold == "car" and sentence[at - 1].fold in _BEFORE_A_NOUN


def _verb_follows(sentence: Sequence[Token], at: int) -> bool:
    """True if a statement of its own begins behind a comma."""
    following = sentence[at + 1 : at + 8]
    return any(
        token.fold in COPULAS or token.stem in NAMING or token.fold in PRESENT or token.text == HAN_IS
        for token in following
    ) or bool(following and following[0].shape is Shape.HAN)


def _clause(
    sentence: Sequence[Token], start: int, end: int, taken: Sequence[tuple[int, int, Value]], *, asks: bool
) -> Clause:
    spans = [(first, last, value) for first, last, value in taken if start <= first and last <= end]
    current = _current(sentence, start, end, spans)
    inside = {place for first, last, _ in spans for place in range(first, last)}
    rest = [(at, sentence[at]) for at in range(start, end) if at not in inside]
    folds = {token.fold for _, token in rest}
    han = "".join(token.text if token.shape is Shape.HAN else " " for _, token in rest)
    names, named, givers = names_of_clause(sentence, [at for at, _ in rest], start)
    topic: dict[str, str] = {}
    # "Me he mudado": an auxiliary in Spanish, a person in English.
    spoken = folds - _AUXILIARIES if folds & _BEFORE_AUXILIARIES else folds
    persons = {PERSONS[fold] for fold in spoken if fold in PERSONS}
    for at, token in rest:
        if at + 1 in inside and token.fold in DEFINITE:
            continue  # The article of a day: auf den 4. Mai.
        if at in named or (token.shape is Shape.WORD and at not in givers and is_topical(token)):
            topic.setdefault(token.stem, token.text)
    for name in names:
        topic |= dict.fromkeys(name.parts, name.words)
    topic |= {
        f"{value.key}{value.low:g}": value.words for value in current if _is_subject(sentence, start, value)
    }
    current = [value for value in current if not _is_subject(sentence, start, value)]
    if any(value.key == "money" for value in current):
        topic = _topic_of_amount(topic, rest) | (
            _han_topic(_without(han, _HAN_DUE), names) or _han_topic(han, names)
        )
    else:
        topic |= _han_topic(han, names)
    persons |= _han_persons(han)
    changes = bool(folds & CHANGES) or any(word in han for word in HAN_CHANGES)
    return Clause(
        topic=frozenset(topic),
        words=tuple(topic.items()),
        names=names,
        values=tuple(current),
        persons=frozenset(persons),
        limits=tuple(
            value
            for first, _, value in spans
            if value in current and not _begins_then(sentence, start, first)
        ),
        negated=negation([token for _, token in rest], han),
        plain=not asks
        and not _unsure([token for _, token in rest])
        and not _may_be([token for _, token in rest])
        and not any(word in han for word in HAN_UNSURE),
        adds=bool(folds & ADDING) or any(word in han for word in HAN_ADDING),
        past=not changes and _is_past([token for _, token in rest], han),
        manner=manner(sentence[start:end]),
        tokens=tuple(sentence[start:end]),
        relations=frozenset(_relations(sentence, start, end, inside, topic)),
        occasions=frozenset(_occasions([token.fold for _, token in rest], han)),
    )


def _topic_of_amount(topic: dict[str, str], rest: Sequence[tuple[int, Token]]) -> dict[str, str]:
    """Topic of what tells an amount of money: "I pay 730 euros rent a month" tells of the rent, as "My rent is 730"."""
    when, paying = (
        {token.stem for _, token in rest if token.fold in words} for words in (_MONTHLY | SINCE, _PAYING)
    )
    left = {stem: word for stem, word in topic.items() if stem not in when}
    return {stem: word for stem, word in left.items() if stem not in paying} or left


def _without(han: str, words: Sequence[str]) -> str:
    for word in words:
        han = han.replace(word, " ")
    return han


def _relations(
    sentence: Sequence[Token], start: int, end: int, inside: Container[int], topic: Container[str]
) -> Iterator[tuple[str, str]]:
    kind = ""
    for at in range(start, end):
        token = sentence[at]
        if at in inside or not is_word(token):
            kind = ""  # "From 500 to 700": of a value the preposition tells nothing of the thing.
        elif token.fold in RELATIONS:
            kind = RELATIONS[token.fold]
        elif token.stem in topic:
            yield token.stem, kind
            kind = ""


def _occasions(folds: Sequence[str], han: str) -> Iterator[str]:
    for at, fold in enumerate(folds):
        if fold in OCCASIONS:
            yield fold
        if fold in _BEGIN_OCCASIONS:
            yield from (
                " ".join(phrase)
                for phrase in OCCASION_PHRASES
                if tuple(folds[at : at + len(phrase)]) == phrase
            )
    if not han.isspace():
        yield from (sign for sign in HAN_OCCASIONS if sign in han)


#: Behind "may" these tell what is possible; what is done may be permitted.
_POSSIBLE: Final = _words("possible")
_BETWEEN_MAY: Final = _words("between_may")
_IMPERSONAL: Final = _words("impersonal")


def _may_be(rest: Sequence[Token]) -> bool:
    """True if "may" tells what is possible; in "guests may park here" it permits."""
    for at, token in enumerate(rest):
        if token.text != "may":
            continue
        following = [word.fold for word in rest[at + 1 : at + 5] if word.fold not in _BETWEEN_MAY]
        impersonal = at > 0 and rest[at - 1].fold in _IMPERSONAL
        if impersonal or not following or following[0] in _POSSIBLE:
            return True
    return False


def _unsure(rest: Sequence[Token]) -> bool:
    """True if a clause guesses; "I would like" does not."""
    return any(
        token.fold in UNSURE
        and not became(token)
        and not (token.fold == "would" and any(word.fold in WISHED for word in rest[at + 1 : at + 4]))
        for at, token in enumerate(rest)
    )


def _current(
    sentence: Sequence[Token], start: int, end: int, spans: Sequence[tuple[int, int, Value]]
) -> list[Value]:
    """The values that hold now: of "raised from 500 to 700" the second."""
    current: list[Value] = []
    for number, (first, last, value) in enumerate(spans):
        before = sentence[first - 1].fold if first > start else ""
        following = spans[number + 1] if number + 1 < len(spans) else None
        left = (
            before in _FROM
            and following is not None
            and following[2].comparable(value)
            and 0 < following[0] - last <= 2
            and sentence[following[0] - 1].fold in _TO
            and any(token.fold in CHANGES for token in sentence[start:end])
        )
        if not left:
            current.append(value)
    return current


def _begins_then(sentence: Sequence[Token], start: int, first: int) -> bool:
    """True if a time is that from which on something is so."""
    return any(
        token.fold in SINCE or token.text in HAN_SINCE for token in sentence[max(start, first - 2) : first]
    )


def _is_subject(sentence: Sequence[Token], start: int, value: Value) -> bool:
    """True if a number only tells what the statement is about: "Room 5 is booked"."""
    return value.key.startswith("l:") and any(
        value.key == f"l:{token.stem}" for token in sentence[start : start + 2]
    )


def _is_past(rest: Sequence[Token], han: str) -> bool:
    folds = {token.fold for token in rest}
    if any(word in han for word in HAN_PAST):
        return True
    if "used" in folds and not folds & {"is", "are"}:
        return True
    if folds & PAST:
        return not folds & _AT_PRESENT
    if folds & PRESENT:
        return False
    for token in rest:
        if token.shape is not Shape.WORD or token.capital:
            continue
        if token.fold in IRREGULAR_PASTS or (len(token.fold) > 4 and token.fold.endswith("ed")):
            return True
        russian = "\u0400" <= token.fold[0] <= "\u04ff" and len(token.fold) > 4
        if russian and token.fold.endswith(_RUSSIAN_PASTS):
            return True
    return False


# Chinese


def _han_topic(han: str, names: Sequence[ClauseName]) -> dict[str, str]:
    """Characters that carry a topic; names stand for themselves."""
    for word, _ in (*HAN_PERSONS, *((negator, "") for negator in HAN_NEGATORS)):
        han = han.replace(word, " ")
    for frame, _ in HAN_NAMING:
        for name in names:
            han = han.replace(frame + name.words, " ")
    for name in names:
        for word in HAN_WORKING:
            han = han.replace(f"在{name.words}{word}", " ")
    return {character: character for character in han if character != " " and character not in HAN_LIGHT}


def _han_persons(han: str) -> set[str]:
    persons: set[str] = set()
    for word, person in HAN_PERSONS:
        if word in han:
            persons.add(person)
            han = han.replace(word, " ")
    return persons


# Negation


def negation(rest: Sequence[Token], han: str) -> str:
    """The word that denies a clause; empty where an even number of them leaves it standing."""
    negators: list[str] = []
    ne = -1
    for at, token in enumerate(rest):
        following = rest[at + 1].fold if at + 1 < len(rest) else ""
        if token.fold in NE and any(word.fold in BEHIND_NE for word in rest[at:]):
            ne = at
            negators.append(token.text)
        elif 0 <= ne < at and token.fold in BEHIND_NE:
            continue  # With "ne" it is one negation.
        elif (
            token.fold in SELDOM
            or token.fold == "pas"
            or (
                token.fold in NEGATORS
                and (token.fold, following) not in _NOT_ONLY
                and not _begins_bound(rest, at)
            )
        ):
            negators.append(token.text)
    if any("\u0400" <= token.fold[0] <= "\u04ff" for token in rest if token.fold in NEGATORS):
        return negators[0] if negators else ""  # In Russian two negations are one: никогда не.
    han = HAN_NOT_NEGATING.sub(" ", han)
    for word in HAN_NEGATORS:
        negators += [word] * han.count(word)
        han = han.replace(word, " ")
    return negators[0] if len(negators) % 2 else ""


def _begins_bound(rest: Sequence[Token], at: int) -> bool:
    """True if a denial only begins a bound: no more than 50 people."""
    return any(" ".join(token.fold for token in rest[at : at + length]) in BOUNDS for length in (2, 3))


def opposed(one: str, other: str) -> tuple[str, str] | None:
    """Two Chinese words of which one denies the other, one in each text."""
    for first, second in HAN_OPPOSITES:
        if first in one and second in other and second not in one and first not in other:
            return first, second
        if second in one and first in other and first not in one and second not in other:
            return second, first
    return None
