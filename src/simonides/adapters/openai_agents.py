"""OpenAI Agents: a session that remembers, recall before each request, recording after each run, and tools."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from agents import Agent, FunctionTool, RunHooks
from agents.items import TResponseInputItem
from agents.memory import Session, SessionSettings
from agents.run_config import CallModelData, ModelInputData
from agents.run_context import AgentHookContext
from agents.tool_context import ToolContext

from simonides import Memory
from simonides.adapters.chat import ChatMemory, text_of

__all__ = ["MemoryHooks", "SimonidesSession", "memory_tools", "recall_filter"]


class SimonidesSession:
    """A session of OpenAI Agents that also records what is said: `Runner.run(agent, text, session=…)`.

    Items are opaque: calls of tools, reasoning and their ids come back unchanged, because another session keeps them.
    Its messages of the user and the assistant are turns of a conversation in memory.

    Args:
        memory: Where turns are recorded. It stays the caller's.
        inner: The session that keeps the items, such as `SQLiteSession("thread-1")`.
        session_id: The conversation in memory; that of the inner session if None.
        scope: Whose it is; `user_id`, `agent_id` and `project` name its parts.
    """

    session_id: str
    session_settings: SessionSettings | None

    def __init__(
        self,
        memory: Memory,
        inner: Session,
        *,
        session_id: str | None = None,
        scope: str | None = None,
        **whose: str | None,
    ) -> None:
        self._inner = inner
        self.session_id = inner.session_id if session_id is None else session_id
        self.session_settings = inner.session_settings
        self._dialogue = ChatMemory(memory, scope=scope, session_id=self.session_id, **cast("Any", whose))

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        return await self._inner.get_items(limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await self._inner.add_items(items)
        await asyncio.to_thread(self._dialogue.record, _turns(items))

    async def pop_item(self) -> TResponseInputItem | None:
        return await self._inner.pop_item()

    async def clear_session(self) -> None:
        """Empty the inner session. What was recorded stays in memory, until it is forgotten or purged there."""
        await self._inner.clear_session()


def recall_filter(
    memory: Memory, *, scope: str | None = None, **whose: str | None
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """Recall for `RunConfig(call_model_input_filter=…)`: what memory knows of the user's last message stands before it.

    It goes into the request alone, and into no session.
    """
    dialogue = ChatMemory(memory, scope=scope, **cast("Any", whose))

    async def recall(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        items = list(given.input)
        place = next((n for n in reversed(range(len(items))) if _field(items[n], "role") == "user"), None)
        if place is None:
            return given
        sent = [text_of(_field(item, "content"), _field(item, "role")) for item in items]
        known = await asyncio.to_thread(dialogue.recalled, sent[place], sent)
        if known:
            items.insert(place, cast("Any", {"role": "system", "content": known}))
        return ModelInputData(input=items, instructions=given.instructions)

    return recall


class MemoryHooks(RunHooks[Any]):
    """Hooks that record each run: what the user asked and what the last agent answered, for runs without a session.

    Args:
        memory: Where turns are recorded. It stays the caller's.
        session_id: The conversation in memory.
        scope: Whose it is; `user_id`, `agent_id` and `project` name its parts.
    """

    def __init__(
        self, memory: Memory, session_id: str, *, scope: str | None = None, **whose: str | None
    ) -> None:
        self._dialogue = ChatMemory(memory, scope=scope, session_id=session_id, **cast("Any", whose))

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Agent[Any], output: Any) -> None:
        questions = _turns(context.turn_input)
        last = max((n for n, turn in enumerate(questions) if turn["role"] == "assistant"), default=-1)
        answer = {"role": "assistant", "content": output if isinstance(output, str) else str(output)}
        await asyncio.to_thread(self._dialogue.record, [*questions[last + 1 :], answer])


def memory_tools(
    memory: Memory, *, scope: str | None = None, session_id: str | None = None, **whose: Any
) -> list[FunctionTool]:
    """Memory's tools for an agent: `Agent(tools=memory_tools(memory, user_id="ana"))`."""
    dialogue = ChatMemory(memory, scope=scope, session_id=session_id, **whose)

    def tool(name: str, description: str, parameters: Mapping[str, Any]) -> FunctionTool:
        async def invoke(_: ToolContext[Any], arguments: str) -> str:
            return await asyncio.to_thread(dialogue.call, name, arguments)

        return FunctionTool(name, description, dict(parameters), invoke, strict_json_schema=False)

    return [tool(*one) for one in dialogue.tools()]


def _turns(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Messages of the user and the assistant among items, in their order."""
    return [
        {"role": role, "content": text} | ({"name": name} if (name := _field(item, "name")) else {})
        for item in items
        if _field(item, "type") in {None, "message"}
        and (role := _field(item, "role")) in {"user", "assistant"}
        and (text := text_of(_field(item, "content"), role))
    ]


def _field(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
