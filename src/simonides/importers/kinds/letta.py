"""Letta's agent files (`.af`): the blocks of an agent's memory, and its messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import (
    Fields,
    a_list,
    a_text,
    an_id,
    an_object,
    json_of,
    moment_of,
    sources,
    with_times,
)
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceItem, SourceRequest, SourceTurn

_THOUGHTS: Final = f"{LEFT_OUT}thoughts of the agent"
_SPEAKERS: Final = frozenset({"user", "assistant"})
#: Name of the tool by which agents of MemGPT's kind speak to their user, and types of these agents.
_SAYS: Final = "send_message"
_THINKING: Final = frozenset({"memgpt_agent", "memgpt_v2_agent", "sleeptime_agent"})


class LettaImporter:
    """Agents of Letta, in the present form of their file (`agents`, `blocks`) and the first one (`core_memory`)."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        files = sources(request.path, "*.af")
        read = [(file, an_object(json_of(file))) for file in files]
        for file, value in read:
            if isinstance(value.get("agents"), list):
                agents = [an_object(agent) for agent in a_list(value["agents"])]
                blocks = [an_object(block) for block in a_list(value.get("blocks"))]
            elif "core_memory" in value:
                agents, blocks = [value], [an_object(block) for block in a_list(value["core_memory"])]
            else:
                raise InvalidInput(f"{file.name} is no agent file: it has neither agents nor core_memory")
            for number, block in enumerate(blocks, 1):
                for agent in _agents_of(block, agents):
                    yield _block(block, f"{file.name}, block {number}", file.stem, agent)
            for agent in agents:
                name = a_text(agent.get("name")) or file.stem
                whose = {"agent_id": agent.get("name")}
                messages = [an_object(message) for message in a_list(agent.get("messages"))]
                kind = a_text(agent.get("agent_type"))
                thinks = kind in _THINKING if kind else any(map(_sent, messages))
                for number, message in enumerate(messages, 1):
                    place = f"{file.name}, {name}, message {number}"
                    turn = _message(message, place, (f"letta-{name}", number), thinks=thinks)
                    if isinstance(turn, SourceTurn):
                        turn = replace(turn, whose=whose)
                        yield from [Refusal(place=place, reason=_THOUGHTS)] * _thoughts(message)
                    yield from with_times(turn, message, "created_at")


def _agents_of(block: Fields, agents: Sequence[Fields]) -> Sequence[object]:
    """Names of the agents that have a block, each for itself: with no name it would be every agent's; None of none."""
    names = [
        agent.get("name")
        for agent in agents
        if "core_memory" in agent or block.get("id") in a_list(agent.get("block_ids"))
    ]
    return names or [None]


def _thoughts(message: Fields) -> int:
    """Number of the parts of a message that are thoughts."""
    return sum(
        a_text(an_object(part).get("type")).endswith("reasoning") for part in a_list(message.get("content"))
    )


def _block(block: Fields, place: str, file: str, agent: object) -> SourceEntry:
    label, value = a_text(block.get("label")), a_text(block.get("value")).strip()
    if not value:
        return Refusal(place=place, reason=f"{LEFT_OUT}an empty block")
    fields: dict[str, Any] = {"type": "note", "title": label, "tags": [label] if label else []}
    if description := a_text(block.get("description")):
        fields["metadata"] = {"description": description}
    key = an_id(block.get("id")) or f"{file}#{label}"
    return SourceItem(place=place, key=key, content=value, fields=fields, whose={"agent_id": agent})


def _heard(text: str) -> str | None:
    """The words of a user's message; None for what Letta tells its agent in the user's name (heartbeats, logins).

    Both may be packed into an object of JSON that says by its type what it is.
    """
    packed = _parsed(text)
    kind = packed.get("type")
    if not isinstance(kind, str):
        return text
    return a_text(packed.get("message")) if kind == "user_message" else None


def _sent(message: Fields) -> list[str]:
    """Words that an agent says by its tool for that; what its message holds beside them are its thoughts."""
    functions = [an_object(an_object(call).get("function")) for call in a_list(message.get("tool_calls"))]
    calls = [(one.get("name"), one.get("arguments")) for one in functions]
    parts = [an_object(part) for part in a_list(message.get("content"))]
    calls += [(part.get("name"), part.get("input")) for part in parts if part.get("type") == "tool_call"]
    given = [_parsed(one) if isinstance(one, str) else an_object(one) for name, one in calls if name == _SAYS]
    return [text for one in given if (text := a_text(one.get("message"))).strip()]


def _parsed(text: str) -> Fields:
    try:
        return an_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _message(message: Fields, place: str, session: tuple[str, int], *, thinks: bool) -> SourceEntry:
    """A turn.

    Args:
        thinks: Whether what the agent says without its tool are thoughts, which nobody heard.
    """
    session_id, number = session
    role = a_text(message.get("role"))
    if role not in _SPEAKERS:
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the system or a tool")
    content = message.get("content", message.get("text"))
    texts = [a_text(one.get("text")) for one in map(an_object, a_list(content))]
    texts = [content] if isinstance(content, str) else texts
    if role == "user":
        heard = [_heard(text) for text in texts]
        if heard and all(text is None for text in heard):
            return Refusal(place=place, reason=f"{LEFT_OUT}a message of the program itself")
        texts = [text for text in heard if text is not None]
    elif sent := _sent(message):
        texts = sent
    elif thinks:
        return Refusal(place=place, reason=_THOUGHTS)
    text = "\n\n".join(text for text in texts if text.strip())
    if not text and _thoughts(message):
        return Refusal(place=place, reason=_THOUGHTS)
    if not text.strip():
        return Refusal(place=place, reason=f"{LEFT_OUT}a message without text")
    turn: dict[str, Any] = {
        "role": role,
        "content": text,
        "id": f"{session_id}:{an_id(message.get('id')) or number}",
    }
    if role == "user" and (name := a_text(message.get("name"))):
        turn["name"] = name
    if (at := moment_of(message.get("created_at"))) is not None:
        turn["at"] = iso(at)
    return SourceTurn(place=place, session_id=session_id, message=turn)
