"""The task `merge`: one note in place of several that say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.domain.item import MAX_TITLE_CHARS
from simonides.errors import InvalidAnswer
from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """Wording of a merged note by a model; the title may be empty."""

    title: str
    content: str


def word_merge(model: LanguageModel, sources: Sequence[tuple[str, str]]) -> Wording:
    """Ask a model for one note in place of several.

    Args:
        sources: Title and content of each, the best first.

    Returns:
        What it wrote; whether that may stand for the sources is for the caller to find out.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return MERGE.run(model, notes=[{"title": title, "content": content} for title, content in sources])


def _read(answer: Mapping[str, Any]) -> Wording:
    content = answer["content"].strip()
    if not content:
        raise InvalidAnswer("content is blank")
    return Wording(title=line(answer["title"], MAX_TITLE_CHARS), content=content)


MERGE: Final = Task(
    name="merge",
    schema=exact_object({"title": {"type": "string"}, "content": {"type": "string"}}),
    read=_read,
    max_tokens=1500,
)
