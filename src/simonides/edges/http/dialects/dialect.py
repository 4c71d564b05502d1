"""Definition of a dialect: which requests are chats, how one is sent on, how its answer is read while it passes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, cast

from simonides.agent.middleware import Answer, Message, ToolCall
from simonides.edges.http.framing import Events, Frame, Frames, Whole
from simonides.values import dataclass

#: Content type of server-sent events.
EVENTS: Final = "text/event-stream"

#: Whether a tool of this name is memory's.
Ours: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class AskedChat:
    """A chat as its client asks it.

    Attributes:
        body: The request.
        messages: Its messages as OpenAI's clients would send them.
        own_tools: Names of the tools that the client runs itself.
        free: Whether the model may be offered further tools: the client leaves it to the model which to call.
        in_form: Whether the answer has to be in a form, such as JSON, in which there is no room for proposals.
        user: The user's name, as far as the request has one.
        goes_on_from: The answer, or the conversation, kept by the server, that this goes on from; empty if none is.
        named_at: Fields of the request, one within the other, that name the answer that it goes on from.
        is_kept: Whether the server keeps the answer, so that a later request may go on from it.
        is_begun: Whether the server holds the system prompt and the tools, too, and refuses a request with any.
        open_calls: Calls of memory's tools in that answer, to which the server waits for results.
    """

    body: Mapping[str, Any]
    messages: tuple[Message, ...]
    own_tools: frozenset[str] = frozenset()
    free: bool = False
    in_form: bool = False
    user: object = None
    goes_on_from: str = ""
    named_at: tuple[str, ...] = ()
    is_kept: bool = False
    is_begun: bool = False
    open_calls: tuple[ToolCall, ...] = ()


class AnswerReader(Protocol):
    """Reads one answer of the model while it passes, and takes out what is memory's.

    What ends the answer is held back until `end`, since the model may have to be asked again. A frame that is
    not understood passes as it is.
    """

    @property
    def shown(self) -> str:
        """The text that the client was shown, that of the answers before included."""
        ...

    @property
    def id(self) -> str:
        """Name by which a later request goes on from the answer; empty where the dialect has none."""
        ...

    @property
    def kept_as(self) -> str:
        """Name under which the server keeps it: another, where the client has one answer of several."""
        ...

    @property
    def ended(self) -> bool:
        """True once the server ended the answer, by the dialect's last event or an error; always for one piece."""
        ...

    def take(self, frame: Frame) -> bytes:
        """Take a frame of the answer and return what the client gets now."""
        ...

    def rest(self) -> bytes:
        """Return the text held back, where the answer ends without its end."""
        ...

    def end(self) -> bytes:
        """Return what ends the answer for the client, as the model's server ended it."""
        ...

    def answer(self) -> Answer:
        """Return what the model said and called. It is complete if the answer came to the end that the dialect has."""
        ...


class Dialect(Protocol):
    """One way of talking. Stateless."""

    @property
    def path(self) -> str:
        """Ending of the paths where such requests go to."""
        ...

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        """A request as a chat; None where there is nothing for memory in it."""
        ...

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None,
    ) -> Mapping[str, Any]:
        """The request with these messages, and these tools beside the client's own.

        Args:
            before: The reading of the answer to the request before, where the model is asked again.
        """
        ...

    def frames(self, content_type: str) -> Frames | None:
        """Cutter for an answer of this type; None for one that is none of a model."""
        ...

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        """A new reading.

        Args:
            ours: Whether a tool of this name is memory's.
            before: The reading of the answer to the request before, where the model was asked again.
        """
        ...

    def failure(self, message: str, kind: str, code: str) -> bytes:
        """An error as such a server words it.

        Args:
            kind: As OpenAI names it.
            code: Its stable name.
        """
        ...

    def failure_frame(self, message: str) -> bytes:
        """An error within a stream."""
        ...


class OverEvents:
    """Shared part of dialects that answer in server-sent events, or in one JSON object."""

    def frames(self, content_type: str) -> Frames | None:
        if content_type.startswith(EVENTS):
            return Events()
        return Whole() if content_type.startswith("application/json") else None


def written(value: Mapping[str, Any]) -> bytes:
    """JSON in ASCII: half of a surrogate pair, as some servers cut them, stays what it was."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def read(data: bytes) -> object:
    """Parse a JSON text; None where it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def whole_characters(text: str) -> str:
    """Text whose characters came in halves, put together; a half that is alone is replaced."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def an_object(value: object) -> dict[str, Any] | None:
    """The object itself; None where it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", one) for one in cast("list[object]", value) if isinstance(one, dict)]


def names_of_tools(body: Mapping[str, Any]) -> frozenset[str]:
    """Names of the tools that a request offers."""
    tools = objects(body.get("tools"))
    tools += [inner for tool in tools for inner in objects(tool.get("tools"))]  # Of a namespace.
    functions = [an_object(tool.get("function")) or {} for tool in tools]
    names = [named.get("name") for named in [*tools, *functions, *objects(body.get("functions"))]]
    return frozenset(name for name in names if isinstance(name, str))


def messages_of(body: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The messages of a chat; None where they are no list of messages, or an empty one."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    listed = objects(cast("list[object]", messages))
    if len(listed) != len(cast("list[object]", messages)) or any(
        not isinstance(one.get("role"), str) for one in listed
    ):
        return None
    return tuple(listed)
