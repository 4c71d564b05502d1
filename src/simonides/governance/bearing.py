"""Whether a turn of the user bears out what somebody says of them: the same, word for word, but for the grammar.

Strict on purpose: what is not borne out is asked about, what is passes for the user's word. English, Russian, French
and Chinese; pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from simonides.governance.clauses import negation, sentences_of, whole_cuts
from simonides.governance.manner import manner
from simonides.governance.spoken import QUOTATION, own_words
from simonides.governance.synonyms import FILLERS, HAN_FILLERS, group_of
from simonides.governance.values import Value, values
from simonides.governance.wording import (
    ATTITUDES,
    COPULAS,
    HAN_LIGHT,
    HAN_NEGATORS,
    HAN_OPENERS,
    HAN_PERSONS,
    HAN_REPORTS,
    HAN_WISHES,
    IMPERATIVES,
    IMPERSONAL,
    JOINING,
    LEADS,
    LIMITS,
    MANNERS,
    NEGATORS,
    OBJECTS,
    OPENERS,
    PARTICLES,
    PERSONS,
    REPORTS,
    SIDES,
    STOP,
    TO_THE_LISTENER,
    UNSURE,
    WISHES,
    Shape,
    Token,
    stemmed,
)

#: A turn has more clauses than these: it is a text, of which the beginning counts.
_MOST_PIECES: Final = 60
_SPEAKER: Final = frozenset({"user", "we"})
_FREE: Final = frozenset({"want", "all"})
_ATTITUDES: Final = frozenset(group_of(stem) for stem in ATTITUDES)
_LEADS: Final = frozenset(group_of(stem) for stem in LEADS)
_CALLED: Final = frozenset(
    group_of(stemmed(word)) for word in ("name", "named", "called", "call", "nom", "зовут", "имя")
)
_OCCUPIED: Final = frozenset(
    group_of(stemmed(word)) for word in ("work", "works", "job", "profession", "occupation")
)
_JOINTS: Final = frozenset(",，、;；") | JOINING | {"or", "ou", "или"}
_COLONS: Final = frozenset(":：—–")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that tells something.

    Attributes:
        key: Forms of a word, and words that say the same, have one.
        part: The preposition before it, if any.
        place: Of its token.
    """

    key: str
    part: str
    place: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is compared: a clause, or what stands between two joints of one."""

    tokens: tuple[Token, ...]
    words: tuple[_Word, ...]
    values: tuple[Value, ...]


def bears_out(turn: str, text: str) -> bool:
    """Whether the sender of a turn says, in own words, every statement of a text.

    Each statement has to stand in one stretch of the turn, two neighbouring pieces at most: all its words in their
    order, its values exactly, with the same subject, polarity, time and certainty, and of no more than it was said of.
    """
    said = [
        _piece(sentence[start:end])
        for sentence, _ in sentences_of(text)
        for start, end in whole_cuts(sentence)
    ]
    if not any(piece.words for piece in said):
        return False
    stretches = _stretches(own_words(turn))
    return all(
        any(_says(heard, piece) for heard in stretches) for piece in said if piece.words or piece.values
    )


@lru_cache(maxsize=256)
def _stretches(words: str) -> tuple[_Piece, ...]:
    """What a speaker claims: pieces of sentences that are neither asked, guessed nor somebody else's, and pairs."""
    found: list[_Piece] = []
    before: tuple[Token, ...] = ()
    for sentence, asks in sentences_of(words):
        if asks or not _claims(sentence):
            before = ()
            continue
        for piece in _pieces(sentence):
            found.append(_piece(piece))
            if before:
                found.append(_piece((*before, *piece)))
            before = piece
        if len(found) > _MOST_PIECES:
            break
    return tuple(found)


def _claims(sentence: Sequence[Token]) -> bool:
    """Whether a sentence says something as the speaker's own claim."""
    folds = [token.fold for token in sentence]
    han = "".join(token.text for token in sentence if token.shape is Shape.HAN)
    if any(token.text == QUOTATION for token in sentence) or any(sign in han for sign in HAN_REPORTS):
        return False
    reports = [place for place, fold in enumerate(folds) if fold in REPORTS]
    if any(folds[max(place - 2, 0) : place] != ["as", "i"] for place in reports):
        return False
    unsure = UNSURE & set(folds)
    if "would" in unsure and {"like", "love", "prefer", "rather", "want"} & set(folds):
        unsure -= {"would"}
    return not unsure and not any(token.text == "may" for token in sentence)


def _pieces(sentence: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """A sentence, cut where a new subject begins behind a joint."""
    start = 0
    for at, token in enumerate(sentence[:-1]):
        following = sentence[at + 1]
        begins = following.fold in PERSONS or (token.text in "，；" and following.shape is Shape.HAN)
        announced = token.text in _COLONS and not _names_somebody(sentence[start:at])
        if at > start and (announced or (token.fold in _JOINTS and begins)):
            yield tuple(sentence[start:at])
            start = at + 1
    yield tuple(sentence[start:])


def _names_somebody(before: Sequence[Token]) -> bool:
    """Whether what stands before a colon may name who speaks behind it, or of what it is said."""
    return any(
        _tells(token) and token.fold not in OPENERS and token.stem not in LEADS for token in before
    ) or any(before[place].text not in HAN_OPENERS for place in _telling_han(before))


def _piece(words: Sequence[Token]) -> _Piece:
    taken = list(values(list(words)))
    inside = {place for start, end, _ in taken for place in range(start, end)}
    han = _telling_han(words)
    found: list[_Word] = []
    part = ""
    for place, token in enumerate(words):
        if place in inside:
            continue
        if token.fold in PARTICLES:
            part = token.fold
        elif token.shape is Shape.HAN:
            if place in han:
                found.append(_Word(token.text, "", place))
        elif _tells(token):
            key = group_of(token.stem)
            found.append(_Word("name" if key in _CALLED else key, part, place))
            part = ""
    return _Piece(tuple(words), tuple(found), tuple(value for _, _, value in taken))


def _tells(token: Token) -> bool:
    if token.shape not in {Shape.WORD, Shape.IDENTIFIER} or (
        token.shape is Shape.WORD and len(token.fold) < 2
    ):
        return False
    return token.fold not in STOP | COPULAS | FILLERS | NEGATORS | PERSONS.keys() | MANNERS.keys()


def _telling_han(words: Sequence[Token]) -> set[int]:
    """Places of the Chinese characters that carry something."""
    said = "".join(token.text if token.shape is Shape.HAN else " " for token in words)
    places = [
        place for place, token in enumerate(words) for _ in (token.text if token.shape is Shape.HAN else " ")
    ]
    for word in (*(person for person, _ in HAN_PERSONS), *HAN_NEGATORS):
        said = said.replace(word, " " * len(word))
    return {
        places[at]
        for at, sign in enumerate(said)
        if sign != " " and sign not in HAN_LIGHT and sign not in HAN_FILLERS
    }


# Comparing


def _says(heard: _Piece, said: _Piece) -> bool:
    found = _matched(heard, said)
    if found is None:
        return False
    first, last = (min(found), max(found)) if found else (0, len(heard.tokens) - 1)
    return (
        _same_subject(heard, said)
        and _nothing_left_out(heard, said, found, first, last)
        and _same_values(heard, said)
        and _same_manner(heard, said, last)
    )


def _matched(heard: _Piece, said: _Piece) -> list[int] | None:
    """Where the words of a statement stand in what was heard; None where one is missing, or has changed places."""
    left = list(heard.words)
    pairs: list[tuple[_Word, _Word]] = []
    for word in said.words:
        behind = pairs[-1][1].place if pairs else -1
        same = [other for other in left if other.key == word.key]
        other = next((one for one in same if one.place > behind), same[0] if same else None)
        if other is None:
            if _goes_without(word, heard):
                continue
            return None
        left.remove(other)
        pairs.append((word, other))
    if any(word.part != other.part and {word.part, other.part} - {""} for word, other in pairs):
        return None
    fixed = [other.place for word, other in pairs if not word.part]
    return [other.place for _, other in pairs] if fixed == sorted(fixed) else None


def _goes_without(word: _Word, heard: _Piece) -> bool:
    """Whether a word of a statement about the user needs no word of theirs: who says so, and that they wish it."""
    if word.key in _LEADS:
        return True
    folds = [token.fold for token in heard.tokens]
    if word.key in _ATTITUDES:
        return bool(WISHES & set(folds)) or _orders(heard)
    if word.key in HAN_WISHES:
        return any(token.text in HAN_WISHES for token in heard.tokens)
    present = [place for place, fold in enumerate(folds[:-1]) if fold in {"am", "suis"}]
    if word.key == "name":
        return any(heard.tokens[place + 1].capital for place in present)
    return word.key in _OCCUPIED and any(folds[place + 1] in {"a", "an"} for place in present)


def _orders(heard: _Piece) -> bool:
    """Whether a piece begins as an order does."""
    beginning = [token for token in heard.tokens if token.shape is Shape.WORD][:5]
    for token in beginning:
        if token.fold in IMPERATIVES:
            return True
        if token.fold in PERSONS:
            return False
    return False


def _same_subject(heard: _Piece, said: _Piece) -> bool:
    mine, theirs = _subject(said, listener="user"), _subject(heard, listener="you")
    if mine in _SPEAKER:
        asked = _orders(heard) or "please" in {token.fold for token in heard.tokens}
        if theirs is None or asked:
            return True
        return theirs in _SPEAKER
    if mine is None:
        return theirs is None or theirs in {"user", "we"}
    return mine == theirs


def _subject(piece: _Piece, listener: str) -> str | None:
    """Of whom the first pronoun speaks; None without one."""
    for place, token in enumerate(piece.tokens):
        if token.fold in IMPERSONAL:
            return "it"
        if token.fold in PERSONS:
            if token.fold in TO_THE_LISTENER:
                return listener
            return "object" if token.fold in OBJECTS and place else PERSONS[token.fold]
        if token.shape is Shape.HAN:
            following = "".join(other.text for other in piece.tokens[place : place + 2])
            for sign, person in HAN_PERSONS:
                if following.startswith(sign):
                    return listener if sign in {"你", "您"} else person
    return None


def _nothing_left_out(heard: _Piece, said: _Piece, found: Sequence[int], first: int, last: int) -> bool:
    """Whether what a statement leaves out changes nothing: no other subject, no verb between, no limit."""
    matched = set(found)
    if _limits(heard) - _limits(said):
        return False
    orders = _orders(heard)
    for word in heard.words:
        if word.place in matched or word.place > last:
            continue
        token = heard.tokens[word.place]
        if word.place < first and (
            token.fold in OPENERS or (orders and token.fold in IMPERATIVES) or token.text in HAN_WISHES
        ):
            continue
        if word.place < first and token.fold in WISHES:
            continue
        following = heard.tokens[word.place + 1] if word.place + 1 < len(heard.tokens) else token
        if word.place > first and following.fold in _JOINTS:
            continue  # One of several: tea and coffee.
        return False
    return True


def _limits(piece: _Piece) -> frozenset[str]:
    return frozenset(token.fold for token in piece.tokens) & LIMITS


def _same_values(heard: _Piece, said: _Piece) -> bool:
    """Whether both give the same numbers and dates, exactly."""
    if len(said.values) != len(heard.values) and not said.values and _counted(heard):
        return False
    if _sides(said) - _sides(heard):
        return False
    return all(any(_equal(value, other) for other in heard.values) for value in said.values)


def _sides(piece: _Piece) -> frozenset[str]:
    return frozenset(token.fold for token in piece.tokens) & SIDES


def _counted(heard: _Piece) -> bool:
    return any(value.key for value in heard.values)


def _equal(one: Value, other: Value) -> bool:
    if (
        one.kind is not other.kind
        or one.key != other.key
        or one.currency != other.currency
        or not one.agrees(other)
    ):
        return False
    if one.days:
        return all(_told(mine) <= _told(theirs) for mine, theirs in zip(one.days, other.days, strict=False))
    return (one.low, one.high) == (other.low, other.high) or bool(one.others or other.others)


def _told(day: object) -> set[str]:
    return {name for name in ("year", "month", "day", "weekday", "quarter") if getattr(day, name) is not None}


def _same_manner(heard: _Piece, said: _Piece, last: int) -> bool:
    theirs, mine = manner(heard.tokens), manner(said.tokens)
    if theirs.time != mine.time or theirs.marks - _FREE != mine.marks - _FREE:
        return False
    if "all" in mine.marks and "all" not in theirs.marks:
        return False
    return bool(_denied(said.tokens)) == bool(_denied(heard.tokens[: last + 1]))


def _denied(words: Sequence[Token]) -> str:
    return negation(words, "".join(token.text if token.shape is Shape.HAN else " " for token in words))
