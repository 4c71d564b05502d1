"""Pydantic AI: a toolset, and a capability that tells the core profile, recalls before a request, and records."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.toolsets import FunctionToolset

from simonides import Memory
from simonides.adapters.chat import CORE, ChatMemory
from simonides.agent.tools.call_context import require_memory

#: A scope, or how it follows from the dependencies of a run.
Scoping = str | Callable[[Any], str] | None

__all__ = ["MemoryCapability", "memory_toolset"]


def memory_toolset(
    memory: Memory,
    *,
    scope: Scoping = None,
    tools: Sequence[str] = CORE,
    session_id: str | None = None,
    actor: str = "model",
) -> FunctionToolset[Any]:
    """Memory's tools for an agent: `Agent(model, toolsets=[memory_toolset(memory, scope="user:ana")])`."""

    def dialogue(deps: Any) -> ChatMemory:
        return ChatMemory(memory, scope=_scope(scope, deps), session_id=session_id, tools=tools, actor=actor)

    def tool(name: str, description: str, parameters: Mapping[str, Any]) -> Tool[Any]:
        async def call(ctx: RunContext[Any], **arguments: Any) -> str:
            return await asyncio.to_thread(lambda: dialogue(ctx.deps).call(name, arguments))

        return Tool.from_schema(call, name, description, dict(parameters), takes_ctx=True)

    forms = ChatMemory(memory, scope="global", tools=tools).tools()
    return FunctionToolset([tool(*form) for form in forms], id="simonides")


class MemoryCapability(AbstractCapability[Any]):
    """Memory for an agent: `Agent(model, capabilities=[MemoryCapability(memory, scope=lambda deps: deps.scope)])`.

    The core profile stands in the instructions, what memory knows of the user's message before it in the request
    alone, and the history stays as it was. What is asked and answered is recorded where a conversation is named.

    Args:
        memory: Where everything is kept. It stays the caller's.
        scope: From where it looks and where it writes; or a function of the run's dependencies.
        session_id: The conversation that turns are recorded in; or a function of the run's dependencies.
        tools: Names of the tools that the model is offered; none if empty.
        actor: The model, for the audit log.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        scope: Scoping = None,
        session_id: Scoping = None,
        tools: Sequence[str] = CORE,
        actor: str = "model",
    ) -> None:
        super().__init__()
        require_memory(memory)
        self._memory = memory
        self._scope = scope
        self._session = session_id
        self._names = tools
        self._actor = actor
        self._dialogue: ChatMemory | None = None
        self._known: tuple[str, str] | None = None

    async def for_run(self, ctx: RunContext[Any]) -> MemoryCapability:
        """The capability for the scope of one run."""
        own = MemoryCapability(
            self._memory, scope=self._scope, session_id=self._session, tools=self._names, actor=self._actor
        )
        own._dialogue = ChatMemory(
            self._memory,
            scope=_scope(self._scope, ctx.deps),
            session_id=_scope(self._session, ctx.deps),
            actor=self._actor,
        )
        return own

    def get_toolset(self) -> FunctionToolset[Any] | None:
        if not self._names:
            return None
        return memory_toolset(self._memory, scope=self._scope, tools=self._names, actor=self._actor)

    def get_instructions(self) -> Any:
        async def profile(ctx: RunContext[Any]) -> str:
            dialogue = ChatMemory(self._memory, scope=_scope(self._scope, ctx.deps))
            return await asyncio.to_thread(dialogue.profile)

        return profile

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        messages = list(request_context.messages)
        place = next((n for n in reversed(range(len(messages))) if _user_words(messages[n])), None)
        if place is None or self._dialogue is None:
            return request_context
        question, dialogue = _user_words(messages[place]), self._dialogue
        if self._known is None or self._known[0] != question:  # A run asks again with the results of tools.
            sent = [text for message in messages for text in _texts(message)]
            self._known = question, await asyncio.to_thread(dialogue.recalled, question, sent)
            await asyncio.to_thread(dialogue.record, [{"role": "user", "content": question}])
        known = self._known[1]
        if not known:
            return request_context
        request = cast("ModelRequest", messages[place])
        messages[place] = replace(request, parts=[SystemPromptPart(known), *request.parts])
        return replace(request_context, messages=messages)

    async def after_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        answer = "\n".join(_texts(response))
        if answer and self._dialogue is not None:
            await asyncio.to_thread(self._dialogue.record, [{"role": "assistant", "content": answer}])
        return response


def _scope(given: Scoping, deps: Any) -> str | None:
    return given(deps) if callable(given) else given


def _user_words(message: ModelMessage) -> str:
    """The words of the user in a message; empty where it has none."""
    if not isinstance(message, ModelRequest):
        return ""
    return "\n".join(
        text for part in message.parts if isinstance(part, UserPromptPart) for text in _words(part)
    )


def _texts(message: ModelMessage) -> list[str]:
    if isinstance(message, ModelResponse):
        return [part.content for part in message.parts if isinstance(part, TextPart) and part.content]
    return [text for part in message.parts if isinstance(part, UserPromptPart) for text in _words(part)]


def _words(part: UserPromptPart) -> list[str]:
    content = part.content
    if isinstance(content, str):
        return [content] if content.strip() else []
    return [one for one in content if isinstance(one, str) and one.strip()]
