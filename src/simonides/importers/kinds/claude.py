"""Claude's export of data: `conversations.json`, each conversation with its messages in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import (
    UNREAD_TIME,
    Fields,
    a_list,
    a_text,
    an_id,
    an_object,
    is_no_moment,
    json_files,
    moment_of,
    names_in,
    objects_of,
)
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceRequest, SourceTurn

_PROJECTS: Final = "projects with their instructions and documents (ingest the files themselves)"
#: Files of an export that hold no conversations, and what stands in them.
_ASIDE: Final = {
    "memories.json": "what Claude noted of the user (add what still holds)",
    "projects.json": _PROJECTS,
    "projects/*.json": _PROJECTS,
}
_ROLES: Final = {"human": "user", "user": "user", "assistant": "assistant"}


class ClaudeImporter:
    """Conversations of Claude."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        files = [(name, objects_of(value)) for name, value in json_files(request.path, "conversations*.json")]
        for name, conversations in files:
            if not any("chat_messages" in one for one in conversations) and conversations:
                raise InvalidInput(f"{name} holds no conversations of Claude: none has `chat_messages`")
        for name, conversations in files:
            for number, one in enumerate(conversations, 1):
                yield from _conversation(one, f"{name}, conversation {number}")
        for pattern, what in _ASIDE.items():
            for name in names_in(request.path, pattern):
                yield Refusal(place=name, reason=f"{LEFT_OUT}{what}")


def _conversation(one: Fields, place: str) -> Iterator[SourceEntry]:
    session_id, title = an_id(one.get("uuid")), a_text(one.get("name"))
    if not session_id or not isinstance(one.get("chat_messages"), list):
        yield Refusal(place=place, reason="no conversation of Claude: uuid or chat_messages are missing")
        return
    messages = [an_object(message) for message in a_list(one["chat_messages"])]
    if not messages:
        yield Refusal(place=place, reason=f"{LEFT_OUT}an empty conversation")
    shown = _branch(messages, an_id(one.get("current_leaf_message_uuid")))
    for number, message in enumerate(messages, 1):
        at_place = f"{place}, message {number}"
        role, text = _ROLES.get(a_text(message.get("sender"))), _text(message)
        if shown is not None and an_id(message.get("uuid")) not in shown:
            yield Refusal(place=at_place, reason=f"{LEFT_OUT}a message of a branch that was given up")
            continue
        for _ in a_list(message.get("attachments")):
            yield Refusal(place=at_place, reason=f"{LEFT_OUT}an attachment (ingest the file itself)")
        if role is None:
            yield Refusal(place=at_place, reason=f"the sender {message.get('sender')!r:.40} is not known")
            continue
        if not text.strip():
            yield Refusal(place=at_place, reason=f"{LEFT_OUT}a message without text")
            continue
        turn: dict[str, Any] = {
            "role": role,
            "content": text,
            "id": an_id(message.get("uuid")) or f"{session_id}-{number}",
            "metadata": {"conversation": title} if title else {},
        }
        if is_no_moment(message.get("created_at")):
            yield Refusal(place=at_place, reason=UNREAD_TIME)
        if (at := moment_of(message.get("created_at")) or moment_of(one.get("created_at"))) is not None:
            turn["at"] = iso(at)
        yield SourceTurn(place=at_place, session_id=session_id, message=turn)


def _branch(messages: list[Fields], leaf: str) -> set[str] | None:
    """Ids of the messages that lead to the one that is shown last; None where all are shown."""
    parents = {an_id(one.get("uuid")): an_id(one.get("parent_message_uuid")) for one in messages}
    if leaf not in parents:
        return None
    branch: set[str] = set()
    while leaf in parents and leaf not in branch:
        branch.add(leaf)
        leaf = parents[leaf]
    return branch


def _text(message: Fields) -> str:
    blocks = [an_object(block) for block in a_list(message.get("content"))]
    texts = [a_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    return "\n\n".join(text for text in texts if text.strip()) or a_text(message.get("text"))
