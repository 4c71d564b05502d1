"""Turns that take back what their speaker said in the turn before: "Forget that.", "Sorry, wrong window.".

What names it reaches further back: "By the way, I don't live in Graz.", "What I said about Graz was a joke."

In doubt nothing is taken back: "That's wrong" may be about the answer, "Forget it" about what was offered in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from simonides.domain.kept import kept
from simonides.language.clauses import sentences_of
from simonides.language.tables import words as words_of
from simonides.language.taken_back.orders import Reach, forget_order, orders_in, requests
from simonides.language.taken_back.wording import (
    clauses_between_marks,
    is_of,
    led_up,
    only_leads,
    taking_back,
    wording_of,
)
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import COURTESIES, FIRST_PERSON, NEGATORS, OPENERS, PRAISE, PRONOUNS, STOP
from simonides.values import dataclass

#: Of a turn that takes back; what is longer says something of its own.
_LONGEST: Final = 240
#: Longer answers say something, whatever they acknowledge.
_LONGEST_ANSWER: Final = 400
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
_SMALL: Final = STOP | NEGATORS | _BESIDE | _OWN - FIRST_PERSON
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
    read = _read(text)
    if read.outright or (read.statement and _denies(read.statement, former)):
        return True
    if any(_says(former, named) for named in read.stated):
        return True
    points = read.points and all(_denies(clause, former) for clause in read.besides)
    return (points or read.dismisses) and all(map(acknowledges, answers))


def unsays(former: str, text: str) -> bool:
    """True if a turn takes back, by name, what its speaker said any time before, or all of it.

    Args:
        former: The former turn, or a statement of it.
    """
    read = _read(text)
    return read.everything or _takes_back_by_name(read, former, read.denying)


def retracts(former: str, text: str) -> bool:
    """True if a turn takes back, outright and by name, what its speaker said in whatever conversation.

    "What I said about my dog was a joke.", "Forget that I have a dog.", "That was a joke, I don't have a dog." A denial
    alone does not: weeks later "I don't have a dog." tells what is so by now.

    Args:
        former: A statement of theirs.
    """
    read = _read(text)
    return _takes_back_by_name(read, former, read.denying if read.outright else ())


def names_what_it_retracts(text: str) -> bool:
    """True if a turn may take back something by name, whenever that was said."""
    read = _read(text)
    return bool(read.about or read.stated or (read.outright and read.denying))


def claims_what_is_named(text: str, named: str) -> bool:
    """True if a sentence of a text claims what an order to forget names."""
    return any(_says(claim, named) for claim in _claims(text))


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

    statement: Sequence[Token] = ()
    outright: bool = False
    points: bool = False
    besides: Sequence[Sequence[Token]] = ()
    dismisses: bool = False
    everything: bool = False
    about: Sequence[str] = ()
    stated: Sequence[str] = ()
    denying: Sequence[Sequence[Token]] = ()


@kept(512)
def _read(text: str) -> _TakeBack:
    if len(text) > _LONGEST:
        return _TakeBack()
    sentences = [
        (sentence, asks and not requests(wording_of(sentence))) for sentence, asks in sentences_of(text)
    ]
    claiming = [sentence for sentence, asks in sentences if not asks]
    by_sentence = [[*clauses_between_marks(sentence)] for sentence in claiming]
    clauses = [clause for of_sentence in by_sentence for clause in of_sentence]
    if claiming and is_of(_POINTING, claiming[0]):
        by_sentence[0] = [claiming[0]]  # "Tom said that, not me." points as a whole.
    telling = [clause for of_sentence in by_sentence for clause in of_sentence if _tells(clause)]
    points = bool(telling) and is_of(_POINTING, telling[0])
    outright = bool(telling) and (
        any(map(_is_outright, (telling[0], sentences[0][0])))
        or (points and any(map(_is_outright, telling[1:2])))
    )
    orders = [order for sentence in claiming for order in orders_in(sentence)]
    return _TakeBack(
        statement=telling[0] if telling else (),
        outright=outright,
        points=points,
        besides=[clause for clause in telling[1:] if not (is_of(_POINTING, clause) or _is_outright(clause))],
        dismisses=len(claiming) == len(sentences) and _only_dismisses(claiming),
        everything=any(is_of(_EVERYTHING, sentence) for sentence in claiming)
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
    return is_of(_OUTRIGHT, words) or (order is not None and order.reach in {Reach.SAID_IT, Reach.SAID})


def _dismisses(words: Sequence[Token]) -> bool:
    order = forget_order(wording_of(words))
    return order is not None and order.reach in {Reach.POINTED, Reach.DISMISSED}


def _only_dismisses(sentences: Sequence[Sequence[Token]]) -> bool:
    """True if sentences dismiss what was said, and do nothing else."""
    dismissing = [[_dismisses(words) for words in _pieces_of(sentence)] for sentence in sentences]
    return any(map(any, dismissing)) and all(
        done or only_leads(wording_of(words))
        for sentence, known in zip(sentences, dismissing, strict=True)
        for words, done in zip(_pieces_of(sentence), known, strict=True)
    )


def _pieces_of(sentence: Sequence[Token]) -> list[Sequence[Token]]:
    """The sentence where it dismisses something as a whole, else its clauses."""
    return [sentence] if _dismisses(sentence) else [*clauses_between_marks(sentence)]


def _takes_back_by_name(read: _TakeBack, former: str, denying: Sequence[Sequence[Token]]) -> bool:
    """True if a turn orders to forget a claim by what that is about, or by all of it, or denies it by its name."""
    named = (*read.about, *read.stated)
    return bool(named or denying) and any(
        any(_says(claim, one) for one in named)
        or any(_denies(clause, claim, by_name=True) for clause in denying)
        for claim in _claims(former)
    )


def _about(sentence: Sequence[Token]) -> str:
    """What a sentence says was a joke or a lie: of "What I said about my dog was a lie", "my dog"."""
    for wording in led_up(wording_of(sentence)):
        if match := _ABOUT.match(wording):
            return str(next(filter(None, match.groups()), ""))
    return ""


def _says(text: str, named: str) -> bool:
    """True if all words by which something is named are said in a text."""
    words = tokens(named)
    if _PAY.fullmatch(named) and _PAID.search(wording_of(tokens(text))):
        return True
    if han := set(_han_of(words)) - _HAN_LITTLE:
        return han <= set(text)
    telling = _telling(words)
    return bool(telling) and _all_said(telling, text)


def _telling(words: Sequence[Token]) -> list[Token]:
    """Words that name something."""
    return [word for word in words if word.fold not in _SMALL]


def _all_said(words: Sequence[Token], text: str) -> bool:
    return {word.stem for word in words} <= {token.stem for token in tokens(text)}


def _han_of(words: Sequence[Token]) -> str:
    return "".join(word.text for word in words if word.shape is Shape.HAN)


def _may_deny(clause: Sequence[Token]) -> bool:
    words = {token.fold for token in clause}
    han = _han_of(clause)
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
        if not asks and not _has_denial({token.fold for token in sentence}, _han_of(sentence)):
            claims.append(" ".join(token.text for token in sentence))
    return tuple(claims)


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


def _tells(clause: Sequence[Token]) -> bool:
    return _is_outright(clause) or is_of(_POINTING, clause) or not only_leads(wording_of(clause))


def _denies(clause: Sequence[Token], former: str, *, by_name: bool = False) -> bool:
    """True if a clause denies what its speaker said, in the words of it: "I don't live there".

    Args:
        by_name: A name alone is enough ("I'm not Bob."), and something has to be named.
    """
    han = _han_of(clause)
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
    telling = _telling(words)
    named = bool(telling) if by_name else any(not word.capital for word in telling)
    return bool(denied and of_oneself) and named and _all_said(telling, former)


_OUTRIGHT: Final = taking_back("{outright}")
_POINTING: Final = taking_back("{pointing}")
_EVERYTHING: Final = taking_back("{everything}")
_ABOUT: Final = taking_back("{about}$")
_ACKNOWLEDGING: Final = taking_back("{acknowledging}")
_PAY: Final = taking_back("{pay}")
_PAID: Final = taking_back("(?:^|(?<= )){paid}")
