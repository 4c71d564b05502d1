"""The task `profile`: which notes somebody who talks with a person should always have in mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from simonides.errors import InvalidAnswer
from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task


def choose(model: LanguageModel, notes: Sequence[tuple[str, str]], most: int) -> tuple[int, ...]:
    """Ask a model which notes belong into the core profile.

    Args:
        model: Who is asked.
        notes: Type and text of each; at least one.
        most: How many may be chosen.

    Returns:
        Places of the chosen ones, from 0, the most important first; at least one, none twice, at most `most`.

    Raises:
        InvalidAnswer: It chose nothing, or notes that there are not.
        ProviderError: It did not answer.
    """
    shown = [{"number": n, "type": kind, "note": text} for n, (kind, text) in enumerate(notes, 1)]
    numbers = PROFILE.run(model, notes=shown, most=most)
    chosen = dict.fromkeys(number - 1 for number in numbers)
    if not chosen or not set(chosen) <= set(range(len(notes))):
        what = "it names a note that there is not" if chosen else "it chose nothing"
        raise InvalidAnswer(f"{model.name} gave no usable answer to the task profile: {what}")
    return tuple(chosen)[:most]


def _read(answer: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(cast("list[int]", answer["keep"]))


PROFILE: Final = Task(
    name="profile",
    schema=exact_object({"keep": {"type": "array", "items": {"type": "integer"}}}),
    read=_read,
    max_tokens=1000,
    timeout_s=120.0,
)
