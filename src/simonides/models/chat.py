"""Language models of OpenAI, Ollama and every other server that speaks OpenAI's chat API."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlsplit

from simonides.domain.text import cleaned_text
from simonides.errors import InvalidSettings, ProviderError
from simonides.models.openai_api import OpenAIServer, RefusedError
from simonides.models.provider import Provider
from simonides.models.retry import Allowance, one_line, repeated, silence
from simonides.ports.model import Prompt
from simonides.values import dataclass

PATH: Final = "/chat/completions"
_OLLAMA_PORT: Final = 11434
_NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_-]")


class _Output(StrEnum):
    """Ways of telling a server what form an answer has; each falls back on the next."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """Parts of a request that a server understands."""

    output: _Output = _Output.JSON_SCHEMA
    limit: str = "max_tokens"
    temperature: bool = True
    effort: str | None = None

    def request(self, model: str, prompt: Prompt) -> dict[str, Any]:
        """The fields of a request."""
        system, output = prompt.system, self.output
        fields: dict[str, Any] = {"model": model, self.limit: prompt.max_tokens}
        if self.temperature:
            fields["temperature"] = 0
        if self.effort is not None:
            fields["reasoning_effort"] = self.effort
        if prompt.schema is not None:
            if output is not _Output.PROMPT:
                fields["response_format"] = _response_format(output, prompt.task, prompt.schema)
            if output is not _Output.JSON_SCHEMA:
                schema = json.dumps(prompt.schema, ensure_ascii=False)
                system += f"\n\nAnswer with one JSON object that meets this JSON Schema:\n{schema}"
        parts = (("system", system), ("user", prompt.user))
        fields["messages"] = [{"role": role, "content": cleaned_text(text)} for role, text in parts]
        return fields

    def simpler(self, refusal: str, prompt: Prompt) -> _Dialect | None:
        """Simplify after a request was not understood; None where there is nothing left to leave out.

        A refusal is read for names that it would not mention by chance; it says too little, and each server
        other things, to learn from it whether the form of the answer was the trouble.
        """
        if self.limit == "max_tokens" and "max_completion_tokens" in refusal:
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in refusal:
            return replace(self, temperature=False)
        if self.effort is not None and ("reasoning" in refusal or "thinking" in refusal):
            return replace(self, effort=None)
        if prompt.schema is None or self.output is _Output.PROMPT:
            return None
        outputs = list(_Output)
        return replace(self, output=outputs[outputs.index(self.output) + 1])


class ChatModel:
    """Meets the `LanguageModel` port by `/chat/completions`. Safe to use from several threads.

    Answers are asked for at temperature 0. With a schema the server is told to keep to it (`json_schema`),
    or to answer in JSON (`json_object`), or the prompt alone says so: the first of these that it does not
    refuse with 400 or 422 is kept to from then on. In the same way models are met that know
    `max_completion_tokens` only, or no temperature. Models of Ollama are told not to think first: they would
    spend the time and the tokens of a short answer on it.

    All requests for one answer together take no longer than the prompt's `timeout_s`, and each no longer than
    the provider's. Each is made three times at most, with short pauses or those that the server asks for, if
    it is busy (408, 429, 5xx) or hangs up. One that is refused or times out is not repeated.
    """

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`; opens no connection.

        Args:
            provider: `openai`, `ollama` (without `base_url` at OLLAMA_HOST, or this machine's port 11434;
                /v1 is added where it is missing), or another name, which needs a `base_url`. A model is
                required.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: There is no model, key or address.
            ProviderUnavailable: The package `httpx` is not installed.
        """
        self._provider = provider
        self._model = provider.required_model()
        self._server = OpenAIServer(provider, extra="llm", address=address_of(provider), limited=True)
        self._pause = pause
        self._dialect = _Dialect(effort="none" if provider.provider == "ollama" else None)

    @property
    def name(self) -> str:
        return self._provider.name

    def answer(self, prompt: Prompt) -> str:
        """As the port says. Blank and cut answers and refusals are errors too."""
        deadline = Allowance(prompt.timeout_s)
        try:
            return deadline.hold(
                lambda: repeated(
                    lambda: self._asked(prompt, deadline),
                    longest_pause_s=prompt.timeout_s,
                    pause=self._pause,
                    deadline=deadline,
                )
            )
        except TimeoutError as error:
            raise silence(self._provider, allowed_s=prompt.timeout_s) from error

    def _asked(self, prompt: Prompt, deadline: Allowance) -> str:
        pull = f"run: ollama pull {self._model}"
        return self._server.request(
            lambda server: _text(self._completed(server, prompt, deadline), self.name, prompt),
            wanted="text",
            not_found=pull if self._provider.provider == "ollama" else "check `model` and `base_url`",
            otherwise="check `model`, and that it reads prompts of such a length",
            allowed_s=prompt.timeout_s if prompt.timeout_s <= self._provider.timeout_s else None,
        )

    def _completed(self, server: OpenAIServer, prompt: Prompt, deadline: Allowance) -> Any:
        """The server's answer to the request in the form that it understands, which is remembered."""
        dialect = self._dialect
        while True:
            if not deadline.left_s:
                raise TimeoutError
            patience_s = min(self._provider.timeout_s, deadline.left_s)
            try:
                answer = server.post(PATH, dialect.request(self._model, prompt), timeout_s=patience_s)
            except RefusedError as error:
                simpler = dialect.simpler(str(error), prompt) if error.status in {400, 422} else None
                if simpler is None:
                    raise
                dialect = simpler
            else:
                self._dialect = dialect
                return answer


def _response_format(output: _Output, task: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if output is _Output.JSON_OBJECT:
        return {"type": "json_object"}
    name = _NOT_IN_NAMES.sub("_", task)[:64] or "answer"
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": dict(schema)}}


def _text(answer: Any, name: str, prompt: Prompt) -> str:
    choice = answer["choices"][0]
    message, finish = choice["message"], choice.get("finish_reason")
    if refusal := message.get("refusal"):
        raise ProviderError(f"{name} refused the task {prompt.task} ({one_line(str(refusal))})")
    if finish == "content_filter":
        raise ProviderError(f"{name} withheld its answer to the task {prompt.task}: its filter objected")
    if finish == "length":
        raise ProviderError(
            f"{name} did not end its answer to the task {prompt.task} within {prompt.max_tokens} tokens; "
            "choose a model that says less, or thinks less"
        )
    content: object = message.get("content")
    if content is None or (isinstance(content, str) and not content.strip()):
        raise ProviderError(f"{name} gave an empty answer to the task {prompt.task}")
    if not isinstance(content, str):
        raise ProviderError(f"{name} gave an answer that is no text to the task {prompt.task}")
    return content


def address_of(provider: Provider) -> str | None:
    """Address of a provider's OpenAI API; None for OpenAI's own.

    Raises:
        InvalidSettings: There is none, or it is no address.
    """
    if provider.provider == "ollama":
        return _ollama_address(provider.base_url or os.environ.get("OLLAMA_HOST") or "127.0.0.1")
    if provider.provider != "openai" and provider.base_url is None:
        raise InvalidSettings(
            f"{provider.provider} needs a base_url, such as http://localhost:8080/v1; most end in /v1"
        )
    return provider.base_url


def _ollama_address(host: str) -> str:
    """Address of Ollama's OpenAI API. The host is as OLLAMA_HOST has it: port and scheme may be missing.

    Raises:
        InvalidSettings: It is no address.
    """
    bare = "://" not in host
    try:
        parts = urlsplit(f"http://{host.strip()}" if bare else host.strip())
        port = parts.port or (_OLLAMA_PORT if bare else None)
    except ValueError as error:
        raise InvalidSettings(f"OLLAMA_HOST is no address ({error}); unset it or set base_url") from error
    # A server listens on 0.0.0.0, nobody can be reached there.
    name = parts.hostname if parts.hostname not in {None, "0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104
    name = f"[{name}]" if name and ":" in name else name
    path = parts.path.rstrip("/")
    path = path if path.endswith("/v1") else f"{path}/v1"
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{path}"
