"""Requests to a scripted server, and the answers it is told to give."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

from simonides.testing_server.faults import Fault
from simonides.values import dataclass

_MOST_PIECES: Final = 200


@dataclass(frozen=True)
class Asked:
    """A request as it came in.

    Attributes:
        target: Path and query, as sent.
        headers: Names and values in their order, names in the case they were sent in.
    """

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first value of a header, None if it was not sent."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The body as a JSON object; empty where it is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of a chat, or the items of an input."""
        value = self.json.get("messages", self.json.get("input"))
        return [{"role": "user", "content": value}] if isinstance(value, str) else items_of(value)

    @property
    def text(self) -> str:
        """Everything that a model would read: contents of all messages, or system text and prompt."""
        parts = [message.get("content", message.get("output")) for message in self.messages]
        parts += [self.json.get(name) for name in ("system", "instructions", "prompt")]
        return "\n".join(part if isinstance(part, str) else json.dumps(part) for part in parts if part)

    @cached_property
    def digest(self) -> str:
        """Short name of the body, for the ids of what answers it."""
        return hashlib.sha256(self.body).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the model; arguments as an object, or as the text of one."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Said:
    """Answer of the model.

    Attributes:
        text: In the protocol's form, in pieces where a stream is asked for.
        calls: Tool calls after the text.
        thinking: What a reasoning model says before, in a field of its own.
        fault: How the answer goes wrong.
        piece: Characters of a piece of a stream; a very long text has 200 pieces whatever this is.
        pause_s: Before each piece but the first.
        hold: After the first piece, the others wait until this is set.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    fault: Fault | None = None
    piece: int = 8
    pause_s: float = 0.0
    hold: threading.Event | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """An answer in bytes, for any path.

    Attributes:
        body: Sent whole with its length, or in chunks where it is a sequence.
    """

    body: bytes | Sequence[bytes] = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


#: What is answered to one request.
Answer: TypeAlias = str | Said | Page
#: The same each time, one after the other, or what a callable makes of the request.
Script: TypeAlias = Answer | Sequence[Answer] | Callable[[Asked], Answer]


def items_of(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", one) for one in listed if isinstance(one, dict)]


def as_object(value: object) -> dict[str, Any]:
    """The object itself; an empty one where it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def pieces(text: str, size: int) -> list[str]:
    """A text in pieces of some characters, at most 200."""
    step = max(1, size, -(-len(text) // _MOST_PIECES))
    return [text[at : at + step] for at in range(0, len(text), step)]


def written_arguments(arguments: Mapping[str, Any] | str) -> str:
    """Arguments of a call as the text of an object."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
