"""Turns that take back what their speaker said in the turn before: "Forget that.", "Sorry, wrong window.".

What names it reaches further back: "By the way, I don't live in Graz.", "What I said about Graz was a joke."

In doubt nothing is taken back: "That's wrong" may be about the answer, "Forget it" about what was offered in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.language.clauses import sentences_of
from simonides.language.synonyms import group_of
from simonides.language.tables import section
from simonides.language.tables import words as words_of
from simonides.language.taken_back.orders import Reach, forget_order, orders_in, requests
from simonides.language.taken_back.wording import (
    HAN_BLANK,
    clauses_between_marks,
    is_of,
    led_up,
    only_leads,
    taking_back,
    wording_of,
)
from simonides.language.tokens import Shape, Token, folded, stemmed, tokens
from simonides.language.whose import who_is_told_of
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
_HAN_LITTLE: Final = frozenset("我不没也又是了的啊呀吧呢哦其实根本真并那这儿里在对")


def _groups(name: str) -> Iterator[list[str]]:
    """Yield the words of a table that stand for each other where one names what another said: "called", "name"."""
    for some in section("taken_back"):
        yield from (group.split() for group in some.get(name, "").split("|"))


def _keys_of_alike() -> dict[str, str]:
    """By stem, what it has in common with the others of its group."""
    keys: dict[str, str] = {}
    for group in _groups("alike"):
        stems = {*map(stemmed, map(folded, group))}
        shared = {keys[stem] for stem in stems if stem in keys}  # Languages share words.
        stems |= {stem for stem, key in keys.items() if key in shared}
        keys.update(dict.fromkeys(stems, min(stems, default="")))
    return keys


_ALIKE: Final = _keys_of_alike()
_HAN_ALIKE: Final = tuple(_groups("han_alike"))


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


def retracts(former: str, text: str, *, word_for_word: bool = False) -> bool:
    """True if a turn takes back, outright and by name, what its speaker said in whatever conversation.

    "What I said about my dog was a joke.", "Forget that I have a dog.", "That was a joke, I don't have a dog." A denial
    alone does not: weeks later "I don't have a dog." tells what is so by now.

    Args:
        former: A statement of theirs.
        word_for_word: In its own words; else "my partner is called Lena" names "My partner's name is Lena.", too.
    """
    read = _read(text)
    denying = read.denying if read.outright else ()
    return _takes_back_by_name(read, former, denying, word_for_word=word_for_word)


def names_what_it_retracts(text: str) -> bool:
    """True if a turn may take back something by name, whenever that was said."""
    read = _read(text)
    return bool(read.about or read.stated or (read.outright and read.denying))


def named_as_gone(text: str) -> tuple[str, ...]:
    """Return what a text names as to be forgotten, or as not so: "I have a dog" of "Forget that I have a dog."."""
    read = _read(text)
    return (*read.about, *read.stated)


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


def _takes_back_by_name(
    read: _TakeBack, former: str, denying: Sequence[Sequence[Token]], *, word_for_word: bool = False
) -> bool:
    """True if a turn orders to forget a claim by what that is about, or by all of it, or denies it by its name."""
    named = (*read.about, *read.stated)
    return bool(named or denying) and any(
        any(_says(claim, one, word_for_word=word_for_word) for one in named)
        or any(_denies(clause, claim, by_name=True, word_for_word=word_for_word) for clause in denying)
        for claim in _claims(former)
    )


def _about(sentence: Sequence[Token]) -> str:
    """What a sentence says was a joke or a lie: of "What I said about my dog was a lie", "my dog"."""
    for wording in led_up(wording_of(sentence)):
        if match := _ABOUT.match(wording):
            return str(next(filter(None, match.groups()), ""))
    return ""


def _says(text: str, named: str, *, word_for_word: bool = False) -> bool:
    """True if all words by which something is named are said in a text."""
    words = tokens(named)
    if _is_anothers(text, words):
        return False
    if any(stating.search(wording_of(tokens(text))) for stating in _stating(named)):
        return True
    if han := _han_telling(_han_of(words), text, word_for_word=word_for_word):
        return han <= set(text)
    telling = _telling(words)
    return bool(telling) and _all_said(telling, text, word_for_word=word_for_word)


@kept(64)
def _stating(named: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of what states a topic without its name."""
    return tuple(stating for topic, stating in _TOPICS if topic.fullmatch(named))


def _is_anothers(text: str, named: Sequence[Token]) -> bool:
    """True if a text tells of somebody else what words name of their speaker: my sister's rent is not "my rent"."""
    if not ("我" in _han_of(named) or any(map(_is_own, named))):
        return False
    others = tokens(who_is_told_of(HAN_BLANK.sub("", text)))
    told_of = {word.stem for word in others if word.fold not in _SMALL | _OWN | _HAN_LITTLE}
    return bool(told_of) and told_of.isdisjoint(word.stem for word in named)


def _is_own(word: Token) -> bool:
    return word.fold in _OWN or _RUSSIAN_I.fullmatch(word.fold) is not None


def _telling(words: Sequence[Token]) -> list[Token]:
    """Words that name something."""
    return [word for word in words if word.fold not in _SMALL]


def _all_said(words: Sequence[Token], text: str, *, word_for_word: bool) -> bool:
    theirs, stems = {word.stem for word in words}, {token.stem for token in tokens(text)}
    if theirs <= stems:
        return True
    # One word alone names too much: "my name" is not what a dog is called.
    several = len(theirs) > 1 and not word_for_word
    return several and {*map(_alike, theirs)} <= {*map(_alike, stems)}


def _alike(stem: str) -> str:
    return _ALIKE.get(stem) or group_of(stem)


def _han_telling(han: str, text: str, *, word_for_word: bool) -> set[str]:
    """Signs that name something, without a word for which another of its group stands in the text."""
    text = HAN_BLANK.sub("", text)
    for group in () if word_for_word else _HAN_ALIKE:
        word = next((word for word in group if word in han), None)
        if word is not None and word not in text and any(other in text for other in group):
            han = han.replace(word, "")
    return {*han} - _HAN_LITTLE


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


def _denies(
    clause: Sequence[Token], former: str, *, by_name: bool = False, word_for_word: bool = False
) -> bool:
    """True if a clause denies what its speaker said, in the words of it: "I don't live there".

    Args:
        by_name: A name alone is enough ("I'm not Bob."), and something has to be named.
    """
    if _is_anothers(former, clause):
        return False
    han = _han_of(clause)
    if han:
        signs = _han_telling(han, former, word_for_word=word_for_word)
        return "我" in han and not _HAN_NOT.isdisjoint(han) and bool(signs) and signs <= set(former)
    wording = led_up(wording_of(clause))[-1]
    words = clause[len(clause) - len(wording.split()) :]
    before = clause[: len(clause) - len(words)]
    denied = any(word.fold in _DENYING for word in words) or (
        before[-1:] and before[-1].fold in NEGATORS and words[:1] and words[0].fold in FIRST_PERSON
    )  # no vivo en Graz
    of_oneself = any(map(_is_own, words))
    telling = _telling(words)
    named = bool(telling) if by_name else any(not word.capital for word in telling)
    return bool(denied and of_oneself) and named and _all_said(telling, former, word_for_word=word_for_word)


_OUTRIGHT: Final = taking_back("{outright}")
_POINTING: Final = taking_back("{pointing}")
_EVERYTHING: Final = taking_back("{everything}")
_ABOUT: Final = taking_back("{about}$")
_ACKNOWLEDGING: Final = taking_back("{acknowledging}")
#: Names for what somebody tells of themselves, and how it is stated without: "my allergy", "I'm allergic to nuts.".
_TOPICS: Final = tuple(
    (later(topic), later(f"(?:^|(?<= ))(?:{stating})"))
    for some in section("taken_back")
    for topic, stating in some.get("topics", ())
)
