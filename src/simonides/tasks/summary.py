"""The task `summary`: a stretch of conversation in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.errors import InvalidAnswer
from simonides.language.faithfulness import unfaithful
from simonides.ports.model import LanguageModel
from simonides.tasks.task import line_task
from simonides.values import dataclass

#: Characters that are read of an answer: more than any summary may have.
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn: who said it, a name or role, and what."""

    speaker: str
    text: str


def summarise(model: LanguageModel, spoken: Sequence[Spoken], most_chars: int) -> str:
    """Ask a model what happened in a stretch of conversation.

    Returns:
        One line of at most `most_chars` characters, in a language of the turns, without a number or name that
        nobody said.

    Raises:
        InvalidAnswer: It wrote something else.
        ProviderError: It did not answer.
    """
    turns = [{"speaker": one.speaker, "text": one.text} for one in spoken]
    text = SUMMARY.run(model, turns=turns, most_chars=most_chars)
    if problem := unfaithful(text, [f"{one.speaker}: {one.text}" for one in spoken], most_chars):
        raise InvalidAnswer(f"{model.name} gave no usable answer to the task summary: {problem}")
    return text


SUMMARY: Final = line_task("summary", "summary", _LONGEST, max_tokens=300, timeout_s=60.0)
