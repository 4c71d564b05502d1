"""Answers of a chat as they are written, from OpenAI, Ollama and every other server that speaks OpenAI's chat API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from simonides.errors import ProviderError, ProviderUnavailable
from simonides.models.chat import address_of
from simonides.models.openai_api import OpenAIServer
from simonides.models.provider import Provider
from simonides.models.retry import BusyError, repeated

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

#: Characters of an answer; nobody reads more in a chat.
MAX_CHARS: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Call:
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
    calls: tuple[Call, ...] = ()
    ended: bool = False


class StreamingModel:
    """Answers conversations, piece by piece. Safe to use from several threads."""

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`; opens no connection.

        Args:
            provider: As `ChatModel` takes it.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: There is no model, key or address.
            ProviderUnavailable: The package `openai` is not installed.
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
        calls: dict[int, Call] = {}
        said = 0
        ended = False
        with chunks:
            while (chunk := self._next(chunks)) is not None:
                choice: Any = chunk.choices[0] if chunk.choices else None
                if choice is None:
                    continue
                text = _text(choice.delta)
                said += len(text)
                if said > MAX_CHARS:
                    raise ProviderError(f"{self.name} gave an answer of more than {MAX_CHARS:,} characters")
                _gather(calls, choice.delta)
                ended = ended or choice.finish_reason is not None
                if text:
                    yield Delta(text)
        yield Delta(calls=tuple(calls[place] for place in sorted(calls)), ended=ended)

    def close(self) -> None:
        """Let go of the connections; nothing can be asked any more."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _begun(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> openai.Stream[Any]:
        import openai  # noqa: PLC0415 - half a second, and not everybody's

        given: dict[str, Any] = {"model": self._model, "messages": list(messages), "stream": True}
        if tools and self._knows_tools:
            try:
                return self._request(lambda client: _create(client, {**given, "tools": list(tools)}))
            except ProviderError as error:
                if (
                    not isinstance(error.__cause__, openai.BadRequestError)
                    or "tool" not in str(error).lower()
                ):
                    raise
                self._knows_tools = False
        return self._request(lambda client: _create(client, given))

    def _next(self, chunks: openai.Stream[Any]) -> Any:
        """The next chunk; None after the last."""
        try:
            return self._request(lambda _: next(chunks, None))
        except BusyError as error:
            raise ProviderUnavailable(f"{error}; what it had said is not the whole answer") from error

    def _request(self, ask: Callable[[openai.OpenAI], T]) -> T:
        import httpx  # noqa: PLC0415 - comes with openai

        from simonides.models.http import broken  # noqa: PLC0415 - as above

        pull = f"run: ollama pull {self._model}"
        try:
            return self._server.request(
                ask,
                wanted="text",
                not_found=pull if self._provider.provider == "ollama" else "check `model` and `base_url`",
                otherwise="check `model`, and that it reads conversations of such a length",
            )
        except httpx.HTTPError as error:  # While a stream is read, the SDK lets these through.
            raise broken(self._provider, error, address=self._provider.base_url) from error


def _create(client: openai.OpenAI, given: Mapping[str, Any]) -> openai.Stream[Any]:
    create: Any = client.chat.completions.create
    return create(**given)


def _text(delta: Any) -> str:
    content: object = getattr(delta, "content", None)
    return content if isinstance(content, str) else ""


def _gather(calls: dict[int, Call], delta: Any) -> None:
    """Add a piece's part of each call to what came before."""
    for part in getattr(delta, "tool_calls", None) or ():
        place = part.index if isinstance(part.index, int) else len(calls)
        before = calls.get(place, Call("", "", ""))
        function = part.function
        calls[place] = Call(
            before.id or part.id or "",
            before.name + ((function and function.name) or ""),
            before.arguments + ((function and function.arguments) or ""),
        )
