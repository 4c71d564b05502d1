"""LangChain: a chat history, a retriever, tools, and middleware for `create_agent`."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict, messages_to_dict
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from pydantic import PrivateAttr

from simonides import Memory
from simonides.adapters.chat import WHOSE, ChatMemory, bound, time_of
from simonides.adapters.kept_values import as_json, fitted

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware

_ROLES = {"human": "user", "ai": "assistant"}
#: What a message is told apart by, or cannot be without.
_NAMES = ("id", "name", "role", "tool_call_id")
_EVERY = 1_000_000

__all__ = ["SimonidesChatMessageHistory", "SimonidesRetriever", "memory_middleware", "memory_tools"]


class SimonidesChatMessageHistory(BaseChatMessageHistory):
    """The messages of a conversation, kept whole: calls of tools and metadata come back as they were.

    What the user and the model say is recorded as turns as well, so that memory finds it. Secrets are kept nowhere.

    Args:
        memory: Where everything is kept. It stays the caller's.
        session_id: The conversation.
        scope: Whose it is; `user_id`, `agent_id` and `project` name its parts.
    """

    def __init__(
        self, memory: Memory, session_id: str, *, scope: str | None = None, **whose: str | None
    ) -> None:
        self._dialogue = ChatMemory(memory, scope=scope, session_id=session_id, **cast("Any", whose))
        self._records = memory.records
        self._longest_turn = memory.settings.policy.max_write_chars
        self._space = ("langchain", "history", session_id)

    @property
    def messages(self) -> list[BaseMessage]:
        records = self._records.list(self._space, scope=self._dialogue.scope, limit=_EVERY)
        return messages_from_dict([record.value for record in sorted(records, key=lambda one: one.key)])

    @messages.setter
    def messages(self, messages: Sequence[BaseMessage]) -> None:
        self.clear()
        self.add_messages(messages)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Keep messages behind those that are there: all of them, or none."""
        held = self._records.list(self._space, scope=self._dialogue.scope, limit=1)
        first = int(held[0].key) + 1 if held else 0
        kept = [self._kept(message) for message in messages]
        puts = [
            {"space": self._space, "key": f"{number:012}", "value": value, "index": False}
            for number, value in enumerate(messages_to_dict(kept), first)
        ]
        self._records.put_many(cast("Any", puts), scope=self._dialogue.scope)
        self._dialogue.record(_turns(messages))

    def clear(self) -> None:
        """Take the messages away. The turns stay in memory, until they are forgotten or purged there."""
        scope = self._dialogue.scope
        records = self._records.list(self._space, scope=scope, limit=_EVERY)
        if records:
            self._records.purge(self._space, scope=scope)

    def _kept(self, message: BaseMessage) -> BaseMessage:
        """The message as a record can hold it."""
        value = message_to_dict(message)
        given = as_json(value["data"])
        # What is no turn either is refused, not lost.
        if message.type not in _ROLES or len(message.text) <= self._longest_turn:
            given = fitted(given)
        data = self._records.redacted(given)
        if data == value["data"]:
            return message
        try:
            return messages_from_dict([{**value, "data": data}])[0]
        # What is marked may have been no text, such as the arguments of a call.
        except (ValueError, TypeError, KeyError):
            named = {name: self._records.redacted(given[name]) for name in _NAMES if given.get(name)}
            withheld = {**named, "content": "[secret: withheld]", "type": value["type"]}
            return messages_from_dict([{**value, "data": withheld}])[0]


class SimonidesRetriever(BaseRetriever):
    """Memories that answer a question, as documents: `SimonidesRetriever(memory, user_id="ana", k=5)`.

    Nothing comes where nothing known answers, unless `always`.

    Args:
        memory: What is searched. It stays the caller's.
        k: Most documents.
        always: Give what is nearest, too, where the search abstains.
        scope: From where it looks; `user_id`, `agent_id` and `project` name its parts.
        filters: Filters of `Memory.search`.
    """

    k: int = 5
    always: bool = False

    _memory: Memory = PrivateAttr()
    _asked: dict[str, Any] = PrivateAttr()

    def __init__(
        self,
        memory: Memory,
        *,
        k: int = 5,
        always: bool = False,
        scope: str | None = None,
        **filters: Any,
    ) -> None:
        own = {name: filters.pop(name) for name in ("tags", "metadata", "name") if name in filters}
        shown = {name: own.pop(name) for name in ("tags", "metadata") if name in own}
        super().__init__(**own)
        self.k, self.always = k, always
        bound(memory, scope, {name: one for name, one in filters.items() if name in WHOSE})
        self._memory = memory
        self._asked = {"scope": scope, **shown, **filters}

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        hits = self._memory.search(query, k=self.k, **self._asked)
        if hits.abstained and not self.always:
            return []
        return [
            Document(
                page_content=hit.item.content,
                id=hit.item.id,
                metadata={
                    "type": hit.item.type,
                    "scope": str(hit.item.scope),
                    "relevance": hit.relevance,
                    "created_at": hit.item.times["created_at"].isoformat(),
                    **hit.item.metadata,
                },
            )
            for hit in hits
        ]


def memory_tools(
    memory: Memory, *, scope: str | None = None, session_id: str | None = None, **whose: Any
) -> list[StructuredTool]:
    """Memory's tools for an agent: `create_agent(model, tools=memory_tools(memory, user_id="ana"))`."""
    dialogue = ChatMemory(memory, scope=scope, session_id=session_id, **whose)

    def tool(name: str, description: str, parameters: Mapping[str, Any]) -> StructuredTool:
        def call(**arguments: Any) -> str:
            return dialogue.call(name, arguments)

        return StructuredTool(name=name, description=description, args_schema=dict(parameters), func=call)

    return [tool(*one) for one in dialogue.tools()]


def memory_middleware(
    memory: Memory, *, scope: str | None = None, session_id: str | None = None, **whose: Any
) -> AgentMiddleware[Any, Any]:
    """Middleware for `create_agent(model, middleware=[memory_middleware(memory, user_id="ana")])`.

    The core profile and what memory knows of the user's last message stand in the system message of each request, and
    in no state. What was asked and answered is recorded where a conversation is named.
    """
    from langchain.agents.middleware import AgentMiddleware, ModelRequest  # noqa: PLC0415 - its core has no agents
    from langchain_core.messages import SystemMessage  # noqa: PLC0415

    dialogue = ChatMemory(memory, scope=scope, session_id=session_id, **whose)

    def with_memories(request: ModelRequest[Any]) -> ModelRequest[Any]:
        texts = [str(message.text) for message in request.messages]
        question = next((str(one.text) for one in reversed(request.messages) if one.type == "human"), "")
        known = [text for text in (dialogue.profile(), dialogue.recalled(question, texts)) if text]
        if not known:
            return request
        own = [] if request.system_message is None else [str(request.system_message.text)]
        return request.override(system_message=SystemMessage("\n\n".join([*own, *known])))

    def recorded(state: Mapping[str, Any]) -> None:
        messages: list[BaseMessage] = list(state["messages"])
        last = max((n for n, message in enumerate(messages) if message.type == "human"), default=0)
        dialogue.record(_turns(messages[last:]))

    class MemoryMiddleware(AgentMiddleware[Any, Any]):
        """Recall before each request, recording at the end of a run."""

        def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], Any]) -> Any:
            return handler(with_memories(request))

        async def awrap_model_call(
            self, request: ModelRequest[Any], handler: Callable[[Any], Awaitable[Any]]
        ) -> Any:
            return await handler(await asyncio.to_thread(with_memories, request))

        def after_agent(self, state: Any, runtime: Any) -> None:
            recorded(state)

        async def aafter_agent(self, state: Any, runtime: Any) -> None:
            await asyncio.to_thread(recorded, state)

    return MemoryMiddleware()


def _turns(messages: Sequence[BaseMessage]) -> list[dict[str, str]]:
    """Turns of people and models; a message with a name of its own is a turn of whoever it names.

    A message has no time of its own, but programs and models (`response_metadata`) add one.
    """
    return [
        {"role": _ROLES[message.type], "content": str(message.text)}
        | ({"name": message.name} if message.name else {})
        | time_of({**message.response_metadata, **message.additional_kwargs, **(message.model_extra or {})})
        for message in messages
        if message.type in _ROLES
    ]
