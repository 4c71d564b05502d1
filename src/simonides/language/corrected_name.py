"""Corrections that deny by name what was said, in whatever words: "I'm not at Orange but at OVH, my mistake.".

What is denied has to stand in the former statement, and whatever else the correction says in that as well, but for its
verb. Then the one is put in the place of the other. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from simonides.domain.kept import kept
from simonides.language.clauses import begins_correction, sentences_of
from simonides.language.quoted import without_quotations
from simonides.language.sentences import fold
from simonides.language.tables import worded, words
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import (
    ADDING,
    HAN_ADDING,
    NAMING,
    NEGATORS,
    OPENERS,
    PAST,
    PERSONS,
    PREPOSITIONS,
    STOP,
    UNSURE,
)

_LONGEST: Final = 240
#: Signs by which what takes the place of Chinese ones may be longer.
_MORE_SIGNS: Final = 2
#: Letters in which forms of a Russian word agree at least, and those that may differ at its end.
_ROOT: Final = 3
_ENDING: Final = 2
_PAUSE: Final = r"\s*[,，。.!！;:：…—–-]+\s*"
_LED: Final = worded(
    "put_right",
    rf"\W*(?:(?:(?:{{lead}}|{{wrong}})[\s,]+){{0,3}}(?:{{lead}}|{{wrong}}){_PAUSE}"
    r"|{han_wrong}[，,。！!:：\s]+|{han_lead})",
)
_TRAILED: Final = worded("put_right", rf"(?:{_PAUSE}(?:(?:{{sorry}}|{{wrong}})|[，,。]{{han_sorry}}))\W*$")
_BUT: Final = worded("put_right", "(?:{but})")
_NO_SUCH: Final = worded("put_right", "(?:{no_such})")
_ONLY: Final = worded("put_right", "(?:{only})")
_HAN_ONLY: Final = worded("put_right", "{han_only}")
_KIN: Final = worded("whose", r"(?<!\w)(?:{kin})(?!\w)|{han_kin}", flags=0)
_DENYING: Final = words("denying_of_owners") - {"n", "ne"} | {"不", "没"}
_BEING: Final = words("being", among="clauses")
_ARTICLES: Final = words("indefinite", among="clauses")
_SMALL: Final = STOP | NEGATORS | PREPOSITIONS | OPENERS | PERSONS.keys() | _BEING | _ARTICLES
_HAN_SMALL: Final = frozenset("我是在的了也就而课不没叫其实应该去和")
_SPEAKING: Final = frozenset({"user", "we"})
#: What somebody is in or at by now.
_HELD_BY_ONE: Final = frozenset({"place", "employer"})
_JOINTS: Final = frozenset(",，;；:—–")


class NamedCorrection(NamedTuple):
    """Words that a correction puts in the place of others.

    Attributes:
        old: As it stands in the former statement.
        new: As it stands in the correction.
        before: The preposition of what is new, where what is denied has another one: not in York but near Leeds.
        announced: The correction says that it is one: "my mistake".
    """

    old: str
    new: str
    before: str
    announced: bool


@kept(4096)
def names_what_it_corrects(text: str) -> bool:
    """True if a text may put something in the place of what it denies by name."""
    return len(text) <= _LONGEST and bool(_read(text))


def corrected_by_name(former: str, text: str) -> NamedCorrection | None:
    """Correction of a part of a former text that another one denies by name; None where it denies none."""
    if len(text) > _LONGEST or len(former) > _LONGEST or not names_what_it_corrects(text):
        return None
    mine = [token for token in tokens(former) if token.shape is not Shape.MARK]
    if any(token.fold in _DENYING | NEGATORS for token in mine):
        return None  # What was denied before is not put right by denying it again.
    for one in _read(text):
        if correction := _of(former, text, mine, one):
            return correction
    return None


class _Denial(NamedTuple):
    """A denial and what stands instead, as words without marks.

    Attributes:
        frame: What stands before both.
        denied: What stands behind the word that denies.
        given: What stands instead; empty where that is at the end of the frame: "at OVH, not at Orange".
    """

    frame: Sequence[Token]
    denied: Sequence[Token]
    given: Sequence[Token]
    announced: bool


@kept(512)
def _read(text: str) -> tuple[_Denial, ...]:
    rest, announced = text, begins_correction(text)
    if led := _LED.match(rest):
        rest, announced = rest[led.end() :], True
    if trailed := _TRAILED.search(rest):
        rest, announced = rest[: trailed.start()], True
    return tuple(
        one
        for sentence, asks in sentences_of(without_quotations(rest))
        if not asks
        for one in _denials(sentence, announced=announced)
    )


def _denials(sentence: Sequence[Token], *, announced: bool) -> Iterator[_Denial]:
    """Yield each way to read "not A but B", or "B, not A", in a sentence."""
    for at, token in enumerate(sentence):
        denies = token.fold in _DENYING or _NO_SUCH.fullmatch(token.fold)
        if not denies or _is_addition(sentence[at + 1 :]):
            continue
        frame = _plain(sentence[:at])
        for joint in range(at + 2, len(sentence) - 1):
            word = sentence[joint]
            marked = word.text in _JOINTS
            if not (marked or _BUT.fullmatch(word.fold) or word.text == "而"):
                continue
            behind = sentence[joint + 1 :]
            if marked and not (
                _BUT.fullmatch(behind[0].fold) or _leads_on(behind[0], sentence[at + 1 : joint])
            ):
                continue
            yield _Denial(frame, _plain(sentence[at + 1 : joint]), _until_mark(behind), announced)
            break
        else:
            if at and (sentence[at - 1].text in _JOINTS or _BUT.fullmatch(sentence[at - 1].fold)):
                yield _Denial(frame, _plain(sentence[at + 1 :]), (), announced)


def _leads_on(word: Token, denied: Sequence[Token]) -> bool:
    """True if a word behind a comma goes on with what was denied before it: not a café, it's a bar."""
    return word.fold in _SMALL | _HAN_SMALL or word.fold == denied[0].fold


def _is_addition(behind: Sequence[Token]) -> bool:
    """True for "not only A but also B"."""
    han = "".join(token.text for token in behind)
    return (
        any(_ONLY.fullmatch(token.fold) for token in behind[:2])
        or _HAN_ONLY.match(han) is not None
        or any(token.fold in ADDING for token in behind)
        or any(sign in han for sign in HAN_ADDING)
    )


def _of(former: str, text: str, mine: Sequence[Token], one: _Denial) -> NamedCorrection | None:
    old, before = _held_at_end(one.denied, mine), ""
    if one.given:
        led, given = list(one.denied[: len(one.denied) - len(old)]), one.given
        while len(old) > 1 and len(given) > 1 and old[0].fold == given[0].fold and _is_spaced(old[0]):
            led, old, given = [*led, old[0]], old[1:], given[1:]
        if len(old) > 1 and _held_from(old, mine) in {
            at + 1 for at, word in enumerate(mine) if word.fold in PERSONS
        }:
            led, old = [*led, old[0]], old[1:]  # The verb: I like | tea.
        if _is_preposition(given[0]) and _is_spaced(given[0]):
            at = max((at for at, word in enumerate(old) if _is_preposition(word)), default=-1) + 1
            led, old = [*led, *old[:at]], old[at:]
        beside = [*one.frame, *led]
        new = _without_lead(given, beside)
        for word in given[: len(given) - len(new)][-1:]:
            if word.fold in PREPOSITIONS and word.fold not in {other.fold for other in led}:
                before = word.text
    else:
        known = next((at for at, token in enumerate(one.frame) if not _is_known(token, mine)), len(one.frame))
        beside, new = one.frame[:known], one.frame[known:]
        if beside and len(old) > 1 and beside[-1].fold == old[0].fold:
            old = old[1:]  # Dr. Martens, not Dr. Mertens.
    fits = _fits(old, new, mine)
    if not (fits and _tells_of_the_same(former, mine, beside, one)):
        return None
    stands, instead = _as_written(_held_as(old, mine), former), _as_written(new, text)
    return NamedCorrection(stands, instead, before, one.announced) if stands and instead else None


def _as_written(words_: Sequence[Token], text: str) -> str:
    """Words in a row as they stand in a text, where they stand last."""
    if not words_:
        return ""
    row = r"\W*".join(re.escape(token.text) for token in words_)
    rows = re.findall(rf"(?<!\w){row}(?!\w|[/.-]\w)" if _is_spaced(words_[0]) else row, text)
    return str(rows[-1]) if rows else ""


def _tells_of_the_same(former: str, mine: Sequence[Token], beside: Sequence[Token], one: _Denial) -> bool:
    """True if whatever a correction says beside what it puts right is said in the former statement."""
    if not (one.announced or beside):
        return False
    between = " " if all(map(_is_spaced, beside)) else ""
    folded, kin = fold(former), _KIN.search(fold(between.join(word.text for word in beside)))
    if kin and kin[0] not in folded:
        return False
    persons = {PERSONS[token.fold] for token in beside if token.fold in PERSONS}
    of_mine = {PERSONS[token.fold] for token in mine if token.fold in PERSONS}
    if any(token.text == "我" for token in beside):
        persons.add("user")
    if any(token.text == "我" for token in mine):
        of_mine.add("user")
    own = not of_mine.isdisjoint(_SPEAKING) and _KIN.search(folded) is None
    if not kin and persons and own is persons.isdisjoint(_SPEAKING):
        return False
    otherwise = {token.fold for token in beside} - {token.fold for token in mine}
    if not _telling(beside) and not persons.isdisjoint(_SPEAKING):
        # "I'm not in Paris but in Nice." tells nothing of where one was born.
        rest = [word for word in _telling(mine) if _is_spaced(word) and not _is_held(word, one.denied)]
        of_today = not rest or NAMING.get(rest[0].stem) in _HELD_BY_ONE
        if not of_today or not PAST.isdisjoint(word.fold for word in mine):
            return False
    return otherwise.isdisjoint(PAST | UNSURE) and all(_is_known(token, mine) for token in beside)


def _is_known(token: Token, mine: Sequence[Token]) -> bool:
    """True for a word that tells nothing, or is in the former statement, or a verb that tells the same as one there."""
    role = NAMING.get(token.stem)
    return (
        _is_small(token)
        or _is_held(token, mine)
        or (role is not None and any(NAMING.get(other.stem) == role for other in mine))
    )


def _fits(old: Sequence[Token], new: Sequence[Token], mine: Sequence[Token]) -> bool:
    """True if words may take the place of others: of more only where they are of a name."""
    given, denied = _telling(new), _telling(old)
    if not given or not denied or all(_is_held(token, mine) for token in given):
        return False
    if any(token.fold in _BEING for token in new[1:]):
        return False  # not Python but Rust is fine
    if any(token.shape is Shape.HAN for token in given):
        return len(given) <= len(denied) + _MORE_SIGNS
    names = all(_is_of_a_name(token) for token in given)
    if len(given) > len(denied) and not (names and len(given) == len(denied) + 1):
        return False
    # "I'm not at Orange but at home." tells of the day.
    return names or not all(_is_of_a_name(token) for token in denied)


def _held_at_end(denied: Sequence[Token], mine: Sequence[Token]) -> Sequence[Token]:
    """The longest end of some words that stands in a row in others; without small words at its beginning."""
    for at in range(len(denied)):
        end = denied[at:]
        if not _is_preposition(end[0]) and _held_as(end, mine):
            return end
    return ()


def _held_as(words_: Sequence[Token], mine: Sequence[Token]) -> Sequence[Token]:
    size = len(words_)
    for at in range(len(mine) - size + 1):
        row = mine[at : at + size]
        if all(_is_one(one, other) for one, other in zip(words_, row, strict=True)):
            return row
    return ()


def _held_from(words_: Sequence[Token], mine: Sequence[Token]) -> int:
    """The place of some words where they stand in a row in others; -1 where they do not."""
    row = _held_as(words_, mine)
    return next((at for at, token in enumerate(mine) if row and token is row[0]), -1)


def _is_held(token: Token, mine: Sequence[Token]) -> bool:
    return any(_is_one(token, other) for other in mine)


def _is_one(one: Token, other: Token) -> bool:
    """True for two forms of one word."""
    if one.fold == other.fold or (one.shape is Shape.WORD and one.stem == other.stem):
        return True
    if not ("\u0400" <= one.fold[0] <= "\u04ff"):
        return False
    least = max(_ROOT, min(len(one.fold), len(other.fold)) - _ENDING)
    return one.fold[:least] == other.fold[:least]


def _without_lead(given: Sequence[Token], beside: Sequence[Token]) -> Sequence[Token]:
    """Words without those at their beginning that only lead to them, or were said before: it's a bar, I work at OVH."""
    folds = {token.fold for token in beside if not (token.fold in _ARTICLES or _is_of_a_name(token))}
    for at, token in enumerate(given):
        leads = _is_small(token) or token.fold in folds or _BUT.fullmatch(token.fold)
        if not leads or (_is_article(token) and at + 1 < len(given)):
            return given[at:]
    return ()


def _telling(words_: Sequence[Token]) -> list[Token]:
    return [token for token in words_ if not _is_small(token)]


def _is_small(token: Token) -> bool:
    return token.fold in _SMALL or (token.shape is Shape.HAN and token.text in _HAN_SMALL)


def _is_preposition(token: Token) -> bool:
    """True for a word that leads to others: a preposition, or "is"."""
    if not _is_spaced(token):
        return _is_small(token)
    return not _is_article(token) and (token.fold in PREPOSITIONS or token.fold in _BEING)


def _is_article(token: Token) -> bool:
    return token.text.casefold() in _ARTICLES  # "à" is none.


def _is_spaced(token: Token) -> bool:
    return token.shape is not Shape.HAN


def _is_of_a_name(token: Token) -> bool:
    return token.capital or token.shape in {Shape.IDENTIFIER, Shape.NUMBER}


def _plain(words_: Sequence[Token]) -> list[Token]:
    return [token for token in words_ if token.shape is not Shape.MARK]


def _until_mark(words_: Sequence[Token]) -> list[Token]:
    """Words up to the next mark but the stop of an abbreviation."""
    end = next(
        (at for at, token in enumerate(words_) if token.shape is Shape.MARK and token.text != "."),
        len(words_),
    )
    return _plain(words_[:end])
