"""The task `narrative`: what a session was about, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.errors import InvalidAnswer
from simonides.language.faithfulness import unsaid
from simonides.ports.model import LanguageModel
from simonides.tasks.extract import Utterance
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line

_LONGEST: Final = 600


def tell(model: LanguageModel, utterances: Sequence[Utterance]) -> str:
    """Ask a model what a session was about.

    Returns:
        One to three sentences on one line, of at most 600 characters, with no number or name that nobody said.

    Raises:
        InvalidAnswer: It told of what nobody said.
        ProviderError: It did not answer, or not usefully.
    """
    turns = [{"speaker": one.speaker, "at": one.at, "text": one.text} for one in utterances]
    text = NARRATIVE.run(model, turns=turns)
    if invented := unsaid(text, [f"{one.speaker} {one.at} {one.text}" for one in utterances]):
        raise InvalidAnswer(
            f"{model.name} told of what nobody said in the task narrative: {', '.join(invented[:3])}"
        )
    return text


def _read(answer: Mapping[str, Any]) -> str:
    text = line(answer["narrative"], _LONGEST + 1)
    if not text:
        raise InvalidAnswer("narrative is blank")
    if len(text) > _LONGEST:
        raise InvalidAnswer(f"narrative is longer than {_LONGEST} characters")
    return text


NARRATIVE: Final = Task(
    name="narrative",
    schema=exact_object({"narrative": {"type": "string"}}),
    read=_read,
    max_tokens=400,
    timeout_s=60.0,
)
