"""Answers of a chat as they are written, from OpenAI, Ollama and every other server that speaks OpenAI's chat API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from simonides.domain.closing import Closing
from simonides.errors import ProviderError, ProviderUnavailable
from simonides.models.chat import PATH, address_of
from simonides.models.openai_api import Chunks, OpenAIServer, RefusedError
from simonides.models.provider import Provider
from simonides.models.retry import BusyError, repeated
from simonides.values import dataclass

T = TypeVar("T")

#: Characters of an answer; nobody reads more in a chat.
MAX_CHARS: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class StreamedCall:
    """A call of a tool that a model asks for; `arguments` is the text that should be a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer.

    Attributes:
        text: What the model said since the last piece.
        calls: Tools that it asks for; with the last piece only.
        ended: Whether the answer came to its end with this piece. A stream whose last piece says no was cut.
    """

    text: str = ""
    calls: tuple[StreamedCall, ...] = ()
    ended: bool = False


class StreamingModel(Closing):
    """Answers conversations, piece by piece. Safe to use from several threads."""

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`; opens no connection.

        Args:
            provider: As `ChatModel` takes it.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: There is no model, key or address.
            ProviderUnavailable: The package `httpx` is not installed.
        """
        self._provider = provider
        self._model = provider.required_model()
        self._server = OpenAIServer(provider, extra="llm", address=address_of(provider))
        self._pause = pause
        self._knows_tools = True

    @property
    def name(self) -> str:
        return self._provider.name

    def stream(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Iterator[Delta]:
        """A model's answer to a conversation.

        A request is made three times at most while the server is busy; nothing is repeated once it has begun to
        answer. A model that does not know tools is asked without them from then on.

        Args:
            messages: In OpenAI's form.
            tools: What the model may call, in OpenAI's form.

        Raises:
            ProviderError: The server refused, is not there, or broke off. What came before was its answer so far.
        """
        chunks = repeated(
            lambda: self._begun(messages, tools), longest_pause_s=self._provider.timeout_s, pause=self._pause
        )
        calls: dict[int, StreamedCall] = {}
        length = 0
        ended = False
        with chunks:
            while (chunk := self._next(chunks)) is not None:
                if not (choices := chunk.get("choices")):
                    continue
                choice: dict[str, Any] = choices[0]
                delta: dict[str, Any] = choice.get("delta") or {}
                text = _text(delta)
                length += len(text)
                if length > MAX_CHARS:
                    raise ProviderError(f"{self.name} gave an answer of more than {MAX_CHARS:,} characters")
                _gather(calls, delta)
                ended = ended or choice.get("finish_reason") is not None
                if text:
                    yield Delta(text)
        yield Delta(calls=tuple(calls[place] for place in sorted(calls)), ended=ended)

    def close(self) -> None:
        """Close the connections. The model cannot be used afterwards."""
        self._server.close()

    def _begun(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> Chunks:
        given: dict[str, Any] = {"model": self._model, "messages": list(messages), "stream": True}
        if tools and self._knows_tools:
            try:
                return self._request(lambda server: server.stream(PATH, {**given, "tools": list(tools)}))
            except ProviderError as error:
                refused = isinstance(error.__cause__, RefusedError) and error.__cause__.status == 400
                if not refused or "tool" not in str(error).lower():
                    raise
                self._knows_tools = False
        return self._request(lambda server: server.stream(PATH, given))

    def _next(self, chunks: Chunks) -> Any:
        """The next chunk; None after the last."""
        try:
            return self._request(lambda _: chunks.next())
        except BusyError as error:
            raise ProviderUnavailable(f"{error}; what it had said is not the whole answer") from error

    def _request(self, ask: Callable[[OpenAIServer], T]) -> T:
        pull = f"run: ollama pull {self._model}"
        return self._server.request(
            ask,
            wanted="text",
            not_found=pull if self._provider.provider == "ollama" else "check `model` and `base_url`",
            otherwise="check `model`, and that it reads conversations of such a length",
        )


def _text(delta: Mapping[str, Any]) -> str:
    content: object = delta.get("content")
    return content if isinstance(content, str) else ""


def _gather(calls: dict[int, StreamedCall], delta: Mapping[str, Any]) -> None:
    """Add a piece's part of each call to what came before."""
    for part in delta.get("tool_calls") or ():
        place = part["index"] if isinstance(part.get("index"), int) else len(calls)
        before = calls.get(place, StreamedCall("", "", ""))
        function: dict[str, Any] = part.get("function") or {}
        calls[place] = StreamedCall(
            before.id or part.get("id") or "",
            before.name + (function.get("name") or ""),
            before.arguments + (function.get("arguments") or ""),
        )
