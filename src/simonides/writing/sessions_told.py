"""Summary of a session without a model: who talked, what they named and stated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simonides.domain.entity import fold
from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin
from simonides.domain.text import CJK, shortened
from simonides.language.common_words import COMMON
from simonides.language.names import names_in
from simonides.language.spoken import own_words, sentences
from simonides.writing.extract.by_model import speaker

#: What a session is remembered for; who somebody is holds beyond it.
_OUTCOMES: Final = frozenset({"decision", "solution", "event", "todo", "constraint"})
_MOST_TOPICS: Final = 5
_MOST_STATED: Final = 3
_LONGEST_STATED: Final = 160
_LEAST_LETTERS: Final = 4
_WORD: Final = later(rf"[^\W\d_{CJK}]{{{_LEAST_LETTERS},}}")
_HAN: Final = re.compile(f"[{CJK}]")
_CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)
_FRENCH: Final = re.compile(r"\b(?:je|j['’]|mon|ma|nous|est|une|les|pour|dans|avec)\b", re.IGNORECASE)
_ENGLISH: Final = re.compile(r"\b(?:i|my|the|is|are|and|to|for|with|you)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Wordings for a session's summary in a language.

    Attributes:
        roles: What it calls those without a name.
        joined: Between the last two of a list.
        about: With `who` and `what`.
        talked: With `who`, where no topic stands out.
        asked: Before what was asked first.
    """

    roles: dict[str, str]
    joined: str
    about: str
    talked: str
    asked: str


_WORDINGS: Final = {
    "en": _Wording(
        {"user": "the user", "assistant": "the assistant"},
        " and ",
        "{who} talked about {what}.",
        "{who} talked.",
        "Asked first: “{question}?”",
    ),
    "ru": _Wording(
        {"user": "пользователь", "assistant": "ассистент"},
        " и ",
        "Беседа ({who}): {what}.",
        "Беседа ({who}).",
        "Первый вопрос: «{question}?»",
    ),
    "fr": _Wording(
        {"user": "l’utilisateur", "assistant": "l’assistant"},
        " et ",
        "Conversation ({who}) : {what}.",
        "Conversation ({who}).",
        "Première question : « {question} ? »",
    ),
    "zh": _Wording(
        {"user": "用户", "assistant": "助手"},
        "和",
        "{who}聊了：{what}。",
        "{who}聊了天。",
        "最先问的是：“{question}？”",
    ),
}


def told_plainly(spoken: Sequence[tuple[Item, str]], stated: Sequence[Item]) -> tuple[str, ...]:
    """Summarise a session, in two ways: with what was stated or asked in it, and without.

    Nothing where nothing stands out: that somebody talked is not worth telling.

    Args:
        spoken: Turns in their order, each with what was said in it; at least one.
        stated: Items that were made of the session.
    """
    wording = _WORDINGS[_language(" ".join(text for _, text in spoken)[:4000])]
    who = _listed([wording.roles.get(name, name) for name in _speakers(spoken)], wording)
    topics = _topics(spoken)
    rest = [f"“{shortened(item.content, _LONGEST_STATED)}”" for item in _weightiest(stated)]
    if not rest and (question := _first_question(spoken)):
        rest = [wording.asked.format(question=question)]
    if not topics and not rest:
        return ()
    about = wording.about if topics else wording.talked
    head = about.format(who=who, what=_listed(topics, wording))
    head = head[0].upper() + head[1:]
    return (" ".join([head, *rest]), head) if rest else (head,)


def _language(text: str) -> str:
    if len(_HAN.findall(text)) * 4 > len(text):
        return "zh"
    if len(_CYRILLIC.findall(text)) * 3 > len(text):
        return "ru"
    return "fr" if len(_FRENCH.findall(text)) > len(_ENGLISH.findall(text)) else "en"


def _speakers(spoken: Sequence[tuple[Item, str]]) -> list[str]:
    return list(dict.fromkeys(speaker(turn) for turn, _ in spoken))


def _topics(spoken: Sequence[tuple[Item, str]]) -> list[str]:
    """Names that were spoken of, the most often first; where there are few, words that come back."""
    people = {fold(name) for name in _speakers(spoken)}
    names: Counter[str] = Counter()
    written: dict[str, str] = {}
    words: Counter[str] = Counter()
    for turn, text in spoken:
        said = own_words(text)
        for name in dict.fromkeys(name.text for name in names_in(said) if not name.known_only):
            if fold(name) not in people and not _HAN.search(name):
                written.setdefault(fold(name), name)
                names[fold(name)] += 1
        # What is asked or told says what a talk is about; a long answer says everything.
        weight = 2 if turn.origin in {Origin.USER_SAID, Origin.USER_CONFIRMED} else 1
        for word in dict.fromkeys(found.casefold() for found in _WORD.findall(said)):
            if word not in COMMON and word not in people:
                words[word] += weight
    topics = [written[name] for name, _ in _ranked(names)[:_MOST_TOPICS]]
    told = {part for topic in topics for part in fold(topic).split()}
    again = [word for word, count in _ranked(words) if count > 2 and word not in told]
    return [*topics, *again][:_MOST_TOPICS]


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
        if turn.origin in {Origin.USER_SAID, Origin.USER_CONFIRMED}:
            for sentence, asked in sentences(own_words(text)):
                if asked and len(sentence) > 2 * _LEAST_LETTERS:
                    return shortened(sentence, _LONGEST_STATED)
    return ""


def _listed(names: Sequence[str], wording: _Wording) -> str:
    if not names:
        return ""
    *first, last = names
    separator = "、" if wording is _WORDINGS["zh"] else ", "
    return f"{separator.join(first)}{wording.joined}{last}" if first else last
