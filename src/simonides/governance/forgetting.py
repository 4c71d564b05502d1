"""Recognition of a user's request, in so many words, that one memory be forgotten. Pure.

Strict on purpose: what is asked for otherwise waits for a person. A sentence asks only if it is an order and nothing
else ("Please forget that …"), and everything it names is of the memory. "Delete" and its like are said of files and
ingredients too, so they have to name memory as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from simonides.domain.text import cjk_runs
from simonides.governance.bearing import undoubted
from simonides.language.clauses import clauses
from simonides.language.manner import manner
from simonides.language.spoken import hands_on, own_words, sentences
from simonides.language.synonyms import group_of
from simonides.language.tables import worded, words
from simonides.language.taken_back.orders import start_of_statement
from simonides.language.taken_back.wording import taking_back
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import POINTING, THAT

#: Share of a memory's topic that the order has to name.
_MEANT: Final = 0.6


@cache
def _words(name: str) -> frozenset[str]:
    """A table of the section `taken_back`, of all languages, folded."""
    return words(name, among="taken_back")


@cache
def _han(name: str) -> str:
    """Characters of such a table in Chinese."""
    return "".join(words(name, of="zh", among="taken_back"))


@cache
def _han_orders() -> Mapping[str, bool]:
    """Orders of two characters, and whether they say delete. 忘了 is none: it also tells that one forgot."""
    groups = (words(name, of="zh", among="taken_back") for name in ("forget_words", "delete_words"))
    return {order: bool(deletes) for deletes, orders in enumerate(groups) for order in orders}


_MOST_BEFORE: Final = 12
#: Nothing but this stands before an order, and before one in Chinese.
_BEFORE: Final = taking_back("(?:{before_words} )*+")
_HAN_BEFORE: Final = taking_back("{han_before_words}*+")
#: A sentence by which the user forbids what stands beside it, and says no more.
_FORBIDS: Final = worded("taken_back", r"(?:{please},? )?{forbids}(?:,? {please})?\W*")


def asks_to_forget(turn: str, memory: str) -> bool:
    """True if a turn of the user asks that a memory of this content be forgotten.

    A turn that hands on somebody else's words, reports, questions, conditions and what is to be translated, written or
    played ask for nothing, nor does an order that names anything that is not of the memory, or that a few words beside
    it leave in doubt.
    """
    if hands_on(turn) or any(_FORBIDS.fullmatch(sentence.strip()) for sentence, _ in sentences(turn)):
        return False
    about = {stem for clause in clauses(memory) for stem in clause.topic}
    return bool(about) and any(_asks(sentence, memory, about) for sentence in undoubted(own_words(turn)))


def to_forget(turn: str) -> str | None:
    """The words by which a text that is an order to forget, and nothing else, names what is meant; else None."""
    if hands_on(turn) or len(parts := list(undoubted(own_words(turn)))) != 1:
        return None
    named, deletes = _named_in(parts[0])
    if deletes:
        return None
    rest = list(named[1:] if named and named[0].fold in THAT else named)
    if not rest or all(token.fold in POINTING for token in rest):
        return None
    return "".join(token.text if token.shape is Shape.HAN else f" {token.text}" for token in rest).strip()


def _asks(sentence: Sequence[Token], memory: str, about: set[str]) -> bool:
    named, deletes = _named_in(sentence)
    if not named:
        return False
    of_memory = _names_memory(named)
    if deletes and not of_memory:
        return False
    known = _keys(tokens(memory))
    between = _words("between") | (
        _words("memory_words") | _words("of_memory") if of_memory else frozenset[str]()
    )
    han_between = _han("between") + (_han("of_memory") + _han("memory_words") if of_memory else "")
    foreign = [
        token
        for token in named
        if not (
            _key(token) in known
            or token.fold in between
            or token.shape is Shape.MARK
            or (token.shape is Shape.HAN and token.text in han_between)
        )
    ]
    if not _of_the_same_time(named, tokens(memory)) or not _in_its_order(named, tokens(memory)):
        return False
    keys = _keys(named)
    # A Chinese word is as many tokens as it has signs.
    topic = {key for stem in about for key in (stem if cjk_runs(stem) else [group_of(stem)])}
    return (
        not foreign
        and _denials(named) == _denials(tokens(memory))
        and len(topic & keys) >= _MEANT * len(topic)
    )


def _named_in(sentence: Sequence[Token]) -> tuple[Sequence[Token], bool]:
    """Words that an order names, and True if it says delete; nothing where the sentence is none."""
    behind, deletes = _order(sentence) or (len(sentence), False)
    start = start_of_statement(sentence)
    if start is not None and (verbs := [verb for verb in _verbs(sentence) if verb[0] < start]):
        # "Delete the note that …" names memory before what it states.
        behind, deletes = start, any(says for _, says in verbs) and not _names_memory(sentence[:start])
    return _object(sentence[behind:]) or (), deletes


def _verbs(sentence: Sequence[Token]) -> Iterator[tuple[int, bool]]:
    """Yield the places of verbs that order to forget, and True of those that say delete."""
    for at, token in enumerate(sentence):
        if token.fold in _words("forget_words") | _words("delete_words"):
            yield at, token.fold in _words("delete_words")
        elif (verb := "".join(other.text for other in sentence[at : at + 2])) in _han_orders():
            yield at, _han_orders()[verb]


def _order(sentence: Sequence[Token]) -> tuple[int, bool] | None:
    """Start of an order's object, and True if the order says delete; None where the sentence is no order."""
    for at, token in enumerate(sentence):
        before = "".join(f"{other.fold} " for other in sentence[:at] if other.shape is not Shape.MARK)
        if token.fold in _words("forget_words") | _words("delete_words"):
            return (at + 1, token.fold in _words("delete_words")) if _BEFORE.fullmatch(before) else None
        verb = "".join(other.text for other in sentence[at : at + 2])
        if verb in _han_orders():
            return (at + 2, _han_orders()[verb]) if _HAN_BEFORE.fullmatch(before.replace(" ", "")) else None
        if at > _MOST_BEFORE:
            return None
    return None


def _object(behind: Sequence[Token]) -> Sequence[Token] | None:
    """Object of an order, to the end of its sentence; None where anything else follows."""
    rest = list(behind)
    while rest and (rest[-1].shape is Shape.MARK or rest[-1].fold in _words("polite")):
        rest.pop()
    if len(rest) > 1 and rest[0].text == "," and rest[1].fold in THAT:
        rest = rest[1:]
    broken = any(
        token.shape is Shape.MARK and not token.text.isspace() and token.text not in "'’-" for token in rest
    )
    return None if broken or not rest else rest


def _of_the_same_time(named: Sequence[Token], memory: Sequence[Token]) -> bool:
    """True if an order tells of what it names as the memory does: in the same tense, each word in the same form."""
    known: dict[str, set[str]] = {}
    for token in memory:
        known.setdefault(token.stem, set()).add(token.fold.removesuffix("s"))
    same = all(
        token.fold.removesuffix("s") in known.get(token.stem, {token.fold.removesuffix("s")})
        for token in named
    )
    return same and manner(named).time == manner(memory).time


def _in_its_order(named: Sequence[Token], memory: Sequence[Token]) -> bool:
    """True if names, numbers and Chinese signs come in the order of the memory: who owes whom."""
    mine, theirs = ([_key(token) for token in words if _is_given(token)] for words in (named, memory))
    rest = iter(theirs)
    return all(key in rest for key in mine if key in theirs)


def _is_given(token: Token) -> bool:
    return token.shape not in {Shape.WORD, Shape.MARK} or token.capital


def _names_memory(named: Sequence[Token]) -> bool:
    han = "".join(token.text if token.shape is Shape.HAN else " " for token in named)
    return any(token.fold in _words("memory_words") for token in named) or any(
        word in han for word in words("memory_words", of="zh", among="taken_back")
    )


def _denials(words: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.fold for token in words) & _words("denying")


def _keys(words: Sequence[Token]) -> set[str]:
    return {_key(token) for token in words}


def _key(token: Token) -> str:
    return group_of(token.stem)
