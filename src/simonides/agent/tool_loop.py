"""Rounds: memory's tools that a model calls are run here, and it is asked again with what they answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from simonides.agent.tools.arguments import read as arguments_of
from simonides.agent.tools.dispatch import schema
from simonides.agent.tools.table import BY_NAME
from simonides.agent.turn import Chat, Message, ToolCall
from simonides.domain.item import canonical_json
from simonides.errors import SimonidesError
from simonides.values import dataclass

PROPOSE: Final = "memory.propose"
#: What a model is offered in a chat, few of all there are: each costs context in every request.
OFFERED: Final = ("memory.search", "memory.read", "memory.palace.browse", PROPOSE)
#: Calls of one answer that are run.
MOST_CALLS: Final = 16


def canonical(name: str) -> str:
    """The name of a tool with dots."""
    tool = BY_NAME.get(name.replace("_", "."))
    return name if tool is None else tool.name


def is_memorys(call: ToolCall, chat: Chat) -> bool:
    """True if a call is for memory: a tool of that name, and none of the caller's own."""
    return call.name not in chat.own_tools and call.name.replace("_", ".") in BY_NAME


def offered(chat: Chat) -> list[dict[str, Any]]:
    """The tools as OpenAI's clients pass them, without those whose names the caller's own have."""
    tools: list[dict[str, Any]] = json.loads(_all_offered())
    return [
        tool
        for name, tool in zip(OFFERED, tools, strict=True)
        if chat.own_tools.isdisjoint({name, tool["function"]["name"]})
    ]


@cache
def _all_offered() -> str:
    """JSON of all of them: to work it out takes many milliseconds, and every request offers the same."""
    offered = [
        {"type": "function", "function": schema(BY_NAME[name], dots=False, bound=True)} for name in OFFERED
    ]
    return json.dumps(offered)


def refusal(call: ToolCall, place: int) -> dict[str, Any] | None:
    """Answer to a call that is not run; None for one that may be."""
    if canonical(call.name) not in OFFERED:
        names = ", ".join(name.replace(".", "_") for name in OFFERED)
        return {
            "error": {
                "code": "not_offered",
                "message": f"{call.name} is not offered here; use one of {names}",
            }
        }
    if place >= MOST_CALLS:
        return {"error": {"code": "too_many", "message": f"at most {MOST_CALLS} calls at once; ask again"}}
    return None


@dataclass(frozen=True, slots=True)
class ToolExchange:
    """Calls of memory's tools with their answers, in the same order."""

    calls: tuple[ToolCall, ...]
    answers: tuple[Mapping[str, Any], ...]

    def named(self, round_: int) -> ToolExchange:
        """The same with an id for each call that has none."""
        calls = [
            call if call.id else replace(call, id=f"memory-{round_}-{n}") for n, call in enumerate(self.calls)
        ]
        return replace(self, calls=tuple(calls))

    def messages(self, text: str) -> list[Message]:
        """The model's turn with its calls, and the answers behind it, in OpenAI's form."""
        calling = {
            "role": "assistant",
            "content": text or None,
            "tool_calls": self.asked(),
        }
        return [calling, *self.results()]

    def errors(self) -> tuple[str, ...]:
        """Reasons for which calls were not run, or failed, in words."""
        return tuple(str(answer["error"]["message"]) for answer in self.answers if "error" in answer)

    def asked(self, *, ids: bool = True) -> list[dict[str, Any]]:
        """The calls as a message has them.

        Args:
            ids: In OpenAI's form; else in Ollama's.
        """
        return [_openai(call) if ids else _ollama(call) for call in self.calls]

    def results(self, *, ids: bool = True) -> list[Message]:
        """The answers as messages.

        Args:
            ids: Name the call by its id, as OpenAI's form does; else the tool by its name, as Ollama's does.
        """
        return [
            {"role": "tool", "content": json.dumps(dict(answer), ensure_ascii=False)}
            | ({"tool_call_id": call.id} if ids else {"tool_name": call.name})
            for call, answer in zip(self.calls, self.answers, strict=True)
        ]


def _written(call: ToolCall) -> str:
    return call.arguments if isinstance(call.arguments, str) else canonical_json(dict(call.arguments))


def _openai(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": _written(call) or "{}"},
    }


def _ollama(call: ToolCall) -> dict[str, Any]:
    arguments: object = call.arguments
    if isinstance(arguments, str):
        try:
            arguments = arguments_of(arguments)
        except SimonidesError:
            arguments = {}
    return {"function": {"name": call.name, "arguments": arguments}}


def looked_up(exchange: ToolExchange) -> list[str]:
    """Questions that a model asked memory, in words: the tool and its question."""
    return [
        f"{canonical(call.name)} {query}".strip() for call in exchange.calls for query in [_query_of(call)]
    ]


def _query_of(call: ToolCall) -> str:
    try:
        given = arguments_of(call.arguments)
    except SimonidesError:
        return ""
    return str(given.get("query") or given.get("id") or "")[:200]
