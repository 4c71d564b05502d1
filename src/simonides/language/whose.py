"""The subject of a statement: its speaker, or somebody else who is told of.

"My cousin is allergic to bees." shares its words with "What am I allergic to?" and does not answer it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.language.guess import language_of
from simonides.language.matters import matters
from simonides.language.sentences import fold, sentences
from simonides.language.tables import worded, words
from simonides.language.terms import terms
from simonides.language.words import DEFINITE, THINGS_OF_USERS, THIRD_PERSONS, UNSPECIFIC, USERS

_worded: Final = partial(worded, "whose", flags=0)
_OWN: Final = _worded(r"(?<![\w'])(?:{own})(?!\w)|{han_own}")
#: Somebody by what they are to the speaker: "my best friend".
_KIN: Final = _worded(
    r"(?<!\w)(?:{owner})\s+(?:[\w-]+\s+)?(?:{kin}|{kin_words})(?!\w)|{han_owner}(?:{han_kin}|{han_kin_words})"
)
#: Whoever it may be: a question that names or describes somebody is not about its speaker alone.
_SOMEBODY: Final = _worded(
    r"(?<!\w)(?:{kin}|{kin_words}|{people})(?!\w)|{han_kin}|{han_kin_words}|{han_people}"
)
_THIRD: Final = _worded(r"\W*(?:(?:{third})(?!\w)|{han_third})")
#: A name, folded or not: what it is followed by tells that it is a person's.
_NAMED: Final = _worded(r"\W*(?!(?:{own}|{third}|{no_owner})\b)[^\W\d_][\w-]+(?:\s+{does}(?!\w)|'s\s+\w)")
_LEADING: Final = _worded(
    r"\W*(?:\w{1,2}\s+)?(?:(?:{owner})\s+(?!(?:{no_kin})(?!\w))(?:[\w-]+\s+)?(?:{kin}|{kin_words})(?!\w)|{han_owner}(?:{han_kin}|{han_kin_words}))"
)
#: What the speaker has in two words, "my rent", or whom: "My sister's called Ana" tells of a sister by the word behind;
#: and a word that says that somebody has it: "Who has my key?".
_ONES_OWN: Final = _worded(
    r"(?<![\w'])((?:{people})\s+(?:{has})\s+)?(?:{possessive})\s+(?:((?:{kin})(?![\w'-]|\s+(?:{held_by})))"
    r"|([\w-]+)(?![\w'-]|\s+(?:{held_by}))(?:\s+([\w-]+)(?![\w'-]|\s+(?:{held_by})))?)"
)
#: What somebody of theirs has, in some words: "my sister's new rent", "my sister has a dog", "the rent of my sister".
_HELD: Final = _worded(
    r"\W*(?:(?:{owner})\s+(?:[\w-]+\s+)?(?:{kin}|{kin_words})'s?\s+(?!(?:an?|{article})\s)([\w-]+(?:\s+[\w-]+){0,2})"
    r"|(?:\w\s+)?(?:{owner})\s+(?:[\w-]+\s+)?(?:{kin}|{kin_words})\s+(?:[\w-]+\s+)?(?:{has})\s+(?!(?:{article})\s)([\w-]+(?:\s+[\w-]+){0,3})"
    r"|(?:(?:{article})\s*)?(?<!\w)([\w-]+(?:\s+[\w-]+)?)\s+(?:{held_by})\s*(?:{owner})\s+(?:[\w-]+\s+)?(?:{kin}|{kin_words})(?!\w))"
)
#: Before a name the word for a wife is a title, "Frau Demir", unless it is somebody's, "meine Frau Katrin".
_TITLE: Final = _worded(r"(?:(?<!\w)(?i:{owner})\s+)?(?<!\w)(?i:{titles})(?!\w)(?:\s+(?=[A-ZÄÖÜÁÉÍÓÚÑ]))?")
#: "We live in Leeds." tells of somebody else, too.
_TOGETHER: Final = words("we", among="pronouns")
_WORD: Final = later(r"\w+")
_NAMED_USERS: Final = (*sorted(USERS), "用户")
#: Whoever speaks, told of by others: "User plays bass", "the user's rent"; "the user table" is a thing.
_USER: Final = later(
    rf"(?<![\w-])(?:(?:{'|'.join(sorted(DEFINITE))})\s+)?(?:l['’])?(?:{'|'.join(sorted(USERS))})"
    rf"(?:(['’]s)(?!\w)|(?![\w'’-])(?!\s+(?:{'|'.join(sorted(THINGS_OF_USERS))})(?!\w)))|用户(的)?",
    re.IGNORECASE,
)
#: Before a word they say that it is another's, or any: "her car", "a car", "a new car".
_OF_ANYBODY: Final = UNSPECIFIC | THIRD_PERSONS | words("own", among="pronouns")
_BEFORE: Final = 2
#: Letters in which forms of a word agree.
_ROOT: Final = 4
#: Longer texts tell of more than one.
_MOST_CHARS: Final = 300
_MOST_ASKED: Final = 80


def told_by_user(text: str) -> str:
    """A text with what it tells of its user told by them: "my brother" where it has "the user's brother"."""
    small = text.lower()
    if not any(word in small for word in _NAMED_USERS):  # To look for the pattern takes twenty times as long.
        return text
    return _USER.sub(
        lambda user: "my" if user[1] else "我" + (user[2] or "") if "用" in user[0] else "I", text
    )


def _read(text: str) -> str:
    return fold(told_by_user(text))


def names_nobody(question: str, names: Iterable[str]) -> bool:
    """True if the names of a question are but its first word and, in German, nouns: of "Wer ist mein Arzt?" Arzt."""
    behind = [name for name in names if not question.lstrip(" ¿").startswith(name)]
    if not behind:
        return True
    own, nouns = asked_of_ones_own(question), language_of(question) == "de"
    words = (word for name in behind for word in name.split())
    return all((nouns and matters(word)) or not roots([word]).isdisjoint(own) for word in words)


def speaks_of_oneself(text: str) -> bool:
    """True if a text speaks of whoever says it: I, my, our."""
    return _OWN.search(_read(text)) is not None


def asks_of_oneself(question: str) -> bool:
    """True of a short question in the first person about nobody else: "Where do I work?", not "… my brother work?"."""
    folded = _read(question)
    short = len(question) <= _MOST_ASKED and len(sentences(question)) == 1
    return short and bool(_OWN.search(folded)) and not _SOMEBODY.search(folded) and not _third(folded)


def asks_of_ones_kin(question: str) -> bool:
    """True of a short question about one of the speaker's own, and not about themselves: "my mother's birthday"."""
    folded = _read(question)
    if len(question) > _MOST_ASKED or len(sentences(question)) > 1 or _KIN.search(folded) is None:
        return False
    return _OWN.search(_KIN.sub(" ", folded)) is None


@kept(4096)
def told_of_oneself(text: str) -> frozenset[str]:
    """Roots of the words of a text whose every sentence is about its speaker alone; none of any other."""
    if len(text) > _MOST_CHARS:
        return frozenset()
    folds = [_read(text[start:end]) for start, end, _ in sentences(text)]
    return roots(terms(text)) if folds and all(map(_of_oneself, folds)) else frozenset()


def _of_oneself(sentence: str) -> bool:
    if _OWN.search(sentence) is None or _SOMEBODY.search(sentence) or _third(sentence):
        return False
    return _TOGETHER.isdisjoint(_WORD.findall(sentence)) and "们" not in sentence


@kept(4096)
def tells_of_another(text: str) -> bool:
    """True of a statement whose every sentence is about somebody else, and holds nothing of its speaker."""
    if len(text) > _MOST_CHARS:
        return False
    folds = [_read(text[start:end]) for start, end, _ in sentences(text)]
    return bool(folds) and all(map(_of_another, folds))


def _of_another(sentence: str) -> bool:
    if not any(begins.match(sentence) for begins in (_LEADING, _THIRD, _NAMED)):
        return False
    return _OWN.search(_KIN.sub(" ", sentence)) is None


@kept(1024)
def asked_of_ones_own(question: str) -> frozenset[str]:
    """Roots of the words for what a short question asks of its speaker's own: of "my rent"."""
    if len(question) > _MOST_ASKED:
        return frozenset()
    pairs = _ONES_OWN.findall(_read(question))
    return roots(word for anothers, *words in pairs if not anothers for word in words if word)


@kept(4096)
def held_by_another(text: str) -> frozenset[str]:
    """Roots of the words for what a sentence tells of somebody else's: of "my sister's rent", of "Frau Demir".

    Of the former none where it holds anything of its speaker. Neither answers what is asked of one's own by these
    words.
    """
    if len(text) > _MOST_CHARS:
        return frozenset()
    folded = _read(text)
    held = _HELD.match(folded)
    if held is None or len(sentences(text)) > 1 or _OWN.search(_KIN.sub(" ", folded)):
        return _titles(text)
    # "My wife has booked the flight" tells of no flight of hers.
    if held[2] and not DEFINITE.isdisjoint(held[2].split()):
        return _titles(text)
    return roots((held[1] or held[2] or held[3]).split())


def holds_ones_own(text: str, own: frozenset[str], about: frozenset[str]) -> bool:
    """True if a text about somebody else tells of one's own: of "my rent", "The landlord raised the rent.".

    "My sister pays a rent, too." and "My sister sold her car." do not; nor does "My brother drives." of driving.

    Args:
        own: Roots of the words for what is asked of one's own.
        about: Roots of all words of the question; they count behind an article alone, where they are things.
    """
    words = _WORD.findall(_read(text))
    return any(
        _OF_ANYBODY.isdisjoint(words[max(0, at - _BEFORE) : at])
        and (_root(word) in own or (_root(word) in about and words[at - 1] in DEFINITE))
        for at, word in enumerate(words[1:], 1)
    )


def roots(words: Iterable[str]) -> frozenset[str]:
    """Beginnings of words, folded, in which their forms agree."""
    return frozenset(map(_root, words))


def _root(word: str) -> str:
    return fold(word)[:_ROOT]


def _titles(text: str) -> frozenset[str]:
    """Roots of the words for a relation that a text has only as titles."""
    written = _TITLE.findall(text)
    if any(len(title.split()) > 1 or not title[-1:].isspace() for title in written):
        return frozenset()
    return roots(written)


def who_is_told_of(statement: str) -> str:
    """The words by which a statement about somebody else says who that is: "My sister", "Tom"; empty for others."""
    if not tells_of_another(statement):
        return ""
    folded = fold(statement)
    leading = _LEADING.match(folded)
    return leading[0] if leading else folded.split(maxsplit=1)[0]


def _third(folded: str) -> bool:
    return any(_THIRD.match(word) for word in folded.split())
