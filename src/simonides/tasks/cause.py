"""The task `cause`: whether one of two turns tells why what the other tells came about."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task


class Cause(StrEnum):
    """Direction of a cause between two turns."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


def cause_of(model: LanguageModel, first: str, second: str) -> Cause:
    """Ask a model which of two consecutive turns tells why what the other tells came about.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return CAUSE.run(model, first=first, second=second)


def _read(answer: Mapping[str, Any]) -> Cause:
    return Cause(answer["cause"])


CAUSE: Final = Task(
    name="cause",
    schema=exact_object({"cause": {"type": "string", "enum": [cause.value for cause in Cause]}}),
    read=_read,
    max_tokens=100,
    timeout_s=15.0,
)
