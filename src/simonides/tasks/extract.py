"""The task `extract`: what of a stretch of conversation should be remembered, and who said it where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from simonides.errors import InvalidAnswer
from simonides.language.faithfulness import unsaid
from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line
from simonides.values import dataclass

#: What a model may call what it found.
TYPES: Final = (
    "fact", "decision", "definition", "constraint", "preference", "identity", "procedure", "solution", "event", "todo",
)  # fmt: skip
MOST_FACTS: Final = 60
_LONGEST: Final = 500
_LONGEST_WHY: Final = 200


@dataclass(frozen=True, slots=True)
class Utterance:
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
    """Statements that a model found.

    Attributes:
        kept: Facts that the turns they name bear out.
        dropped: Of each other one, why it was dropped.
    """

    kept: tuple[Fact, ...]
    dropped: tuple[str, ...]


def extract_facts(model: LanguageModel, utterances: Sequence[Utterance]) -> Facts:
    """Ask a model what to remember of some turns.

    A fact is kept where the turns that it names exist and every number and name in it occurs in them: what
    nobody said is not remembered, however likely it is.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    turns = [{"turn": one.turn, "speaker": one.speaker, "at": one.at, "text": one.text} for one in utterances]
    answer = EXTRACT.run(model, turns=turns, types=list(TYPES), most=MOST_FACTS)
    known: dict[int, list[Utterance]] = {}
    for one in utterances:
        known.setdefault(one.turn, []).append(one)
    kept: list[Fact] = []
    dropped: list[str] = []
    for entry in answer[:MOST_FACTS]:
        fact = _fact(entry, known)
        if isinstance(fact, Fact):
            kept.append(fact)
        else:
            dropped.append(fact)
    dropped += [f"more than {MOST_FACTS} facts in one answer"] * (len(answer) > MOST_FACTS)
    return Facts(tuple(kept), tuple(dropped))


def _fact(entry: object, known: Mapping[int, Sequence[Utterance]]) -> Fact | str:
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
    cited = [one for turn in sources for one in known[turn]]
    invented = unsaid(text, [f"{one.speaker} {one.at} {one.text}" for one in cited])
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


def _read(answer: Mapping[str, Any]) -> list[object]:
    facts = answer["facts"]
    if not isinstance(facts, list):
        raise InvalidAnswer("facts must be a list")
    return cast("list[object]", facts)


EXTRACT: Final = Task(
    name="extract",
    schema=exact_object(
        {
            "facts": {
                "type": "array",
                "items": exact_object(
                    {
                        "content": {"type": "string"},
                        "type": {"type": "string", "enum": list(TYPES)},
                        "turns": {"type": "array", "items": {"type": "integer"}},
                        "confidence": {"type": "number"},
                        "why": {"type": "string"},
                    }
                ),
            }
        }
    ),
    # One bad fact of ten loses one.
    accepted={"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]},
    read=_read,
    max_tokens=3000,
    timeout_s=120.0,
)
