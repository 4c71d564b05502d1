"""The task `expand`: what else to search for, for a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line, lines
from simonides.values import dataclass

MOST: Final = 3
#: What the text index looks at of a query, and somewhat more of what is compared by its meaning.
_QUERY_CHARS: Final = 200
_SENTENCE_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class Expansions:
    """Other words for a question; each part may be empty.

    Attributes:
        lexical: Other words to look for, at most three.
        semantic: The question in other words, at most three.
        hypothetical: An answer as it might be stored.
    """

    lexical: tuple[str, ...]
    semantic: tuple[str, ...]
    hypothetical: str


def expand(model: LanguageModel, question: str) -> Expansions:
    """Ask a model what else to search for.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return EXPAND.run(model, question=question)


def _read(answer: Mapping[str, Any]) -> Expansions:
    return Expansions(
        lexical=lines(answer["lexical"], _QUERY_CHARS, most=MOST),
        semantic=lines(answer["semantic"], _SENTENCE_CHARS, most=MOST),
        hypothetical=line(answer["hypothetical"], _SENTENCE_CHARS),
    )


def _form(texts: Mapping[str, Any]) -> dict[str, Any]:
    return exact_object({"lexical": texts, "semantic": texts, "hypothetical": {"type": "string"}})


_TEXTS: Final = {"type": "array", "items": {"type": "string"}}

EXPAND: Final = Task(
    name="expand",
    schema=_form(_TEXTS | {"maxItems": MOST}),
    # The first three of five are as good.
    accepted=_form(_TEXTS),
    read=_read,
    max_tokens=600,
)
