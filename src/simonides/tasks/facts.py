"""The tasks `facts` and `compress`: what lasts of events, and fewer facts in place of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from simonides.errors import InvalidAnswer
from simonides.language.faithfulness import left_out, unfaithful
from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line
from simonides.values import dataclass

#: What may be drawn from events. What somebody is, wants or has to keep to takes their own word.
TYPES: Final = ("fact", "decision", "definition", "solution", "procedure", "todo")
_LONGEST: Final = 500
#: What is merged has at least this share of the length of the longest note that it stands for.
_SHRUNKEN: Final = 0.6


@dataclass(frozen=True, slots=True)
class Drawn:
    """Something that a model drew from notes.

    Attributes:
        sources: Places of the notes that bear it out, from 0, ascending.
    """

    content: str
    type: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UsableAnswer:
    """Usable part of an answer, and why the rest cannot be used; reasons quote nothing."""

    kept: tuple[Drawn, ...]
    dropped: tuple[str, ...]


def lasting(model: LanguageModel, events: Sequence[str]) -> UsableAnswer:
    """Ask a model what of events will still be worth knowing.

    Kept is what the events that it names bear out: every number and name, in their language. One bad fact loses
    one. That there is nothing is an answer.

    Raises:
        InvalidAnswer: Nothing of what it wrote can be used.
        ProviderError: It did not answer.
    """
    return _sorted_out(model, FACTS, events, FACTS.run(model, notes=_numbered(events), types=list(TYPES)))


def compressed(model: LanguageModel, facts: Sequence[str]) -> UsableAnswer:
    """Ask a model to say many facts in fewer.

    Kept is what stands for two facts or more, none of which another entry claims, too: it is no longer than they are
    together and not shrunken, and holds all their numbers and names and no other. What the answer does not mention
    is no part of it, and has to stay as it is; an answer may mention nothing.

    Raises:
        InvalidAnswer: Nothing of what it wrote can be used.
        ProviderError: It did not answer.
    """
    usable = _sorted_out(model, COMPRESS, facts, COMPRESS.run(model, notes=_numbered(facts)))
    merged = [drawn for drawn in usable.kept if len(drawn.sources) > 1]
    kept: list[Drawn] = []
    dropped = list(usable.dropped)
    claimed: set[int] = set()
    for drawn in merged:
        problem = _not_for_all(drawn, facts)
        if problem is None and claimed.intersection(drawn.sources):
            problem = "it takes a note that another one has taken"
        if problem is None:
            kept.append(drawn)
            claimed.update(drawn.sources)
        else:
            dropped.append(problem)
    if merged and not kept:
        raise InvalidAnswer(f"{model.name} gave no usable answer to the task compress: {dropped[-1]}")
    return UsableAnswer(tuple(kept), tuple(dropped))


def _not_for_all(drawn: Drawn, facts: Sequence[str]) -> str | None:
    """Reason why an entry may not stand for its sources; None if it may."""
    sources = [facts[place] for place in drawn.sources]
    if len(drawn.content) > sum(map(len, sources)):
        return "it is longer than the notes together"
    if len(drawn.content) < _SHRUNKEN * max(map(len, sources)):
        return "it is shrunken"
    if missing := left_out(drawn.content, sources):
        return f"it leaves out {missing} numbers or names"
    return None


def _sorted_out(
    model: LanguageModel, task: Task[list[object]], notes: Sequence[str], answer: Sequence[object]
) -> UsableAnswer:
    kept: list[Drawn] = []
    dropped: list[str] = []
    for drawn in _drawn(notes, answer):
        if isinstance(drawn, Drawn):
            kept.append(drawn)
        else:
            dropped.append(drawn)
    if dropped and not kept:
        raise InvalidAnswer(f"{model.name} gave no usable answer to the task {task.name}: {dropped[0]}")
    return UsableAnswer(tuple(kept), tuple(dropped))


def _drawn(notes: Sequence[str], answer: Sequence[object]) -> Iterator[Drawn | str]:
    for entry in answer[: len(notes)]:
        fields = cast("Mapping[str, Any]", entry if isinstance(entry, Mapping) else {})
        content, numbers, kind = fields.get("content"), fields.get("from"), fields.get("type")
        if not isinstance(content, str) or not isinstance(numbers, list) or not numbers:
            yield "an entry has no content, or names no note"
            continue
        places = sorted(
            {n - 1 for n in cast("list[object]", numbers) if type(n) is int and 0 < n <= len(notes)}
        )
        if len(places) < len(set(map(str, cast("list[object]", numbers)))):
            yield "it names a note that there is not"
            continue
        text = line(content, _LONGEST * 2)
        longest = max(_LONGEST, *(len(notes[place]) for place in places))
        if problem := unfaithful(text, [notes[place] for place in places], longest):
            yield problem
            continue
        yield Drawn(text, kind if isinstance(kind, str) and kind in TYPES else "fact", tuple(places))
    if len(answer) > len(notes):
        yield "there are more entries than notes"


def _numbered(notes: Sequence[str]) -> list[dict[str, Any]]:
    return [{"number": n, "note": note} for n, note in enumerate(notes, 1)]


def _read(answer: Mapping[str, Any]) -> list[object]:
    return cast("list[object]", answer["facts"])


def _form(properties: Mapping[str, Any]) -> dict[str, Any]:
    entry = exact_object(properties)
    return exact_object({"facts": {"type": "array", "items": entry}})


_NUMBERS: Final = {"type": "array", "items": {"type": "integer"}}
#: One bad entry of ten loses one.
_ACCEPTED: Final = {"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]}

FACTS: Final = Task(
    name="facts",
    schema=_form(
        {"content": {"type": "string"}, "type": {"type": "string", "enum": list(TYPES)}, "from": _NUMBERS}
    ),
    accepted=_ACCEPTED,
    read=_read,
    max_tokens=2000,
    timeout_s=120.0,
)
COMPRESS: Final = Task(
    name="compress",
    schema=_form({"content": {"type": "string"}, "from": _NUMBERS}),
    accepted=_ACCEPTED,
    read=_read,
    max_tokens=4000,
    timeout_s=180.0,
)
