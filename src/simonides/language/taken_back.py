"""Turns that take back what their speaker said in the turn before: "Forget that.", "Sorry, wrong window.".

What names it reaches further back: "By the way, I don't live in Graz.", "What I said about Graz was a joke."

In doubt nothing is taken back: "That's wrong" may be about the answer, "Forget it" about what was offered in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.language.clauses import sentences_of
from simonides.language.forget_orders import (
    ForgetOrder,
    Reach,
    any_of,
    forget_order,
    forget_order_of,
    led_up,
    only_leads,
    requests,
    trailed,
    wording_of,
)
from simonides.language.tables import words as words_of
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import COURTESIES, FIRST_PERSON, NEGATORS, OPENERS, PRAISE, PRONOUNS, STOP
from simonides.values import dataclass

#: Of a turn that takes back; what is longer says something of its own.
_LONGEST: Final = 240
_LONGEST_CLAUSE: Final = 100
#: Longer answers say something, whatever they acknowledge.
_LONGEST_ANSWER: Final = 400
#: Clauses of a sentence of which every row is read as an order.
_MOST_CLAUSES: Final = 4
#: An answer of so few words acknowledges where all of them are such: "That's great."
_FEW_WORDS: Final = 4
_LITTLE: Final = PRAISE | COURTESIES | OPENERS | STOP
#: Words of whoever speaks: pronouns, and forms of verbs that need none.
_OWN: Final = FIRST_PERSON | {
    word for forms in PRONOUNS.values() for word, who in forms.items() if who == "user"
}
_DENYING: Final = NEGATORS | words_of("denying_of_owners")
#: Say that what was so is so no more: nobody takes anything back by that.
_ENDED: Final = words_of("ended", among="taken_back")
#: Say nothing of what they stand beside: "übrigens", "really".
_BESIDE: Final = words_of("beside", among="taken_back")
_RUSSIAN_I: Final = re.compile("[а-я]+(?:ю|у|юсь|усь)")
_HAN_NOT: Final = frozenset("不没")
#: Signs of a denial that name nothing: "其实我不住那儿".
_HAN_LITTLE: Final = frozenset("我不没也又是了的啊呀吧呢哦其实根本真并那这儿里在")


def takes_back(former: str, answers: Sequence[str], text: str) -> bool:
    """True if a turn takes back what its speaker said in the turn before.

    Said outright ("I was joking", "wrong window", "I don't live in Graz") that holds whatever was answered; what only
    points ("That's not true.", "Forget that.") counts where nothing was said between the two but that it was heard.

    Args:
        former: The turn before, or a statement of it.
        answers: Turns of others between the two.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    if read.outright or (read.statement and _denies(read.statement, former)):
        return True
    if any(_is_stated(named, former) for named in read.stated):
        return True
    points = read.points and all(_denies(clause, former) for clause in read.besides)
    return (points or read.dismisses) and all(map(acknowledges, answers))


def unsays(former: str, text: str) -> bool:
    """True if a turn takes back, by name, what its speaker said any time before, or all of it.

    Args:
        former: The former turn, or a statement of it.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    if read.everything:
        return True
    claims = _claims(former) if read.about or read.stated or read.denying else ()
    return _orders_back(read, claims) or any(
        _denies(clause, claim, by_name=True) for clause in read.denying for claim in claims
    )


def retracts(former: str, text: str) -> bool:
    """True if a turn takes back, outright and by name, what its speaker said in whatever conversation.

    "What I said about my dog was a joke.", "Forget that I have a dog.", "That was a joke, I don't have a dog." A denial
    alone does not: weeks later "I don't have a dog." tells what is so by now.

    Args:
        former: A statement of theirs.
    """
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    claims = _claims(former) if read.about or read.stated or read.denying else ()
    return _orders_back(read, claims) or any(
        _denies(clause, claim, by_name=True)
        for clause in (read.denying if read.outright else ())
        for claim in claims
    )


def names_what_it_retracts(text: str) -> bool:
    """True if a turn may take back something by name, whenever that was said."""
    if len(text) > _LONGEST:
        return False
    read = _read(text)
    return bool(read.about or read.stated or (read.outright and read.denying))


@dataclass(frozen=True, slots=True)
class _TakeBack:
    """A turn as far as it may take something back.

    Attributes:
        statement: Its first clause that says something.
        outright: It says so whatever was answered.
        points: Its first clause points at what was said.
        besides: Clauses behind that which say something else: they may put it right, or add to it.
        dismisses: It does nothing but dismiss that.
        everything: It takes back all that was ever said.
        about: What it names as what was not so, or is to be forgotten.
        stated: Statements that it has forgotten: "Forget that I have a dog."
        denying: Clauses that may deny what was said before; none that says that something has ended.
    """

    statement: Sequence[Token]
    outright: bool
    points: bool
    besides: Sequence[Sequence[Token]]
    dismisses: bool
    everything: bool
    about: Sequence[str]
    stated: Sequence[str]
    denying: Sequence[Sequence[Token]]


@kept(512)
def _read(text: str) -> _TakeBack:
    sentences = [
        (sentence, asks and not requests(wording_of(sentence))) for sentence, asks in sentences_of(text)
    ]
    claiming = [sentence for sentence, asks in sentences if not asks]
    clauses = [clause for sentence in claiming for clause in clauses_between_marks(sentence)]
    telling = [clause for clause in clauses if _tells(clause)]
    points = bool(telling) and _is(_POINTING, telling[0])
    outright = bool(telling) and (
        any(map(_is_outright, (telling[0], sentences[0][0])))
        or (points and any(map(_is_outright, telling[1:2])))
    )
    orders = [order for sentence in claiming for order in orders_in(sentence)]
    return _TakeBack(
        statement=telling[0] if telling else (),
        outright=outright,
        points=points,
        besides=[clause for clause in telling[1:] if not (_is(_POINTING, clause) or _is_outright(clause))],
        dismisses=len(claiming) == len(sentences) and _only_dismisses(claiming),
        everything=any(_is(_EVERYTHING, sentence) for sentence in claiming)
        or any(order.reach is Reach.EVERYTHING for order in orders),
        about=[
            *(order.named for order in orders if order.reach is Reach.ABOUT),
            *(
                about
                for sentence in claiming
                for about in map(_about, (sentence, *clauses_between_marks(sentence)))
                if about
            ),
        ],
        stated=[order.named for order in orders if order.reach is Reach.STATED],
        denying=[clause for clause in clauses if _may_deny(clause)],
    )


def _is_outright(words: Sequence[Token]) -> bool:
    order = forget_order(wording_of(words))
    return _is(_OUTRIGHT, words) or (order is not None and order.reach in {Reach.SAID_IT, Reach.SAID})


def _dismisses(words: Sequence[Token]) -> bool:
    order = forget_order(wording_of(words))
    return order is not None and order.reach in {Reach.POINTED, Reach.DISMISSED}


def _only_dismisses(sentences: Sequence[Sequence[Token]]) -> bool:
    """True if sentences dismiss what was said, and do nothing else."""
    dismissing = [[_dismisses(words) for words in _pieces_of(sentence)] for sentence in sentences]
    return any(map(any, dismissing)) and all(
        done or _only_leads(words)
        for sentence, known in zip(sentences, dismissing, strict=True)
        for words, done in zip(_pieces_of(sentence), known, strict=True)
    )


def _pieces_of(sentence: Sequence[Token]) -> list[Sequence[Token]]:
    """The sentence where it dismisses something as a whole, else its clauses."""
    return [sentence] if _dismisses(sentence) else [*clauses_between_marks(sentence)]


def orders_in(sentence: Sequence[Token]) -> list[ForgetOrder]:
    """Orders to forget that a sentence is, or holds between its marks: "Vergiss, dass ich hier wohne, ich ziehe um"."""
    marks = [at for at, token in enumerate(sentence) if token.shape is Shape.MARK]
    spans = [(start + 1, end) for start, end in pairwise((-1, *marks, len(sentence))) if start + 1 < end]
    most = len(spans) if len(spans) <= _MOST_CLAUSES else 1
    rows = [
        sentence[start : spans[at + length - 1][1]]
        for length in range(1, most + 1)
        for at, (start, _) in enumerate(spans[: len(spans) - length + 1])
    ]
    orders = map(forget_order_of, (*rows, sentence))
    return list(dict.fromkeys(order for order in orders if order is not None))


def _orders_back(read: _TakeBack, claims: Sequence[str]) -> bool:
    """True if a turn orders to forget one of some claims, by what that is about, or by all of it."""
    return any(
        any(_is_of(about, claim) for about in read.about)
        or any(_is_stated(named, claim) for named in read.stated)
        for claim in claims
    )


def _about(sentence: Sequence[Token]) -> str:
    """What a sentence says was a joke or a lie: of "What I said about my dog was a lie", "my dog"."""
    for wording in led_up(wording_of(sentence)):
        if match := _ABOUT.match(wording):
            return str(next(filter(None, match.groups()), ""))
    return ""


def _is_of(about: str, claim: str) -> bool:
    """True if all words for something are said in a claim."""
    words = tokens(about)
    if _PAY.fullmatch(about) and _PAID.search(wording_of(tokens(claim))):
        return True
    if han := {sign for token in words if token.shape is Shape.HAN for sign in token.text} - _HAN_LITTLE:
        return han <= set(claim)
    stems = {token.stem for token in words if token.fold not in STOP | NEGATORS | _OWN | _BESIDE}
    return bool(stems) and stems <= {token.stem for token in tokens(claim)}


def _is_stated(named: str, text: str) -> bool:
    """True if a text says what an order to forget names as a statement."""
    words = tokens(named)
    if han := {sign for token in words if token.shape is Shape.HAN for sign in token.text} - _HAN_LITTLE:
        return han <= set(text)
    own = {token.stem for token in tokens(text)}
    told_of = [word for word in words if word.fold not in STOP | NEGATORS | _BESIDE | _OWN - FIRST_PERSON]
    return bool(told_of) and all(word.stem in own for word in told_of)


def _may_deny(clause: Sequence[Token]) -> bool:
    words = {token.fold for token in clause}
    han = "".join(token.text for token in clause if token.shape is Shape.HAN)
    if not words.isdisjoint(_ENDED) or any(ended in han for ended in _ENDED):
        return False
    return _has_denial(words, han)


def _has_denial(words: AbstractSet[str], han: str) -> bool:
    return not words.isdisjoint(_DENYING) or not _HAN_NOT.isdisjoint(han)


@kept(512)
def _claims(text: str) -> tuple[str, ...]:
    """Sentences of a text that claim something, and deny nothing."""
    claims: list[str] = []
    for sentence, asks in sentences_of(text):
        han = "".join(token.text for token in sentence if token.shape is Shape.HAN)
        if not asks and not _has_denial({token.fold for token in sentence}, han):
            claims.append(" ".join(token.text for token in sentence))
    return tuple(claims)


def drops(sentence: Sequence[Token]) -> bool:
    """True if a sentence orders to forget what it goes on to say: "Please forget that I'm a nurse"."""
    return any(order.reach is Reach.STATED for order in orders_in(sentence))


@kept(512)
def acknowledges(answer: str) -> bool:
    """True if an answer says no more than that what was said was heard; it may offer help, but ask nothing else."""
    if len(answer) > _LONGEST_ANSWER:
        return False
    sentences = list(sentences_of(answer))
    if not sentences:
        return True
    known = [_ACKNOWLEDGING.search(wording_of(sentence)) is not None for sentence, _ in sentences]
    if sentences[-1][1]:
        return known[-1]
    words = [token for sentence, _ in sentences for token in sentence if token.shape is not Shape.MARK]
    return any(known) or (len(words) <= _FEW_WORDS and all(word.fold in _LITTLE for word in words))


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


def _tells(clause: Sequence[Token]) -> bool:
    return _is_outright(clause) or _is(_POINTING, clause) or not _only_leads(clause)


def _only_leads(clause: Sequence[Token]) -> bool:
    return only_leads(wording_of(clause))


def _is(pattern: re.Pattern[str], clause: Sequence[Token]) -> bool:
    """True if a clause is of a pattern, but for what stands around it."""
    whole = wording_of(clause)
    return len(whole) <= _LONGEST_CLAUSE and any(
        pattern.fullmatch(rest) for wording in led_up(whole) for rest in trailed(wording)
    )


def _denies(clause: Sequence[Token], former: str, *, by_name: bool = False) -> bool:
    """True if a clause denies what its speaker said, in the words of it: "I don't live there".

    Args:
        by_name: A name alone is enough ("I'm not Bob."), and something has to be named.
    """
    han = "".join(token.text for token in clause if token.shape is Shape.HAN)
    if han:
        signs = set(han) - _HAN_LITTLE
        return "我" in han and not _HAN_NOT.isdisjoint(han) and bool(signs) and signs <= set(former)
    wording = led_up(wording_of(clause))[-1]
    words = clause[len(clause) - len(wording.split()) :]
    before = clause[: len(clause) - len(words)]
    denied = any(word.fold in _DENYING for word in words) or (
        before[-1:] and before[-1].fold in NEGATORS and words[:1] and words[0].fold in FIRST_PERSON
    )  # no vivo en Graz
    of_oneself = any(word.fold in _OWN or _RUSSIAN_I.fullmatch(word.fold) for word in words)
    own = {token.stem for token in tokens(former)}
    told_of = [word for word in words if word.fold not in STOP | NEGATORS | _BESIDE | _OWN - FIRST_PERSON]
    named = bool(told_of) if by_name else any(not word.capital for word in told_of)
    return bool(denied and of_oneself) and named and all(word.stem in own for word in told_of)


_OUTRIGHT: Final = later(lambda: any_of("outright").pattern)
_POINTING: Final = later(lambda: any_of("pointing").pattern)
_EVERYTHING: Final = later(lambda: any_of("everything").pattern)
_ABOUT: Final = later(lambda: rf"(?:{any_of('about').pattern})$")
_ACKNOWLEDGING: Final = later(lambda: any_of("acknowledging").pattern)
_PAY: Final = later(lambda: any_of("pay").pattern)
_PAID: Final = later(lambda: rf"(?:^|(?<= ))(?:{any_of('paid').pattern})")
