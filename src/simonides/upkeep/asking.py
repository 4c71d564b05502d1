"""Asking the model of a run, as long as it answers; whoever asks has a way to do without."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from simonides.errors import InvalidAnswer, ProviderError
from simonides.ports.model import LanguageModel
from simonides.upkeep.ground import Ground

T = TypeVar("T")


class ModelAccess:
    """The model of one run of a job.

    One that does not answer is not asked again in the run: each further question would wait as long as the first.
    One whose answer cannot be used may do better with the next question.

    Args:
        otherwise: What the job does where the model does not answer, for whoever watches: "events quote the turns".
        unusable: What it does where an answer cannot be used, and is not asked for again; as `otherwise` if empty.
    """

    def __init__(self, ground: Ground, otherwise: str, unusable: str = "") -> None:
        self._ground = ground
        self._otherwise = otherwise
        self._unusable = unusable or otherwise
        self._silent = False

    @property
    def answers(self) -> bool:
        """True if there is a model, and it has answered so far."""
        return self._ground.model is not None and not self._silent

    @property
    def silent(self) -> bool:
        """True if there is a model that did not answer: what it was asked is left for the next run."""
        return self._silent

    @property
    def name(self) -> str:
        """Name of the model; `rules` where there is none."""
        return "rules" if self._ground.model is None else self._ground.model.name

    def ask(self, question: Callable[[LanguageModel], T]) -> T | None:
        """The answer; None where there is none that can be used, which is told."""
        if not self.answers:
            return None
        try:
            return self.insist(question)
        except InvalidAnswer:
            # What it says may quote what was remembered; the books of a run hold no text.
            self._ground.degraded(f"{self.name}: some answers could not be used; {self._unusable}")
        except ProviderError as error:
            self._ground.degraded(f"{error}; {self._otherwise}")
        return None

    def insist(self, question: Callable[[LanguageModel], T]) -> T:
        """The answer of a model that answers so far.

        Raises:
            ProviderError: There is none, or none that can be used; the caller tells.
        """
        model = self._ground.model
        assert model is not None
        try:
            return question(model)
        except InvalidAnswer:
            raise
        except ProviderError:
            self._silent = True
            raise
