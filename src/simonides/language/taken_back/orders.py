"""Orders to forget, however politely: "Please forget that.", "Забудь, что я живу в Казани." and their like.

One reading for what a turn takes back of itself, of the turn before and of other conversations, and for whether the
user asked for a memory to be forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Final
from unicodedata import normalize

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import section, worded, words
from simonides.language.taken_back.wording import (
    led_up,
    only_leads,
    taking_back,
    trailed,
    without_particles,
    wording_of,
)
from simonides.language.tokens import Shape, Token
from simonides.language.words import NEGATORS
from simonides.values import dataclass

_LONGEST: Final = 140
#: Clauses of a sentence of which every row is read as an order.
_MOST_CLAUSES: Final = 4
#: Words of a request by which something of the speaker's is named.
_MOST_NAMING: Final = 4
_HAN_SIGN: Final = later(f"[{CJK}]")


class Reach(StrEnum):
    """The matter of an order.

    Attributes:
        POINTED: What was said right before it: "Forget that."
        DISMISSED: The same, or what was asked: "Never mind."
        SAID_IT: That its speaker said it: "Forget that I said that."
        SAID: What they said: "Forget what I said."
        EVERYTHING: All that they ever said.
        ABOUT: What they said of something that it names: "Forget what I said about my dog.", "Please forget my rent."
        STATED: What it goes on to say: "Forget that I have a dog."
    """

    POINTED = "pointed"
    DISMISSED = "dismissed"
    SAID_IT = "said it"
    SAID = "said"
    EVERYTHING = "everything"
    ABOUT = "about"
    STATED = "stated"


@dataclass(frozen=True, slots=True)
class ForgetOrder:
    """An order to forget.

    Attributes:
        named: The words by which it names what is meant, if it does.
        discards: Its verb is said of files and drafts, too: "Delete that."
    """

    reach: Reach
    named: str = ""
    discards: bool = False


@kept(1024)
def forget_order(wording: str) -> ForgetOrder | None:
    """The order that a wording is, and nothing else.

    Args:
        wording: As `wording_of` gives it.
    """
    short = len(wording) <= _LONGEST
    plain = without_particles(wording)
    polite = plain != wording
    for led in led_up(plain):
        for whole in trailed(led) if short else ():
            for pattern, reach in (*_WHOLE, _POLITE) if polite else _WHOLE:
                if pattern.fullmatch(whole):
                    return ForgetOrder(reach, discards=_DISCARDING.fullmatch(whole) is not None)
        for whole in trailed(led) if short else ():
            behind = (_BEHIND_POLITELY if polite else _BEHIND).search(whole)
            if (
                behind
                and (meant := _meant(whole[: behind.start()].strip(), short=short)) is not None
                and meant.reach is not Reach.STATED
            ):
                return meant
        if head := _HEAD.match(led):
            of_memory = _OF_MEMORY.search(led)
            rest = led[head.end() :]
            if of_memory is not None:  # "from your memory" may stand behind what is meant, or before it.
                rest = led[head.end() : of_memory.start()] or led[max(head.end(), of_memory.end()) :]
            if head["keep"]:
                rest = _NEVER.sub("", rest)
            meant = _meant(rest.strip(), short=short)
            # Of the memory, or asked for: "Delete my age from your memory.", "Can you forget my age?"
            named = rest.split()
            of_own = of_memory is not None and not _MEMORY.isdisjoint(of_memory[0].split())
            if meant is None and short and named and (of_own or _asks_for_own(head[0], named)):
                meant = ForgetOrder(Reach.ABOUT, " ".join(named))
            discards = (head["discard"] or head["han_discard"]) is not None and of_memory is None
            if meant is not None:
                return replace(meant, discards=discards)
        # Less politely it may dismiss a matter: "Forget my diet, I want cake".
        owned = _OWNED_POLITELY if polite else _OWNED
        for order in filter(None, map(owned.fullmatch, trailed(led) if short else ())):
            if NEGATORS.isdisjoint(order[0].split()):  # Vergiss bitte meine Miete nicht
                named = _NOTED.sub("", next(filter(None, order.groups()), ""))
                meant = _meant(named, short=True)
                if meant is not None and meant.reach is not Reach.STATED:
                    return meant  # 请把我刚才说的忘掉
                return ForgetOrder(Reach.ABOUT, named)
    return None


def _meant(rest: str, *, short: bool) -> ForgetOrder | None:
    """The meaning of the words behind an order."""
    wholes = list(filter(None, trailed(rest)))
    if any(map(_HAN_SIGN.match, wholes[-1:])) and only_leads(wholes[-1]):
        return ForgetOrder(Reach.POINTED)  # 忘掉吧
    for pattern, reach in _MEANT if short else ():
        if any(map(pattern.fullmatch, wholes)):
            return ForgetOrder(reach)
    for about in filter(None, map(_ABOUT.fullmatch, wholes[::-1] if short else ())):
        return ForgetOrder(Reach.ABOUT, next(filter(None, about.groups()), ""))
    that = _THAT.match(rest)
    if that is None or not wholes:
        return None
    return ForgetOrder(Reach.STATED, _NOTED.sub("", wholes[-1][that.end() :].strip()))


def _asks_for_own(head: str, named: Sequence[str]) -> bool:
    """True if an order is a request, and what it names is the speaker's: "Can you forget", "my age"."""
    return (
        _MODAL.match(head) is not None
        and _FORGETTING.search(head) is not None  # "Can you ignore my allergy?" lets it stand.
        and _POSSESSIVE.fullmatch(named[0]) is not None
        and len(named) <= _MOST_NAMING
        and NEGATORS.isdisjoint(named)
    )


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
    orders = map(_order_of, (*rows, sentence))
    return list(dict.fromkeys(order for order in orders if order is not None))


def drops(sentence: Sequence[Token]) -> bool:
    """True if a sentence orders to forget what it goes on to say: "Please forget that I'm a nurse"."""
    return any(order.reach is Reach.STATED for order in orders_in(sentence))


def _order_of(words: Sequence[Token]) -> ForgetOrder | None:
    """The order that some words are; what stands behind a mark is none of it: "Forget that, I live in Graz"."""
    order = forget_order(wording_of(words))
    stated = order is not None and order.reach is Reach.STATED
    return None if stated and start_of_statement(words) is None else order


def start_of_statement(words: Sequence[Token]) -> int | None:
    """Place of the first word by which an order to forget states what is meant.

    None where it is no such order, or states nothing: "Forget that.", "Forget my dog."
    """
    order = forget_order(wording_of(words))
    if order is None or order.reach is not Reach.STATED:
        return None
    left = _HAN_SIGN.sub(r"\g<0> ", order.named).split()
    start = len(words)
    while left and start > 0:
        start -= 1
        if words[start].fold == left[-1]:
            left.pop()
    behind_a_mark = start > 0 and words[start - 1].shape is Shape.MARK
    return None if left or behind_a_mark else start


def may_order_to_forget(text: str) -> bool:
    """False where a text holds no word that an order to forget has: reading it closely takes longer."""
    folded = (text if text.isascii() else normalize("NFKC", text)).casefold()
    return any(cue in folded for cue in _cues())


@cache
def _cues() -> tuple[str, ...]:
    every = (cue for some in section("taken_back") for cue in some.get("cue", "").split("|"))
    return tuple(dict.fromkeys(filter(None, every)))


def requests(wording: str) -> bool:
    """True if a wording asks to forget: "Could you forget that?"."""
    return _REQUEST.search(wording) is not None and forget_order(wording) is not None


def runs_on_to_an_order(wording: str) -> bool:
    """True if a wording ends in an order that nothing sets apart from what it says: "tengo diabetes olvidalo porfa"."""
    end = wording[-_LONGEST:]
    return any(_RUN_ON.search(whole) for one in (end, without_particles(end)) for whole in trailed(one))


#: An order, or a request, as far as what it is about.
_HEAD: Final = taking_back(
    "(?:(?:{modal} )?(?:{forget}|(?P<discard>{discard}))|{modal} {infinitive}|(?P<keep>{keep})(?=.* {never}$))(?: |$)"
    "|{han_forget}|(?P<han_discard>{han_discard})"
)
_MODAL: Final = taking_back("{modal} ")
_FORGETTING: Final = taking_back("{forgetting}")
_POSSESSIVE: Final = worded("whose", "{possessive}", flags=0)
_THAT: Final = taking_back(rf"{{that}} |(?=[{CJK}])")
#: Around what is stated: 忘掉我住在北京的事
_NOTED: Final = taking_back("{han_noted}")
#: An order behind what it is about: "Das vergisst du bitte".
_BEHIND: Final = taking_back(rf" {{behind}}$|(?<=[{CJK}]){{han_behind}}$")
_BEHIND_POLITELY: Final = taking_back(rf" (?:{{behind}}|{{behind_politely}})$|(?<=[{CJK}]){{han_behind}}$")
_NEVER: Final = taking_back(" {never}$")
_ABOUT: Final = taking_back("{said_about}")
_OWNED: Final = taking_back("{han_forget_owned}")
_OWNED_POLITELY: Final = taking_back("{forget_owned}|{han_forget_owned}")
_MEANT: Final = (
    (taking_back("{it}"), Reach.POINTED),
    (taking_back("{everything_said}"), Reach.EVERYTHING),
    (taking_back("{said_it}"), Reach.SAID_IT),
    (taking_back("{mine}"), Reach.SAID),
)
_WHOLE: Final = (
    (
        taking_back("{modal} {it} {infinitive}"),
        Reach.POINTED,
    ),
    (taking_back("{unkept}"), Reach.POINTED),
    (taking_back("{unsaying}"), Reach.SAID),
    (taking_back("{dismissing}"), Reach.DISMISSED),
    (taking_back("{discarding}"), Reach.POINTED),
)
#: Of words that are none without such a particle: "Bitte vergessen."
_POLITE: Final = (taking_back("{unkept_politely}"), Reach.POINTED)
_DISCARDING: Final = taking_back("{discarding}")
_OF_MEMORY: Final = taking_back(r" {from_memory}(?!\S)|{han_from_memory}")
#: Of the files, or the history, much is deleted that nobody remembers.
_MEMORY: Final = words("memory_words", among="taken_back")
_REQUEST: Final = taking_back(r"(?<!\S)(?:{modal}|{tag})(?!\S)|{han_modal}")
_RUN_ON: Final = taking_back(rf"(?<=\S )(?:{{run_on}})$|(?<=[{CJK}])(?:{{han_run_on}})$")
