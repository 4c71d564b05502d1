"""The task `bridge`: words for a search that closes one gap of an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.ports.model import LanguageModel
from simonides.tasks.task import line_task

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


# An agenda has ten seconds for all its steps.
BRIDGE: Final = line_task("bridge", "query", _QUERY_CHARS, max_tokens=200, timeout_s=5.0)
