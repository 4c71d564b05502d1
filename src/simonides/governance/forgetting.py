"""Recognition of a user's request, in so many words, that one memory be forgotten. Pure.

Strict on purpose: what is asked for otherwise waits for a person. A sentence asks only if it is an order and nothing
else ("Please forget that …"), and everything it names is of the memory. "Delete" and its like are said of files and
ingredients too, so they have to name memory as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.language.clauses import clauses, sentences_of
from simonides.language.manner import manner
from simonides.language.spoken import own_words, sentences
from simonides.language.synonyms import group_of
from simonides.language.tokens import Shape, Token, folded, tokens

#: Share of a memory's topic that the order has to name.
_MEANT: Final = 0.6


def _set(text: str) -> frozenset[str]:
    return frozenset(map(folded, text.split()))


#: Orders to forget, and orders to delete, folded.
_FORGET: Final = _set("forget vergiss vergesst oublie oubliez olvida olvide olvidate забудь забудьте")
_DELETE: Final = _set(
    """delete remove erase drop lösche lösch löschen entferne supprime supprimez efface effacez borra borre elimina
    elimine удали удалите сотри сотрите"""
)
#: Forms of both in Chinese; 忘了 also tells that one forgot.
_HAN_ORDERS: Final = {"忘记": False, "忘掉": False, "删除": True, "删掉": True}
_MOST_BEFORE: Final = 12
#: Nothing but this stands before an order, and before one in Chinese.
_BEFORE: Final = re.compile(
    r"(?:(?:please|ok|okay|so|and|then|also|now|just|kindly|(?:can|could|will|would) you|bitte|por favor"
    r"|s il (?:te|vous) plait|stp|svp|пожалуиста|пожалуйста|теперь) )*+"
)
_HAN_BEFORE: Final = re.compile(r"(?:请|麻烦你?|帮我|你?可以|你?能|现在)*+")
#: Stands behind an order as part of no topic: what joins, and what names whose and what kind of thing it is.
_BETWEEN: Final = _set(
    """that the a an of to about my i am me is are was in at on and what all everything anything again please
    thanks now fact dass daß das die der den dem ich bin mein meine bitte über von in was alles wieder an
    que je j suis le la les l de du des d mon ma mes sur a au ce s il te vous plait stp svp y qu est en
    soy mi mis el los las lo sobre por favor
    что я мой моя мои про о об в на у меня пожалуйста это то"""
)
_HAN_BETWEEN: Final = frozenset("的我关于这那件事条个是在")
#: Words that name the memory itself, and what they are joined with.
_MEMORY: Final = _set(
    """memory memories note notes entry remember gedächtnis erinnerung notiz eintrag mémoire souvenir note memoria
    recuerdo nota память памяти запись записи заметку заметка"""
)
_HAN_MEMORY: Final = ("记忆", "记录", "笔记")
_OF_MEMORY: Final = _set(
    "your from saved stored dein deine deinem deiner aus ta tes votre tu tus твоей своей из"
)
_HAN_OF_MEMORY: Final = frozenset("你从里中")
_DENYING: Final = _set(
    """not no never none without nicht nie niemals kein keine keinen ne pas non jamais sin nunca не нет никогда без
    不 没 無 无 未 别"""
)
#: A sentence by which the user forbids what stands beside it, and says no more.
_FORBIDS: Final = re.compile(
    r"(?:please,? |bitte,? )?(?:don['’]?t(?: do (?:it|that))?|do not|(?:bitte )?nicht|не надо|не стоит|surtout pas"
    r"|no lo hagas|不要|别)"
    r"(?:,? (?:please|bitte))?\W*",
    re.IGNORECASE,
)
#: Begins the clause that an order has for its object, behind a comma in some languages.
_THAT: Final = _set("dass daß что que")
_POLITE: Final = _set("please thanks bitte danke stp svp gracias merci пожалуйста спасибо")


def asks_to_forget(said: str, memory: str) -> bool:
    """True if a turn of the user asks that a memory of this content be forgotten.

    Quotations, reports, questions, conditions and what is to be translated, written or played ask for nothing, and
    nor does an order that names anything that is not of the memory.
    """
    if any(_FORBIDS.fullmatch(sentence.strip()) for sentence, _ in sentences(said)):
        return False
    about = {stem for clause in clauses(memory) for stem in clause.topic}
    return bool(about) and any(
        _asks(sentence, memory, about) for sentence, question in sentences_of(own_words(said)) if not question
    )


def _asks(sentence: Sequence[Token], memory: str, about: set[str]) -> bool:
    place = _order(sentence)
    if place is None:
        return False
    behind, deletes = place
    named = _object(sentence[behind:])
    if named is None:
        return False
    of_memory = _names_memory(named)
    if deletes and not of_memory:
        return False
    known = _keys(tokens(memory))
    between = _BETWEEN | (_MEMORY | _OF_MEMORY if of_memory else frozenset[str]())
    han_between = _HAN_BETWEEN | (
        _HAN_OF_MEMORY | frozenset("".join(_HAN_MEMORY)) if of_memory else frozenset[str]()
    )
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
    topic = {group_of(stem) for stem in about}
    return (
        not foreign
        and _denials(named) == _denials(tokens(memory))
        and len(topic & keys) >= _MEANT * len(topic)
    )


def _order(sentence: Sequence[Token]) -> tuple[int, bool] | None:
    """Start of an order's object, and True if the order says delete; None where the sentence is no order."""
    for at, token in enumerate(sentence):
        before = "".join(f"{other.fold} " for other in sentence[:at] if other.shape is not Shape.MARK)
        if token.fold in _FORGET | _DELETE:
            return (at + 1, token.fold in _DELETE) if _BEFORE.fullmatch(before) else None
        verb = "".join(other.text for other in sentence[at : at + 2])
        if verb in _HAN_ORDERS:
            return (at + 2, _HAN_ORDERS[verb]) if _HAN_BEFORE.fullmatch(before.replace(" ", "")) else None
        if at > _MOST_BEFORE:
            return None
    return None


def _object(behind: Sequence[Token]) -> Sequence[Token] | None:
    """Object of an order, to the end of its sentence; None where anything else follows."""
    rest = list(behind)
    while rest and (rest[-1].shape is Shape.MARK or rest[-1].fold in _POLITE):
        rest.pop()
    if len(rest) > 1 and rest[0].text == "," and rest[1].fold in _THAT:
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
    """True if names and numbers come in the order of the memory: who owes whom."""
    mine, theirs = ([_key(token) for token in words if _is_given(token)] for words in (named, memory))
    rest = iter(theirs)
    return all(key in rest for key in mine if key in theirs)


def _is_given(token: Token) -> bool:
    return token.shape not in {Shape.WORD, Shape.MARK, Shape.HAN} or token.capital


def _names_memory(named: Sequence[Token]) -> bool:
    han = "".join(token.text if token.shape is Shape.HAN else " " for token in named)
    return any(token.fold in _MEMORY for token in named) or any(word in han for word in _HAN_MEMORY)


def _denials(words: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.fold for token in words) & _DENYING


def _keys(words: Sequence[Token]) -> set[str]:
    return {_key(token) for token in words}


def _key(token: Token) -> str:
    return group_of(token.stem)
