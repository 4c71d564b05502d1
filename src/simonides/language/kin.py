"""Kin, by what they are to a speaker: words for the same one, whom a question asks of, and whom a statement tells of.

"How old is our boy?" is answered by "Our son Mats is seven.", and "What is my sister called?" not by "My brother is
called Leo.". The tables are in the section `whose` of each language. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.guess import language_of
from simonides.language.search_tokens import tokens_of
from simonides.language.sentences import fold
from simonides.language.tables import languages, table, worded
from simonides.language.whose import speaks_of_oneself

#: Whom a word may mean that names them by what they have in common.
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "parent": ("mother", "father"),
    "child": ("son", "daughter"),
    "brother": ("elder_brother", "younger_brother"),
    "sister": ("elder_sister", "younger_sister"),
    "sibling": ("elder_brother", "younger_brother", "elder_sister", "younger_sister"),
    "spouse": ("husband", "wife"),
    "partner": ("husband", "wife", "boyfriend", "girlfriend"),
    "grandparent": ("grandmother", "grandfather"),
    "grandchild": ("grandson", "granddaughter"),
}
#: Longer texts tell of more than one.
_MOST_CHARS: Final = 300
_MOST_ASKED: Final = 80
#: Words, and signs of one without blanks, before the word for whoever a statement is about.
_LEADING: Final = 3
_LEADING_SIGNS: Final = 4
_MOST_SIGNS: Final = 4
_LAST_SPACED: Final = "\u2e80"
_WORD: Final = later(rf"[^\W\d_{CJK}]+(?:-[^\W\d_{CJK}]+)*|[{CJK}]+")
_worded: Final = partial(worded, "whose", flags=0)
#: What is said before the word for one's own kin: "my little".
_OWN: Final = _worded(r"(?:(?<!\w)(?:{possessive})\s+(?:[\w-]+\s+)?|(?<!\w)(?:{han_owner}))\Z")
#: Somebody else whose kin they are: "Tom's mother", "the mother of Tom", "his mother".
_ANOTHERS: Final = _worded(r"(?:'s\s+|(?<!\w)(?:{owner})\s+)(?:[\w-]+\s+)?\Z")

Roles = frozenset[str]


class _Mention(NamedTuple):
    """A word for kin in a text: whom it may mean, and where it stands."""

    roles: Roles
    start: int
    alone: bool


class _Words(NamedTuple):
    """Words of a language, or of all: whom they mean, whom they tell of, and those that need no "my"."""

    meant: Mapping[str, Roles]
    telling: Mapping[str, Roles]
    alone: frozenset[str]


def kin_asked(question: str) -> Roles:
    """Kin of its speaker of whom a short question asks; nobody where it names kin twice, or somebody else's."""
    if len(question) > _MOST_ASKED:
        return frozenset()
    folded = fold(question)
    mentions = _mentions(folded, _words_of(question))
    if len(mentions) != 1:
        return frozenset()
    (mention,) = mentions
    before = folded[: mention.start]
    if _OWN.search(before) or (mention.alone and not _ANOTHERS.search(before)):
        return mention.roles
    return frozenset()


@kept(4096)
def kin_told(text: str) -> Roles:
    """Kin of whom a text tells, by any word."""
    folded, known = fold(text), _words_of(text)
    roles = frozenset[str]().union(*(mention.roles for mention in _mentions(folded, known)))
    return roles.union(*(known.telling.get(word, ()) for word, _ in _cut(folded, known)))


@kept(4096)
def kin_led_by(text: str) -> Roles:
    """Kin with whom a short statement begins that tells of no others; else nobody."""
    if len(text) > _MOST_CHARS:
        return frozenset()
    folded = fold(text)
    mentions = _mentions(folded, _words_of(text))
    if not mentions or any(mention.roles != mentions[0].roles for mention in mentions):
        return frozenset()
    before = folded[: mentions[0].start]
    if speaks_of_oneself(before) and not _OWN.search(before):  # "I'm a mother of three" tells of children.
        return frozenset()
    begins = len(before) <= _LEADING_SIGNS if before[-1:] > _LAST_SPACED else len(before.split()) < _LEADING
    return mentions[0].roles if begins else frozenset()


def kin_alike(token: str) -> tuple[str, ...]:
    """Tokens of words of the same language for those whom a token means, or for some of them."""
    return _alike().get(token, ())


def is_same_kin(one: str, other: str) -> bool:
    """True of two words of a language for the same kin: "son" and "boy"."""
    one, other = fold(one), fold(other)
    return any(
        one in words.meant and words.meant[one] == words.meant.get(other) for words in _by_language().values()
    )


def _mentions(folded: str, known: _Words) -> list[_Mention]:
    return [
        _Mention(known.meant[word], start, word in known.alone)
        for word, start in _cut(folded, known)
        if word in known.meant
    ]


def _cut(folded: str, known: _Words) -> Iterator[tuple[str, int]]:
    """Words of a text and where they begin; of what is written without blanks the longest that are known."""
    for match in _WORD.finditer(folded):
        word, start = match[0], match.start()
        if word < _LAST_SPACED:
            yield word, start
            continue
        at = 0
        while at < len(word):
            parts = (word[at : at + size] for size in range(_MOST_SIGNS, 0, -1))
            part = next((part for part in parts if part in known.meant or part in known.telling), "")
            if part:
                yield part, start + at
            at += max(len(part), 1)


def _words_of(text: str) -> _Words:
    """The words of a text's language; of all where none is told: "son" is no son in French."""
    by_language = _by_language()
    return by_language.get(language_of(text)) or by_language[None]


@cache
def _by_language() -> Mapping[str | None, _Words]:
    sections = {code: table(code, "whose") for code in languages()}
    known: dict[str | None, _Words] = {
        code: _Words(
            _roles_of(whose),
            _by_word(whose.get("kin_told", {})),
            frozenset(fold(whose.get("kin_alone", "")).split()),
        )
        for code, whose in sections.items()
    }
    every = list(known.values())
    return known | {
        None: _Words(
            _joined(one.meant for one in every),
            _joined(one.telling for one in every),
            frozenset[str]().union(*(one.alone for one in every)),
        )
    }


def _joined(tables: Iterable[Mapping[str, Roles]]) -> dict[str, Roles]:
    joined: dict[str, Roles] = {}
    for some in tables:
        joined |= {word: joined.get(word, frozenset()) | roles for word, roles in some.items()}
    return joined


@cache
def _alike() -> Mapping[str, tuple[str, ...]]:
    alike: dict[str, dict[str, None]] = {}
    for one in map(_by_language().__getitem__, languages()):
        cut = {word: tokens_of(word) for word in one.meant}
        lone = [(tokens[0], one.meant[word]) for word, tokens in cut.items() if len(tokens) == 1]
        for token, roles in lone:
            others = (other for other, some in lone if other != token and some <= roles)
            alike.setdefault(token, {}).update(dict.fromkeys(others))
    return {token: tuple(others) for token, others in alike.items() if others}


def _roles_of(whose: Mapping[str, Any]) -> dict[str, Roles]:
    return _by_word(whose.get("kin_words", whose.get("han_kin_words", {})))


def _by_word(names: Mapping[str, str]) -> dict[str, Roles]:
    """Kin that each word of a table may mean."""
    by_word: dict[str, Roles] = {}
    for name, words in names.items():
        for word in fold(words).split():
            by_word[word] = by_word.get(word, frozenset()) | frozenset(_KINDS.get(name, (name,)))
    return by_word
