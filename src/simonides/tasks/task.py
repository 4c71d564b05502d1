"""A task: what a language model is told, what form its answer has, and what becomes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from simonides.errors import InvalidAnswer
from simonides.ports.model import LanguageModel, Prompt
from simonides.tasks.answer import object_in
from simonides.tasks.prompts import again, rendered
from simonides.tasks.schema import exact_object, first_problem
from simonides.tasks.texts import line
from simonides.values import dataclass

T = TypeVar("T")

#: A second try with less time than this is not begun.
_SHORTEST_TRY_S: Final = 1.0


def line_task(name: str, field: str, longest: int, *, max_tokens: int, timeout_s: float) -> Task[str]:
    """A task whose answer is one field with one line of text, not blank, read up to so many characters."""

    def read(answer: Mapping[str, Any]) -> str:
        if not (text := line(answer[field], longest)):
            raise InvalidAnswer(f"{field} is blank")
        return text

    schema = exact_object({field: {"type": "string"}})
    return Task(name=name, schema=schema, read=read, max_tokens=max_tokens, timeout_s=timeout_s)


@dataclass(frozen=True, kw_only=True)  # with slots, `Task[…](…)` fails in Python 3.11
class Task(Generic[T]):
    """Something that a language model can be asked, and the value that comes of it.

    Attributes:
        name: Also the name of its template, `templates/<name>.j2`.
        schema: JSON Schema of the answer, an object, as the model is told it. Strict servers want every
            property in `required` and `additionalProperties` to be false.
        read: Makes the value of an answer that has its form; raises `InvalidAnswer` where it makes no sense.
        accepted: The form that is good enough, where that is wider than what is asked for; None for `schema`.
            Of lists it may leave `items` out, for a `read` that passes over single bad ones.
        max_tokens: Longest answer.
        timeout_s: How long all tries together may take.
    """

    name: str
    schema: Mapping[str, Any]
    read: Callable[[Mapping[str, Any]], T]
    accepted: Mapping[str, Any] | None = None
    max_tokens: int = 1000
    timeout_s: float = 30.0

    def prompt(self, **values: object) -> Prompt:
        """Prompt of the task, with the template's values as quoted data.

        Args:
            **values: All that the template names: texts, numbers, and lists and mappings of them.

        Raises:
            ProviderUnavailable: The package `jinja2` is not installed.
        """
        system, user = rendered(self.name, values)
        return Prompt(
            task=self.name,
            system=system,
            user=user,
            schema=self.schema,
            max_tokens=self.max_tokens,
            timeout_s=self.timeout_s,
        )

    def parse(self, answer: str) -> T:
        """The value of an answer.

        Prose, code fences and thoughts around the JSON object are passed over, and so are keys that were not
        asked for.

        Raises:
            InvalidAnswer: There is no such object or there are several, it has another form, is too long or
                too deep.
        """
        answered = object_in(answer)
        if problem := first_problem(answered, self.accepted or self.schema):
            raise InvalidAnswer(problem)
        return self.read(answered)

    def run(self, model: LanguageModel, /, **values: object) -> T:
        """Ask a model; once more, with what was wrong, if its answer cannot be used.

        Raises:
            InvalidAnswer: The second answer could not be used either, or there was no time for it.
            ProviderError: The model did not answer.
        """
        prompt = self.prompt(**values)
        ends = time.monotonic() + prompt.timeout_s
        try:
            return self.parse(model.answer(prompt))
        except InvalidAnswer as error:
            left_s, problem = ends - time.monotonic(), str(error)
        if left_s <= min(_SHORTEST_TRY_S, prompt.timeout_s / 2):
            raise InvalidAnswer(self._said(model, problem))
        retry = replace(prompt, user=f"{prompt.user}\n\n{again(problem)}", timeout_s=left_s)
        try:
            return self.parse(model.answer(retry))
        except InvalidAnswer as error:
            raise InvalidAnswer(self._said(model, str(error))) from error

    def _said(self, model: LanguageModel, problem: str) -> str:
        return f"{model.name} gave no usable answer to the task {self.name}: {problem}"
