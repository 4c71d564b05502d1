"""The task `bridge`: words for a search that closes one gap of an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.errors import InvalidAnswer
from simonides.ports.model import LanguageModel
from simonides.tasks.task import Task
from simonides.tasks.texts import line

#: What the text index looks at of a query.
_QUERY_CHARS: Final = 200


def word_subgoal(model: LanguageModel, question: str, subgoal: str, known: Sequence[str]) -> str:
    """Ask a model for a query.

    Args:
        model: Who is asked.
        question: What is to be answered in the end.
        subgoal: What is missing for it, in words.
        known: Names to go on from.

    Returns:
        One line, not blank, of at most 200 characters.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return BRIDGE.run(model, question=question, subgoal=subgoal, known=list(known))


def _read(answer: Mapping[str, Any]) -> str:
    if not (query := line(answer["query"], _QUERY_CHARS)):
        raise InvalidAnswer("query is blank")
    return query


BRIDGE: Final = Task(
    name="bridge",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
    read=_read,
    max_tokens=200,
    # An agenda has ten seconds for all its steps.
    timeout_s=5.0,
)
