"""LlamaIndex: a memory block that tells what is known of the user's last message, and records what is said."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import PrivateAttr

from simonides import Memory
from simonides.adapters.chat import ChatMemory, bound, time_of
from simonides.domain.text import count_tokens

#: Fewer hold nothing but the frame.
_LEAST_TOKENS = 100
_ROLES = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}

__all__ = ["SimonidesMemoryBlock"]


class SimonidesMemoryBlock(BaseMemoryBlock[str]):
    """A block for LlamaIndex's own memory: `Memory.from_defaults(memory_blocks=[SimonidesMemoryBlock(memory)])`.

    It tells nothing where nothing known answers. What their short-term memory ejects is recorded.

    Args:
        memory: Where everything is kept. It stays the caller's.
        scope: Whose it is; `user_id`, `agent_id` and `project` name its parts.
        session_id: The conversation in memory where LlamaIndex names none.
    """

    name: str = "simonides"
    description: str | None = "What is known of what the user asks."
    priority: int = 1

    _memory: Memory = PrivateAttr()
    _place: dict[str, Any] = PrivateAttr()
    _session_id: str = PrivateAttr()
    #: What was told last, with how it came about.
    _told: dict[str, tuple[ChatMemory, str, list[str]]] = PrivateAttr(default_factory=dict)

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        session_id: str = "llama-index",
        user_id: str | None = None,
        agent_id: str | None = None,
        project: str | None = None,
        **block: Any,
    ) -> None:
        bound(
            memory, scope, {name: one for name, one in block.items() if name not in type(self).model_fields}
        )
        super().__init__(**block)
        self._memory = memory
        self._place = {"scope": scope, "user_id": user_id, "agent_id": agent_id, "project": project}
        self._session_id = session_id
        self._dialogue(None)  # What is no scope is said at once.

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        texts = [message.content or "" for message in messages or ()]
        questions = [message.content or "" for message in messages or () if message.role == MessageRole.USER]
        if not questions:
            return ""
        dialogue = self._dialogue(block_kwargs.get("session_id"))
        text = await asyncio.to_thread(dialogue.recalled, questions[-1], texts)
        self._told = {text: (dialogue, questions[-1], texts)}
        return text

    async def _aput(self, messages: list[ChatMessage]) -> None:
        sessions: dict[str, list[dict[str, Any]]] = {}
        for message in messages:
            if message.role in _ROLES and message.content:
                session = str(message.additional_kwargs.get("session_id") or self._session_id)
                turn = {"role": _ROLES[MessageRole(message.role)], "content": message.content}
                if name := message.additional_kwargs.get("name"):
                    turn["name"] = str(name)
                sessions.setdefault(session, []).append(turn | time_of(message.additional_kwargs))
        for session, turns in sessions.items():
            await asyncio.to_thread(self._dialogue(session).record, turns)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The same in fewer words, as far as they fit; None where nothing does.

        Args:
            tokens_to_truncate: As LlamaIndex counts them, by its global tokenizer: other than a budget here.
        """
        theirs = get_tokenizer()
        left = len(theirs(content)) - tokens_to_truncate
        if left <= 0 or content not in self._told:
            return None
        dialogue, question, texts = self._told[content]
        most = count_tokens(content) * left // len(theirs(content))
        while most >= _LEAST_TOKENS:
            shorter = await asyncio.to_thread(dialogue.recalled, question, texts, most)
            if not shorter or len(theirs(shorter)) <= left:
                return shorter or None
            most = min(most, count_tokens(shorter)) * 9 // 10
        return None

    def _dialogue(self, session_id: str | None) -> ChatMemory:
        return ChatMemory(self._memory, session_id=session_id or self._session_id, **self._place)
