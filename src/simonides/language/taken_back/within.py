"""Sentences that a turn takes back itself: "I have diabetes. Please forget that." says nothing that stands.

An order that points takes back the sentence right before it, and what that leans on; one of what was said takes back
all that stands before it. A question that is dismissed ("Never mind.") is taken back alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.provenance import FROM_USER
from simonides.domain.text import CJK
from simonides.language.clauses import sentences_of
from simonides.language.quoted import QUOTATION
from simonides.language.sentences import sentences
from simonides.language.spoken import LEFT_OUT, own_words, without_recalled
from simonides.language.taken_back.orders import (
    ForgetOrder,
    Reach,
    forget_order,
    may_order_to_forget,
    requests,
    runs_on_to_an_order,
)
from simonides.language.taken_back.turns import claims_what_is_named
from simonides.language.taken_back.wording import clauses_between_marks, only_leads, taking_back, wording_of
from simonides.language.tokens import Shape, tokens
from simonides.language.words import JOINING, POINTING, PRONOUNS, QUESTION_MARKS
from simonides.values import dataclass

#: Clauses at the end of a sentence that may be an order.
_MOST_CLAUSES: Final = 6
#: Sentences that one which is taken back leans on: "It was found in May."
_MOST_LEANT_ON: Final = 3
#: In what is somebody else's.
_QUOTING: Final = frozenset('"“”„«»「」『』`>|')
_COLONS: Final = frozenset(":：")
#: Point at whom or what the sentence before told of.
_LEANING: Final = (
    POINTING
    | JOINING
    | {
        word
        for forms in PRONOUNS.values()
        for word, who in forms.items()
        if who in {"he", "she", "they", "own"}
    }
)


@dataclass(frozen=True, slots=True)
class _PlacedOrder:
    """An order within a sentence.

    Attributes:
        alone: Nothing stands before it in its sentence.
        goes_on: The sentence says something else behind it.
        announces: That is what is to be forgotten: "Forget this right away: …", "Don't note this, but …".
    """

    order: ForgetOrder
    alone: bool
    goes_on: bool = False
    announces: bool = False


@kept(512, longest=None)
def taken_back_within(text: str) -> tuple[tuple[int, int], ...]:
    """Bounds of the sentences of a turn that it takes back, and of the orders by which it does, in their order.

    As `sentences` bounds them. What is quoted orders nothing.
    """
    if not may_order_to_forget(text):
        return ()
    bounds = sentences(text)
    gone: set[int] = set()
    for place, (start, end, mark) in enumerate(bounds):
        piece = text[start:end]
        if not _QUOTING.isdisjoint(piece):
            continue
        placed = _order_in(piece, asks=not QUESTION_MARKS.isdisjoint(mark), begins=place == 0)
        if placed is None:
            continue
        reached = set[int]() if placed.announces else set(_reached(text, bounds[:place], placed))
        gone |= reached
        if placed.announces or not placed.alone or (reached and not placed.goes_on):
            gone.add(place)
    return tuple(bounds[place][:2] for place in sorted(gone))


def without_taken_back(text: str) -> str:
    """A text without the sentences that it takes back itself, and without the orders by which it does."""
    gone = taken_back_within(text)
    if not gone:
        return text
    bounds = sentences(text)
    starts = [0, *(start for start, _, _ in bounds[1:]), len(text)]
    return "".join(
        text[start:end]
        for (first, stop, _), start, end in zip(bounds, starts, starts[1:], strict=False)
        if (first, stop) not in gone
    ).strip()


def words_that_stand(text: str) -> str:
    """Own words of a turn that it does not take back itself."""
    return own_words(without_taken_back(text))


def said_in(turn: Item) -> str:
    """Text of a turn to take at its sender's word: of a user the own words that stand, `LEFT_OUT` for quotations.

    Of everybody else all but what memory put into it: nobody takes that for the user's word.
    """
    if turn.origin not in FROM_USER:
        return without_recalled(turn.content)
    return words_that_stand(turn.content).replace(QUOTATION, LEFT_OUT)


def _order_in(piece: str, *, asks: bool, begins: bool) -> _PlacedOrder | None:
    """The order at the end of a sentence, or at its beginning.

    Args:
        begins: No other sentence stands before it.
    """
    # Between Chinese words a blank stands for a comma.
    read = [sentence for sentence, _ in sentences_of(_HAN_BLANK.sub("，", piece))]
    clauses = [clause for sentence in read for clause in clauses_between_marks(sentence)]
    if not clauses:
        return None
    leads = next(
        (at for at, clause in enumerate(clauses) if not only_leads(wording_of(clause))), len(clauses) - 1
    )
    for at in range(max(0, len(clauses) - _MOST_CLAUSES), len(clauses)):
        wording = wording_of([token for clause in clauses[at:] for token in clause])
        order = forget_order(wording)
        if order is None or order.discards or (asks and not requests(wording)):
            continue
        if order.reach is Reach.STATED and at < len(clauses) - 1 and forget_order(wording_of(clauses[at])):
            continue  # "Forget that, I live in Graz."
        return _PlacedOrder(order, alone=at <= leads)
    if asks:
        return None
    if runs_on_to_an_order(wording_of(clauses[-1])):
        return _PlacedOrder(ForgetOrder(Reach.POINTED), alone=False)
    wording = wording_of(clauses[leads])
    order = forget_order(wording)
    if order is None or order.discards or order.reach is Reach.DISMISSED or requests(wording):
        return None  # "You may forget that, but I don't."
    behind = wording_of([token for clause in clauses[leads + 1 :] for token in clause])
    announces = _ends_in_a_colon(piece, sum(map(len, clauses[: leads + 1]))) or (
        begins and _BUT.match(behind) is not None
    )
    return _PlacedOrder(order, alone=True, goes_on=True, announces=announces)


def _ends_in_a_colon(piece: str, words: int) -> bool:
    """True if a colon stands behind so many words of a sentence."""
    for token in tokens(piece):
        if token.shape is not Shape.MARK:
            words -= 1
        elif words <= 0:
            return token.text in _COLONS
    return False


def _reached(text: str, before: Sequence[tuple[int, int, str]], placed: _PlacedOrder) -> Iterator[int]:
    """Yield the places of the sentences before an order that it takes back."""
    pieces = [text[start:end] for start, end, _ in before]
    match placed.order.reach:
        case Reach.SAID | Reach.EVERYTHING:
            yield from range(len(before))
        case Reach.ABOUT | Reach.STATED:
            named = placed.order.named
            yield from (place for place, piece in enumerate(pieces) if claims_what_is_named(piece, named))
        case Reach.POINTED | Reach.DISMISSED | Reach.SAID_IT if placed.alone:
            place = len(pieces) - 1
            while place > 0 and only_leads(wording_of(tokens(pieces[place]))):
                place -= 1
            for leant in range(place, max(-1, place - _MOST_LEANT_ON - 1), -1):
                yield leant
                if not _leans(pieces[leant]):
                    return
        case _:
            return


def _leans(piece: str) -> bool:
    """True if a sentence begins with a word that points at the one before it."""
    words = [token for token in tokens(piece) if token.shape is not Shape.MARK]
    return bool(words) and (words[0].fold in _LEANING or _LEANS.match(words[0].text) is not None)


_LEANS: Final = taking_back("{han_leaning}")
_HAN_BLANK: Final = later(rf"(?<=[{CJK}])\s+(?=[{CJK}])")
_BUT: Final = taking_back(r"{but}(?: |$)|{han_but}")
