"""ChatGPT's export of data: `conversations.json`, or `conversations-000.json` and so on; chats are trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from json import loads
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
    objects_of,
)
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceRequest, SourceTurn

#: Contents of messages that people see as such.
_SAID: Final = frozenset({"text", "multimodal_text"})
_SPEAKERS: Final = frozenset({"user", "assistant"})
#: Marks that the program shows as something else: `\ue200KIND\ue202ARGUMENT…\ue201`, and the citations of former years.
_MARK: Final = re.compile(
    "\ue200([^\ue200-\ue202]*)((?:\ue202[^\ue200-\ue202]*)*)\ue201|【\\d+[^】\\n]{0,40}†[^】\\n]{0,200}】"
)
#: Single signs of that kind, as a message that was cut has them.
_SIGN: Final = re.compile("[\ue200-\ue20f]")
#: What stands for a part that is no text; a recording that was written down needs no name.
_NAMED: Final = (("image", "[image]"), ("video_container", "[video]"), ("audio", "[audio]"))


class ChatGptImporter:
    """Conversations of ChatGPT, of each the branch that is shown."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        files = [(name, objects_of(value)) for name, value in json_files(request.path, "conversations*.json")]
        for name, conversations in files:
            if not any("mapping" in one for one in conversations) and conversations:
                raise InvalidInput(f"{name} holds no conversations of ChatGPT: none has a `mapping`")
        for name, conversations in files:
            for number, one in enumerate(conversations, 1):
                yield from _conversation(one, f"{name}, conversation {number}")


def _conversation(one: Fields, place: str) -> Iterator[SourceEntry]:
    mapping = an_object(one.get("mapping"))
    # A new chat has a root, and often a message of the system, before anything is said.
    if one.get("mapping") == {} or (mapping and not any(map(_is_message, mapping.values()))):
        empty = all(map(_is_node, mapping.values()))
        reason = (
            f"{LEFT_OUT}an empty conversation" if empty else "its `mapping` is damaged: it has no message"
        )
        yield Refusal(place=place, reason=reason)
        return
    session_id = an_id(one.get("conversation_id")) or an_id(one.get("id"))
    if not mapping or not session_id:
        yield Refusal(place=place, reason="no conversation of ChatGPT: `mapping` or `id` is missing")
        return
    title = a_text(one.get("title"))
    branch = _branch(mapping, a_text(one.get("current_node")))
    aside = len([node for node in mapping.values() if _is_said(an_object(an_object(node).get("message")))])
    for node_id in branch:
        message = an_object(an_object(mapping[node_id]).get("message"))
        if not message:
            continue
        if not _is_said(message):
            yield Refusal(place=f"{place}, message {node_id}", reason=f"{LEFT_OUT}{_sort(message)}")
            continue
        aside -= 1
        at = moment_of(message.get("create_time")) or moment_of(one.get("create_time"))
        turn: dict[str, Any] = {
            "role": an_object(message["author"]).get("role"),
            "content": _text(message),
            "id": an_id(message.get("id")) or node_id,
            "metadata": {"conversation": title} if title else {},
        }
        if name := a_text(an_object(message["author"]).get("name")):
            turn["name"] = name  # Somebody else in a shared chat.
        if is_no_moment(message.get("create_time")):
            yield Refusal(place=f"{place}, message {node_id}", reason=UNREAD_TIME)
        if at is not None:
            turn["at"] = iso(at)
        yield SourceTurn(place=f"{place}, message {node_id}", session_id=session_id, message=turn)
    for _ in range(aside):
        yield Refusal(place=place, reason=f"{LEFT_OUT}a message of a branch that was given up")


def _branch(mapping: Fields, current: str) -> list[str]:
    """Ids of the nodes from the first message to the one that is shown last."""
    if current not in mapping:
        leaves = [name for name, node in mapping.items() if not a_list(an_object(node).get("children"))]
        current = max(leaves or list(mapping), key=lambda name: (_at(mapping[name]), name))
    branch: dict[str, None] = {}
    node: str | None = current
    while node is not None and node in mapping and node not in branch:
        branch[node] = None
        parent = an_object(mapping[node]).get("parent")
        node = parent if isinstance(parent, str) else None
    return list(reversed(branch))


def _at(node: object) -> int:
    return moment_of(an_object(an_object(node).get("message")).get("create_time")) or 0


def _is_node(node: object) -> bool:
    message = an_object(node).get("message")
    return isinstance(node, dict) and (message is None or isinstance(message, dict))


def _is_message(node: object) -> bool:
    """True of a node with a message of anybody but the system."""
    message = an_object(an_object(node).get("message"))
    return bool(message) and an_object(message.get("author")).get("role") != "system"


def _is_said(message: Fields) -> bool:
    """True if a message is one that the user or the model said to the other."""
    hidden = an_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    return (
        a_text(an_object(message.get("author")).get("role")) in _SPEAKERS
        and a_text(an_object(message.get("content")).get("content_type")) in _SAID
        and message.get("recipient") in (None, "all")
        and hidden is not True
        and bool(_text(message).strip())
    )


def _sort(message: Fields) -> str:
    content = a_text(an_object(message.get("content")).get("content_type"))
    role = a_text(an_object(message.get("author")).get("role"))
    if message.get("recipient") not in (None, "all"):
        return "a call of a tool"
    if role not in _SPEAKERS:
        return f"a message of {'the system' if role == 'system' else 'a tool'}"
    return "an empty or hidden message" if content in _SAID else "a model's thoughts or code"


def _text(message: Fields) -> str:
    """Text of a message as it is shown; what else is in it is named."""
    texts: list[str] = []
    named: list[str] = []
    is_written_down = False
    for part in a_list(an_object(message.get("content")).get("parts")):
        kind = a_text(an_object(part).get("content_type"))
        is_written_down |= kind == "audio_transcription"
        if text := part if isinstance(part, str) else a_text(an_object(part).get("text")):
            texts.append(_SIGN.sub("", _MARK.sub(_shown, text)).strip())
        elif an_object(part):
            named.append(next((name for word, name in _NAMED if word in kind), "[attachment]"))
    if is_written_down:
        named = [name for name in named if name != "[audio]"]
    return "\n".join(text for text in [*dict.fromkeys(named), *texts] if text)


def _shown(mark: re.Match[str]) -> str:
    """Text that a mark is shown as: the name of a thing, the words of a link; nothing for sources and pictures."""
    arguments = (mark[2] or "").removeprefix("\ue202").split("\ue202")
    if mark[1] == "entity":
        with suppress(ValueError, IndexError):
            return a_text(a_list(loads(arguments[0]))[1])
    return arguments[0] if mark[1] == "url" else ""
