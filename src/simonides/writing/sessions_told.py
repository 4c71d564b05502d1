"""Summary of a session without a model: who talked, what they named and stated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from simonides.domain.entity import fold
from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin
from simonides.domain.text import CJK, shortened
from simonides.language.common_words import COMMON
from simonides.language.guess import language_of
from simonides.language.names import names_in
from simonides.language.spoken import own_words, sentences
from simonides.language.tables import as_written, languages, table
from simonides.language.words import STOP
from simonides.writing.extract.by_model import speaker

#: What a session is remembered for; who somebody is holds beyond it.
_OUTCOMES: Final = frozenset({"decision", "solution", "event", "todo", "constraint"})
#: Speakers without a name of their own.
_ROLES: Final = frozenset({"user", "assistant"})
_MOST_TOPICS: Final = 5
_MOST_STATED: Final = 3
_LONGEST_STATED: Final = 160
_LEAST_LETTERS: Final = 4
#: Words of an assistant's sentence that tells of anything.
_LEAST_WORDS: Final = 5
_MOST_CHARS: Final = 4000
_OF_USERS: Final = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED})
#: Languages that write every noun with a capital: no other word is what a talk is about.
_NOUNS_IN_CAPITALS: Final = frozenset({"de"})
_WORD: Final = later(rf"[^\W\d_{CJK}]{{{_LEAST_LETTERS},}}")
_WORDS: Final = later(rf"[^\W{CJK}]+|[{CJK}]{{1,2}}")
_NEXT: Final = later(rf" ([^\W\d_{CJK}]+)")
_HAN: Final = re.compile(f"[{CJK}]")
_CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)


@cache
def _wordings() -> Mapping[str, Mapping[str, str]]:
    """Wordings of a summary by language; English first, which is taken where nothing tells."""
    return {code: table(code, "sessions") for code in sorted(languages(), key=lambda code: code != "en")}


@cache
def _known_by() -> Mapping[str, re.Pattern[str]]:
    """Words by which a language in Latin letters is known."""
    known = ((code, wording.get("known_by")) for code, wording in _wordings().items())
    return {code: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for code, words in known if words}


def told_plainly(spoken: Sequence[tuple[Item, str]], stated: Sequence[Item]) -> tuple[str, ...]:
    """Summarise a session, in two ways: with what was stated or asked in it, and without.

    Nothing where nothing stands out: that somebody talked is not worth telling.

    Args:
        spoken: Turns in their order, each with what was said in it; at least one.
        stated: Items that were made of the session.
    """
    code = _language(spoken)
    wording = _wordings()[code]
    who = _listed([wording[name] if name in _ROLES else name for name in _speakers(spoken)], wording)
    topics = _topics(spoken, code)
    rest = [
        wording["quoted"].format(said=shortened(item.content, _LONGEST_STATED))
        for item in _weightiest(stated)
    ]
    if not rest and (question := _first_question(spoken)):
        rest = [wording["asked"].format(question=question)]
    if not topics and not rest:
        return ()
    about = wording["about" if topics else "talked"]
    head = about.format(who=who, what=_listed(topics, wording))
    head = head[0].upper() + head[1:]
    return (" ".join([head, *rest]), head) if rest else (head,)


def _language(spoken: Sequence[tuple[Item, str]]) -> str:
    """The language of a session: of what users said where that tells, else of all that was said."""
    said_by_users = " ".join(text for turn, text in spoken if turn.origin in _OF_USERS)
    text = " ".join(text for _, text in spoken)[:_MOST_CHARS]
    for one in (said_by_users, text):
        if (code := language_of(one)) is not None and code in _wordings():
            return code
    if len(_HAN.findall(text)) * 4 > len(text):
        return "zh"
    if len(_CYRILLIC.findall(text)) * 3 > len(text):
        return "ru"
    return max(_known_by().items(), key=lambda known: len(known[1].findall(text)))[0]


def _speakers(spoken: Sequence[tuple[Item, str]]) -> list[str]:
    return list(dict.fromkeys(speaker(turn) for turn, _ in spoken))


def _topics(spoken: Sequence[tuple[Item, str]], code: str) -> list[str]:
    """Names that were spoken of, the most often first; where there are few, words that come back."""
    people = {fold(name) for name in _speakers(spoken)}
    names: Counter[str] = Counter()
    written: dict[str, str] = {}
    words: Counter[str] = Counter()
    for turn, text in spoken:
        by_user = turn.origin in _OF_USERS
        counted = own_words(text) if by_user else _without_interjections(own_words(text))
        named = (_topic(name.text) for name in names_in(counted) if not name.known_only)
        for name in dict.fromkeys(name for name in named if name):
            if fold(name) not in people and not _HAN.search(name):
                written.setdefault(fold(name), name)
                names[fold(name)] += 1
        # What is asked or told says what a talk is about; a long answer says everything.
        weight = 2 if by_user else 1
        for word in dict.fromkeys(_heads(counted, capitalised=code in _NOUNS_IN_CAPITALS)):
            if _topic(word) and fold(word) not in people:
                words[word] += weight
    topics = [written[name] for name, _ in _ranked(names)[:_MOST_TOPICS]]
    parts = {part for topic in topics for part in fold(topic).split()}
    again = [word for word, count in _ranked(words) if count > 2 and fold(word) not in parts]
    return [*topics, *again][:_MOST_TOPICS]


def _without_interjections(text: str) -> str:
    """What an assistant says without sentences of a few words: "Poor Dev!" is no talk about Dev."""
    counted = (sentence for sentence, _ in sentences(text) if len(_WORDS.findall(sentence)) >= _LEAST_WORDS)
    return "".join(f"{sentence}.\n" for sentence in counted)


def _heads(text: str, *, capitalised: bool) -> Iterator[str]:
    """Words that something may be about: none right before another, which it only describes ("hash map")."""
    for match in _WORD.finditer(text):
        word = match[0]
        if capitalised and not word[0].isupper():
            continue
        behind = _NEXT.match(text, match.end())
        if behind is None or behind[1].casefold() in COMMON or behind[1].casefold() in STOP:
            yield word if capitalised else word.casefold()


@cache
def _no_topics() -> frozenset[str]:
    return as_written("no_topics", among="sessions") | COMMON


def _topic(name: str) -> str:
    """A name without words at its beginning that greetings and measures have; empty where it has no others."""
    words = name.split()
    while words and words[0].casefold() in _no_topics():
        del words[0]
    return " ".join(words)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """Most often first; what was said first comes first among equals."""
    return sorted(counts.items(), key=lambda pair: -pair[1])


def _weightiest(stated: Sequence[Item]) -> list[Item]:
    """Results first, then the most important; in the order in which they were said."""
    chosen = sorted(
        stated, key=lambda item: (item.type not in _OUTCOMES, -item.importance, item.event_at or 0)
    )[:_MOST_STATED]
    return sorted(chosen, key=lambda item: item.event_at or 0)


def _first_question(spoken: Sequence[tuple[Item, str]]) -> str:
    """First question of the first speaker, shortened; empty where nothing was asked."""
    for turn, text in spoken:
        if turn.origin in _OF_USERS:
            for sentence, is_question in sentences(own_words(text)):
                if is_question and len(sentence) > 2 * _LEAST_LETTERS:
                    return shortened(sentence, _LONGEST_STATED)
    return ""


def _listed(names: Sequence[str], wording: Mapping[str, str]) -> str:
    if not names:
        return ""
    *first, last = names
    return f"{wording.get('separator', ', ').join(first)}{wording['joined']}{last}" if first else last
