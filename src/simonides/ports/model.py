"""The language model port: a prompt in, a text out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from simonides.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request to a model.

    Attributes:
        task: The task's name, for logs and for models that are scripted.
        system: Who the model is and what the form of its answer is.
        user: What it is to work on.
        schema: JSON Schema of the answer; None for plain text.
        max_tokens: Longest answer.
        timeout_s: How long all tries together may take.
    """

    task: str
    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 1000
    timeout_s: float = 30.0


class LanguageModel(Protocol):
    """Answers prompts. Called outside of transactions only."""

    @property
    def name(self) -> str:
        """Its name in degradations and in the history of what it wrote."""
        ...

    def answer(self, prompt: Prompt) -> str:
        """The model's answer as it gave it, unchecked.

        Raises:
            ProviderError: No answer came in time, or the provider refused.
        """
        ...
