"""Recall and recording for the chat of any framework: what its adapter has only to bring into the framework's form."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Concatenate, Final, Generic, NamedTuple, ParamSpec, TypeVar, cast

from simonides import Memory, Scope, SimonidesError, Surroundings
from simonides.agent.tools import Tools
from simonides.agent.tools.call_context import require_memory
from simonides.domain.instant import TIMES_OF_MESSAGES, first_instant, iso
from simonides.domain.text import near_names
from simonides.errors import InvalidInput
from simonides.texts import plain, worth_asking

S = TypeVar("S")
R = TypeVar("R")
P = ParamSpec("P")
_log = logging.getLogger(__name__)
#: Tools that a model of a framework is offered if nothing is said.
CORE: Final = ("memory_search", "memory_write", "memory_read", "memory_forget")


class ToolForm(NamedTuple):
    """A tool as every framework describes it: its name, what it does, and the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ChatMemory:
    """Memory for one conversation.

    Nothing here raises for what the store does: the conversation goes on without memory, and the log says so.

    Args:
        memory: Where everything is kept. It stays the caller's.
        scope: From where it looks and where it writes; `user_id`, `agent_id` and `project` name its parts.
        session_id: The conversation that turns are recorded in; None records nothing.
        tools: Names of the tools that a model is offered.
        actor: The model, for the audit log.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        session_id: str | None = None,
        tools: Sequence[str] = CORE,
        actor: str = "model",
        **whose: str | None,
    ) -> None:
        self._memory = memory
        self.scope = bound(memory, scope, whose)
        self.session_id = session_id
        self._offered = frozenset(name.replace(".", "_") for name in tools)
        self._tools = Tools(memory, scope=self.scope, session_id=session_id, actor=actor)

    def recalled(self, question: str, known: Sequence[str] = (), max_tokens: int | None = None) -> str:
        """Text for a prompt with all that memory knows of a question; empty where that is nothing, or nothing is asked.

        Args:
            known: Texts that the prompt holds already; what they say is left out.
            max_tokens: Its budget; None for one that goes by the question.
        """
        try:
            if not worth_asking(question):
                return ""
            around = Surroundings(told=frozenset(map(plain, known)), sure=True)
            return self._memory.context(
                question,
                scope=self.scope,
                mode="inject",
                max_tokens=max_tokens,
                around=around,
                asked_in=self.session_id,
            ).text
        except SimonidesError:
            _log.warning("memory was not asked", exc_info=True)
            return ""

    def profile(self) -> str:
        """The core profile as a text for a system prompt; empty where nothing is pinned."""
        try:
            return self._memory.core_profile(scope=self.scope).text
        except SimonidesError:
            _log.warning("the core profile was not read", exc_info=True)
            return ""

    def record(self, turns: Sequence[Mapping[str, Any]]) -> None:
        """Keep turns, `{"role", "content"}` and an `id` and a time where there are any: each of them once."""
        spoken = [turn for turn in turns if str(turn.get("content") or "").strip()]
        if self.session_id is None or not spoken:
            return
        try:
            self._memory.add(spoken, scope=self.scope, session_id=self.session_id)
        except SimonidesError:
            _log.warning("turns were not recorded", exc_info=True)

    def tools(self) -> list[ToolForm]:
        """The tools that a model is offered."""
        return [
            ToolForm(one["name"], one["description"], one["parameters"])
            for one in self._tools.schemas(dots=False)
            if one["name"] in self._offered
        ]

    def call(self, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Answer to a call of a tool, as JSON. Bad arguments are answered, not raised."""
        return json.dumps(self._tools.call(name, arguments), ensure_ascii=False)


class Awaiting(Generic[S]):
    """Shared part of what has the methods of something synchronous, `sync`, awaited."""

    sync: S


def awaited(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[Awaiting[S], P], Coroutine[Any, Any, R]]:
    """The method as a coroutine that works in a thread, with its name, signature and docstring."""

    @functools.wraps(method)
    async def call(self: Awaiting[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.sync, *args, **kwargs)

    return call


#: Keywords that name parts of a scope.
WHOSE: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}


def bound(memory: object, scope: str | None, whose: Mapping[str, str | None]) -> Scope:
    """The scope that an adapter is bound to, where it was given a memory and knows each keyword.

    A slip in a keyword would else name a scope of its own, in which nobody looks again.

    Raises:
        InvalidInput: What was given for the memory is none, or a keyword is unknown.
        InvalidScope: There is no such scope.
    """
    require_memory(memory)
    for name in whose:
        if name not in WHOSE:
            raise InvalidInput(f"unknown keyword {name!r}{near_names(name, ('scope', *WHOSE))}")
    return Scope(scope or "global").narrowed(**{WHOSE[name]: one for name, one in whose.items()})


def time_of(message: Mapping[str, object]) -> dict[str, str]:
    """The time of a message as a turn has it: `at`; nothing where the message has none that can be read."""
    at = first_instant(message, *TIMES_OF_MESSAGES)
    return {} if at is None else {"at": iso(at)}


def text_of(content: object, role: object = None) -> str:
    """The words of a message's content: a text, or a list of parts of which those with a text count.

    What a model put out (`output_text`) is no user's word.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    texts = [
        _text_of_part(cast("Mapping[str, object]", part), role) if isinstance(part, Mapping) else part
        for part in cast("Sequence[object]", content)
    ]
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _text_of_part(part: Mapping[str, object], role: object) -> object:
    return None if role == "user" and part.get("type") == "output_text" else part.get("text")
