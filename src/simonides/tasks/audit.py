"""The task `audit`: a second opinion about a text that may become a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.ports.model import LanguageModel
from simonides.tasks.schema import exact_object
from simonides.tasks.task import Task
from simonides.tasks.texts import line, lines
from simonides.values import dataclass

VERDICTS: Final = ("accept", "quarantine", "reject")
_REASON_CHARS: Final = 200
_TYPE_CHARS: Final = 40
_TAG_CHARS: Final = 100
_MOST_TAGS: Final = 8


@dataclass(frozen=True, slots=True)
class AuditOpinion:
    """Opinion of a model on a candidate.

    Attributes:
        verdict: One of `VERDICTS`.
        reason: On one line; may be empty where it accepts.
        type: What the text is; empty for what it was taken for.
        tags: None given means: as they were.
    """

    verdict: str
    reason: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()


def audit(
    model: LanguageModel, content: str, *, given: Mapping[str, str], tags: Sequence[str], types: Sequence[str]
) -> AuditOpinion:
    """Ask a model whether a text should be remembered.

    Args:
        model: Who is asked.
        content: The text.
        given: What is said of it: its type, where it comes from, and why it is to be kept.
        tags: Its tags.
        types: The types there are.

    Raises:
        ProviderError: It did not answer, or not usefully.
    """
    return AUDIT.run(model, content=content, given=dict(given), tags=list(tags), types=list(types))


def _read(answer: Mapping[str, Any]) -> AuditOpinion:
    return AuditOpinion(
        verdict=answer["verdict"],
        reason=line(answer["reason"], _REASON_CHARS),
        type=line(answer["type"], _TYPE_CHARS).casefold(),
        tags=lines(answer["tags"], _TAG_CHARS, most=_MOST_TAGS),
    )


AUDIT: Final = Task(
    name="audit",
    schema=exact_object(
        {
            "verdict": {"type": "string", "enum": list(VERDICTS)},
            "reason": {"type": "string"},
            "type": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
        }
    ),
    read=_read,
    max_tokens=300,
    timeout_s=20.0,
)
