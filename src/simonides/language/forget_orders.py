"""Orders to forget, however politely: "Please forget that.", "Забудь, что я живу в Казани." and their like.

One reading for what a turn takes back of itself, of the turn before and of other conversations, and for whether the
user asked for a memory to be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from typing import Final
from unicodedata import normalize

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import section, worded
from simonides.language.tokens import Shape, Token
from simonides.values import dataclass

_LONGEST: Final = 140
#: Words that only lead up to it, or trail behind it; of a row of more nothing is known.
_MOST_AROUND: Final = 8
_HAN_SIGN: Final = later(f"[{CJK}]")
_HAN_BLANK: Final = later(rf"(?<=[{CJK}]) (?=[{CJK}])")


class Reach(StrEnum):
    """The matter of an order.

    Attributes:
        POINTED: What was said right before it: "Forget that."
        DISMISSED: The same, or what was asked: "Never mind."
        SAID_IT: That its speaker said it: "Forget that I said that."
        SAID: What they said: "Forget what I said."
        EVERYTHING: All that they ever said.
        ABOUT: What they said of something that it names: "Forget what I said about my dog."
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
    plain = _PARTICLES.sub("", wording)
    patterns = _WHOLE if plain == wording else (*_WHOLE, _POLITE)
    for led in led_up(plain):
        for whole in trailed(led) if short else ():
            for pattern, reach in patterns:
                if pattern.fullmatch(whole):
                    return ForgetOrder(reach, discards=_DISCARDING.fullmatch(whole) is not None)
        for whole in trailed(led) if short else ():
            behind = (_BEHIND if plain == wording else _BEHIND_POLITELY).search(whole)
            if (
                behind
                and (meant := _meant(whole[: behind.start()].strip(), short=short)) is not None
                and meant.reach is not Reach.STATED
            ):
                return meant
        if head := _HEAD.match(led):
            of_memory = _OF_MEMORY.search(led)
            rest = led[head.end() :] if of_memory is None else led[head.end() : of_memory.start()]
            if head["keep"]:
                rest = _NEVER.sub("", rest)
            meant = _meant(rest.strip(), short=short)
            discards = (head["discard"] or head["han_discard"]) is not None and of_memory is None
            if meant is not None:
                return replace(meant, discards=discards)
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
    return ForgetOrder(Reach.STATED, wholes[-1][that.end() :].strip()) if that and wholes else None


def forget_order_of(words: Sequence[Token]) -> ForgetOrder | None:
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
    return any(_RUN_ON.search(whole) for one in (end, _PARTICLES.sub("", end)) for whole in trailed(one))


def wording_of(words: Sequence[Token]) -> str:
    """Folded words between single blanks, Chinese ones without any."""
    folds = " ".join(word.fold for word in words if word.shape is not Shape.MARK)
    return _HAN_BLANK.sub("", folds)


def led_up(wording: str) -> list[str]:
    """A wording with less and less of the words that only lead up to something: "no wait actually …"."""
    wordings = [wording]
    while wording and len(wordings) <= _MOST_AROUND and (lead := _LEAD.match(wording)):
        wording = wording[lead.end() :]
        wordings.append(wording)
    return wordings


def only_leads(wording: str) -> bool:
    """True if a wording only leads up to something, or trails behind it."""
    return "" in led_up(_PARTICLES.sub("", wording))


def trailed(wording: str) -> Iterator[str]:
    """Yield a wording with less and less of the words that only trail behind something."""
    for _ in range(_MOST_AROUND):
        yield wording
        trail = _TRAIL.search(wording)
        if trail is None:
            return
        wording = wording[: trail.start()]


def any_of(kind: str) -> re.Pattern[str]:
    """One pattern of all of a kind of `[taken_back]`, in every language."""
    fragments = [some[kind] for some in section("taken_back") if kind in some]
    patterns = [one for kinds in fragments for one in ([kinds] if isinstance(kinds, str) else kinds)]
    return worded("taken_back", "|".join(f"(?:{pattern})" for pattern in patterns), flags=0)


_LEAD: Final = worded("taken_back", rf"{{around}}(?: |$|(?<=[{CJK}]))", flags=0)
_TRAIL: Final = worded("taken_back", rf"(?:^| |(?<=[{CJK}])){{around}}$", flags=0)
#: Words that make an order more polite, or more urgent.
_PARTICLES: Final = worded("taken_back", r"(?<!\S){particle}(?: |$)|(?: {particle})+$", flags=0)
#: An order, or a request, as far as what it is about.
_HEAD: Final = worded(
    "taken_back",
    "(?:(?:{modal} )?(?:{forget}|(?P<discard>{discard}))|{modal} {infinitive}|(?P<keep>{keep})(?=.* {never}$))(?: |$)"
    "|{han_forget}|(?P<han_discard>{han_discard})",
    flags=0,
)
_THAT: Final = worded("taken_back", rf"{{that}} |(?=[{CJK}])", flags=0)
#: An order behind what it is about: "Das vergisst du bitte".
_BEHIND: Final = worded("taken_back", rf" {{behind}}$|(?<=[{CJK}]){{han_behind}}$", flags=0)
_BEHIND_POLITELY: Final = worded(
    "taken_back", rf" (?:{{behind}}|{{behind_politely}})$|(?<=[{CJK}]){{han_behind}}$", flags=0
)
_NEVER: Final = worded("taken_back", " {never}$", flags=0)
_ABOUT: Final = later(lambda: any_of("said_about").pattern)
_MEANT: Final = (
    (worded("taken_back", "{it}", flags=0), Reach.POINTED),
    (later(lambda: any_of("everything_said").pattern), Reach.EVERYTHING),
    (worded("taken_back", "{said_it}", flags=0), Reach.SAID_IT),
    (later(lambda: any_of("mine").pattern), Reach.SAID),
)
_WHOLE: Final = (
    (
        worded(
            "taken_back",
            "{modal} {it} {infinitive}",
            flags=0,
        ),
        Reach.POINTED,
    ),
    (later(lambda: any_of("unkept").pattern), Reach.POINTED),
    (later(lambda: any_of("unsaying").pattern), Reach.SAID),
    (later(lambda: any_of("dismissing").pattern), Reach.DISMISSED),
    (worded("taken_back", "{discarding}", flags=0), Reach.POINTED),
)
#: Of words that are none without such a particle: "Bitte vergessen."
_POLITE: Final = (worded("taken_back", "{unkept_politely}", flags=0), Reach.POINTED)
_DISCARDING: Final = worded("taken_back", "{discarding}", flags=0)
_OF_MEMORY: Final = worded("taken_back", r" {from_memory}(?!\S)", flags=0)
_REQUEST: Final = worded("taken_back", r"(?<!\S)(?:{modal}|{tag})(?!\S)|{han_modal}", flags=0)
_RUN_ON: Final = worded("taken_back", rf"(?<=\S )(?:{{run_on}})$|(?<=[{CJK}])(?:{{han_run_on}})$", flags=0)
