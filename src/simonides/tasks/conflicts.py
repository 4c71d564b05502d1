"""The task `conflicts`: whether two notes contradict each other, or can both be true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task


def contradict(model: LanguageModel, older: str, newer: str) -> bool:
    """Ask a model whether two notes contradict each other.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return CONFLICTS.run(model, older=older, newer=newer)


def _read(answer: Mapping[str, Any]) -> bool:
    return answer["verdict"] == "contradict"


CONFLICTS: Final = Task(
    name="conflicts",
    schema=exact_object({"verdict": {"type": "string", "enum": ["contradict", "compatible"]}}),
    read=_read,
    max_tokens=100,
    timeout_s=15.0,
)
