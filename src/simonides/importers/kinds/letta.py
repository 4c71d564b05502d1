"""Letta's agent files (`.af`): the blocks of an agent's memory, and its messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import (
    Fields,
    a_list,
    a_text,
    an_object,
    json_of,
    moment_of,
    sources,
    with_times,
)
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceItem, SourceRequest, SourceTurn

_SPEAKERS: Final = frozenset({"user", "assistant"})


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
                yield _block(block, f"{file.name}, block {number}", file.stem)
            for agent in agents:
                name = a_text(agent.get("name")) or file.stem
                for number, message in enumerate(a_list(agent.get("messages")), 1):
                    place = f"{file.name}, {name}, message {number}"
                    turn = _message(an_object(message), place, (f"letta-{name}", number))
                    yield from with_times(turn, an_object(message), "created_at")


def _block(block: Fields, place: str, file: str) -> SourceEntry:
    label, value = a_text(block.get("label")), a_text(block.get("value")).strip()
    if not value:
        return Refusal(place=place, reason=f"{LEFT_OUT}an empty block")
    fields: dict[str, Any] = {"type": "note", "title": label, "tags": [label] if label else []}
    if description := a_text(block.get("description")):
        fields["metadata"] = {"description": description}
    return SourceItem(
        place=place, key=a_text(block.get("id")) or f"{file}#{label}", content=value, fields=fields
    )


def _is_event(text: str) -> bool:
    """True of what Letta tells its agent in the user's name: an object whose type is none of a user's message."""
    try:
        event: object = json.loads(text)
    except (ValueError, RecursionError):
        return False
    kind = an_object(event).get("type")
    return isinstance(kind, str) and kind != "user_message"


def _message(message: Fields, place: str, session: tuple[str, int]) -> SourceEntry:
    session_id, number = session
    content = message.get("content", message.get("text"))
    blocks = [an_object(one) for one in a_list(content)]
    text = content if isinstance(content, str) else "\n\n".join(a_text(one.get("text")) for one in blocks)
    if a_text(message.get("role")) not in _SPEAKERS:
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the system or a tool")
    if message["role"] == "user" and _is_event(text):
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the program itself")
    if not text.strip():
        return Refusal(place=place, reason=f"{LEFT_OUT}a message without text")
    turn: dict[str, Any] = {
        "role": message["role"],
        "content": text,
        "id": f"{session_id}:{a_text(message.get('id')) or number}",
    }
    if (at := moment_of(message.get("created_at"))) is not None:
        turn["at"] = iso(at)
    return SourceTurn(place=place, session_id=session_id, message=turn)
