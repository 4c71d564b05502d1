"""The task `entities`: what is known of somebody or something, in a few sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.errors import InvalidAnswer
from simonides.language.faithfulness import unfaithful
from simonides.ports.model import LanguageModel
from simonides.tasks.task import line_task

_LONGEST: Final = 2_000


def describe(model: LanguageModel, names: Sequence[str], facts: Sequence[str], most_chars: int) -> str:
    """Ask a model what facts tell of somebody or something.

    Args:
        model: Who is asked.
        names: Its name and its aliases.
        facts: What mentions it.
        most_chars: Of the answer.

    Returns:
        One to three sentences on one line, in a language of the facts, that hold one of the names, and no number or
        other name that no fact holds.

    Raises:
        InvalidAnswer: It wrote something else.
        ProviderError: It did not answer.
    """
    text = ENTITIES.run(model, name=names[0], facts=list(facts), most_chars=most_chars)
    problem = unfaithful(text, [*names, *facts], most_chars)
    if problem is None and not any(name.casefold() in text.casefold() for name in names):
        problem = "it does not say of whom it speaks"
    if problem:
        raise InvalidAnswer(f"{model.name} gave no usable answer to the task entities: {problem}")
    return text


ENTITIES: Final = line_task("entities", "summary", _LONGEST, max_tokens=400, timeout_s=60.0)
