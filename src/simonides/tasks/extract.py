"""The task `extract`: what of a stretch of conversation should be remembered, and who said it where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.errors import InvalidAnswer
from simonides.ports.model import LanguageModel
from simonides.tasks.task import Task
from simonides.tasks.texts import line

#: What a model may call what it found.
TYPES: Final = (
    "fact", "decision", "definition", "constraint", "preference", "identity", "procedure", "solution", "event", "todo",
)  # fmt: skip
MOST_FACTS: Final = 60
_LONGEST: Final = 500
_LONGEST_WHY: Final = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as a model is shown it.

    Attributes:
        turn: Its number in the prompt; pieces of a long turn share one.
        speaker: A name, `user` or `assistant`.
        at: When, ISO 8601.
    """

    turn: int
    speaker: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that turns state.

    Attributes:
        turns: Numbers of the turns that state it, ascending.
        confidence: In [0, 1].
    """

    content: str
    type: str
    turns: tuple[int, ...]
    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a model found.

    Attributes:
        kept: Facts that the turns they name bear out.
        dropped: Of each other one, why it was dropped.
    """

    kept: tuple[Fact, ...]
    dropped: tuple[str, ...]


def extract_facts(model: LanguageModel, said: Sequence[Said]) -> Facts:
    """Ask a model what to remember of some turns.

    A fact is kept where the turns that it names exist and every number and name in it occurs in them: what
    nobody said is not remembered, however likely it is.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    turns = [{"turn": one.turn, "speaker": one.speaker, "at": one.at, "text": one.text} for one in said]
    answer = EXTRACT.run(model, turns=turns, types=list(TYPES), most=MOST_FACTS)
    known: dict[int, list[Said]] = {}
    for one in said:
        known.setdefault(one.turn, []).append(one)
    kept: list[Fact] = []
    dropped: list[str] = []
    for entry in answer[:MOST_FACTS]:
        found = _fact(entry, known)
        if isinstance(found, Fact):
            kept.append(found)
        else:
            dropped.append(found)
    dropped += [f"more than {MOST_FACTS} facts in one answer"] * (len(answer) > MOST_FACTS)
    return Facts(tuple(kept), tuple(dropped))


def _fact(entry: object, known: Mapping[int, Sequence[Said]]) -> Fact | str:
    """A fact; or why it is none."""
    if not isinstance(entry, Mapping):
        return "no object"
    fields = cast("Mapping[str, Any]", entry)
    content = fields.get("content")
    if not isinstance(content, str) or not (text := line(content, _LONGEST + 1)):
        return "without content"
    if len(text) > _LONGEST:
        return f"longer than {_LONGEST} characters"
    numbers = fields.get("turns")
    if not isinstance(numbers, list) or not numbers:
        return "names no turn"
    turns = cast("list[object]", numbers)
    if not all(isinstance(turn, int) and turn in known for turn in turns):
        return "names a turn that does not exist"
    sources = tuple(sorted(cast("set[int]", set(turns))))
    told = [one for turn in sources for one in known[turn]]
    invented = unsaid(text, [f"{one.speaker} {one.at} {one.text}" for one in told])
    if invented:
        return f"invented: {', '.join(invented[:3])} in none of the turns that it names"
    kind, sure, why = fields.get("type"), fields.get("confidence"), fields.get("why")
    known_sure = isinstance(sure, int | float) and not isinstance(sure, bool) and 0 <= sure <= 1
    return Fact(
        content=text,
        type=kind if isinstance(kind, str) and kind in TYPES else "fact",
        turns=sources,
        confidence=float(sure) if known_sure and sure is not None else 0.8,
        why=line(why, _LONGEST_WHY) if isinstance(why, str) else "",
    )


_OPENING: Final = """
user user's assistant i it its it's this that these those there the a an he she they we you his her
their our your my in on at by for from to with without of as and or but so if when while where who what
which how why because since after before during until both all some any no not none each every many most
more other another one once also only then now never always sometimes usually however therefore
пользователь пользователя пользователю ассистент он она они оно мы я это этот эта у в на по с к из за
для при если когда все всё его её их также но и не l'utilisateur l'utilisatrice utilisateur utilisatrice
il elle ils elles on nous je le la les un une des ce cette ces son sa ses leur leurs en dans pour avec
sans sur si quand
"""
#: What any fact may say of who spoke, and words that begin sentences and are no names.
_GIVEN: Final = frozenset(_OPENING.split())
_TOKEN: Final = later(rf"[^\W_{CJK}]+(?:['’.,:/-][^\W_{CJK}]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
#: Letters that a word at the beginning of a sentence shares at least with one that was said, if it is no name.
_STEM: Final = 3
_SPELLED: Final = {
    word: str(n)
    for n, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}


def unsaid(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Numbers and names of a text that none of its sources holds, in their order.

    A name is a word with a capital letter; one that begins a sentence counts as one only where no word of
    the sources begins like it. Numbers are compared by their digits ("1,200" is 1200, "three" is 3).
    """
    said = " ".join(sources)
    words = {word.casefold().removesuffix("'s").removesuffix("’s") for word in _TOKEN.findall(said)}
    words |= {part for word in words for part in re.split(r"['’.,:/-]", word)}
    numbers = {_digits(number) for number in _NUMBER.findall(said)} | {
        _SPELLED[word] for word in words if word in _SPELLED
    }
    return tuple(_missing(text, words, numbers))


def _missing(text: str, words: set[str], numbers: set[str]) -> Iterator[str]:
    beginnings = {word[:_STEM] for word in words}
    opens = True
    end = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        opens = opens or any(sign in text[end : token.start()] for sign in ".!?…")
        end = token.end()
        plain = word.casefold().removesuffix("'s").removesuffix("’s")
        if (number := _NUMBER.search(word)) is not None:
            if _digits(number[0]) not in numbers:
                yield word
        elif any(letter.isupper() for letter in word) and plain not in words and plain not in _GIVEN:
            parts = re.split(r"['’.,:/-]", plain)
            known = _SPELLED.get(plain) in numbers or (opens and plain[:_STEM] in beginnings)
            if not known and not all(part in words for part in parts):
                yield word
        opens = False


def _digits(number: str) -> str:
    return re.sub(r"[.,:]", "", number).lstrip("0") or "0"


def _read(answer: Mapping[str, Any]) -> list[object]:
    facts = answer["facts"]
    if not isinstance(facts, list):
        raise InvalidAnswer("facts must be a list")
    return cast("list[object]", facts)


EXTRACT: Final = Task(
    name="extract",
    schema={
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "content": {"type": "string"},
                        "type": {"type": "string", "enum": list(TYPES)},
                        "turns": {"type": "array", "items": {"type": "integer"}},
                        "confidence": {"type": "number"},
                        "why": {"type": "string"},
                    },
                    "required": ["content", "type", "turns", "confidence", "why"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["facts"],
        "additionalProperties": False,
    },
    # One bad fact of ten loses one.
    accepted={"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]},
    read=_read,
    max_tokens=3000,
    timeout_s=120.0,
)
