"""Additions of memory to a prompt, and their place: behind what a provider has cached, and never twice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, cast

from simonides.agent.turn import Message
from simonides.config import Mode
from simonides.texts import unframed

_TEMPLATES: Final = Path(__file__).with_name("templates")
#: Around what is added to the system prompt, so that it is found in a message that comes back.
_BEGINS: Final = "## Long-term memory"
_ENDS: Final = "(End of long-term memory.)"
_ADDED: Final = re.compile(rf"\s*^{_BEGINS}$.*?^{re.escape(_ENDS)}$", re.DOTALL | re.MULTILINE)
_ADDED_BEFORE: Final = re.compile(rf"{_BEGINS}\n.*?^{re.escape(_ENDS)}(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def without_recalled(text: str) -> str:
    """A message's text without what memory put before it, where a client sends that back."""
    rest = unframed(_without_addition(text))
    return text if rest is text else rest.lstrip("\n")


def addition(mode: Mode, profile: str, *, reads: bool, propose: bool) -> str:
    """Text that a prompt gains beside what is recalled: the same until the core profile changes.

    Args:
        reads: Whether the model is offered memory's tools.
        propose: Whether it is told how to propose.
    """
    if mode is Mode.TOOLS_ONLY:
        parts = [_template("tools")]
    else:
        parts = [" ".join([_template("memory"), *([_template("reading")] if reads else [])])]
    if propose:
        parts.append(_template("propose"))
    if profile:
        parts.append(f"{_template('profile')}\n{profile}")
    return "\n\n".join([*parts, _ENDS])


def without_added(text: str) -> str:
    """A system prompt without what memory added to it, where somebody sends that back."""
    return _ADDED.sub("", text).rstrip() if _BEGINS in text else text


def with_system(messages: Sequence[Message], added: str) -> list[Message]:
    """The messages with an addition at the end of the first system message, or with one of their own before them."""
    for place, message in enumerate(messages):
        if _role(message) in {"system", "developer"}:
            content: object = message.get("content")
            if isinstance(content, str) or content is None:
                before = without_added(content or "").rstrip()
                joined: object = f"{before}\n\n{added}" if before else added
            elif isinstance(content, Sequence):
                parts = [part for part in cast("Sequence[object]", content) if not _is_addition(part)]
                joined = [*parts, {"type": "text", "text": added}]
            else:
                break  # Whatever that is, it is not for us to change.
            return [*messages[:place], {**message, "content": joined}, *messages[place + 1 :]]
    return [{"role": "system", "content": added}, *messages]


def with_user(messages: Sequence[Message], added: str) -> list[Message]:
    """The messages with an addition before the first message of the user; as they are where there is none in words."""
    place = next((n for n, message in enumerate(messages) if _role(message) == "user"), None)
    content: object = None if place is None else messages[place].get("content")
    if isinstance(content, str):
        joined: object = f"{added}\n\n{_without_addition(content)}"
    elif isinstance(content, Sequence):
        parts = [part for part in cast("Sequence[object]", content) if not _is_addition(part)]
        joined = [{"type": "text", "text": added}, *parts]
    else:
        return list(messages)
    assert place is not None
    return [*messages[:place], {**messages[place], "content": joined}, *messages[place + 1 :]]


def with_recalled(messages: Sequence[Message], place: int, recalled: str) -> list[Message] | None:
    """The messages with what was recalled before the text of one; None where its content has no such form."""
    message = messages[place]
    content: object = message.get("content")
    if isinstance(content, str):
        joined: object = f"{recalled}\n\n{without_recalled(content)}"
    elif isinstance(content, Sequence):
        parts = [part for part in cast("Sequence[object]", content) if not _is_recalled(part)]
        joined = [{"type": "text", "text": recalled}, *parts]
    else:
        return None
    return [*messages[:place], {**message, "content": joined}, *messages[place + 1 :]]


def _without_addition(text: str) -> str:
    added = _ADDED_BEFORE.match(text) if text.startswith(_BEGINS) else None
    return text if added is None else text[added.end() :].lstrip("\n")


def _role(message: object) -> object:
    return cast("Message", message).get("role") if isinstance(message, Mapping) else None


def _part_text(part: object) -> str:
    text: object = cast("Message", part).get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _is_addition(part: object) -> bool:
    return _part_text(part).startswith(_BEGINS) and _part_text(part).endswith(_ENDS)


def _is_recalled(part: object) -> bool:
    text = _part_text(part)
    return text != "" and without_recalled(text) == ""


@cache
def _template(name: str) -> str:
    return (_TEMPLATES / f"{name}.txt").read_text("utf-8").strip()
