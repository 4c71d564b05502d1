"""JSON with comments, as editors keep it: read, and changed in one place so that every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final

from simonides.errors import InvalidInput
from simonides.values import dataclass

_BETWEEN: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TEXT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BARE: Final = re.compile(r"[^\s,\]}/]+")
_INDENT: Final = re.compile(r"\n([ \t]+)\S")
_DEEPEST: Final = 64


@dataclass(frozen=True, slots=True)
class _Found:
    """A value, where it stands, and the members of an object."""

    value: Any
    start: int
    end: int
    members: dict[str, _Found] = field(default_factory=dict[str, "_Found"])


def loads(text: str) -> Any:
    """The value of a text; None of one that holds nothing but comments.

    Raises:
        InvalidInput: It is not JSON, with or without comments.
    """
    return None if _is_empty(text) else _read(text).value


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value at a path of names; objects on the way are made where they are missing.

    Raises:
        InvalidInput: The text is not JSON, or something on the way is no object.
    """
    if _is_empty(text):
        text = f"{text}{{}}\n"
    node, depth = _read(text), 0
    if not isinstance(node.value, dict):
        raise InvalidInput("the file holds no object")
    while depth < len(path) - 1 and path[depth] in node.members:
        node = node.members[path[depth]]
        depth += 1
        if not isinstance(node.value, dict):
            raise InvalidInput(f"{'.'.join(path[:depth])} is no object")
    unit = match[1] if (match := _INDENT.search(text)) else "  "
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    written = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", f"\n{unit * (depth + 1)}")
    if (old := node.members.get(path[depth])) is not None:
        return text[: old.start] + written + text[old.end :]
    inside = node.start + 1
    more = "," if node.members else f"\n{unit * depth}"
    rest = text[inside:] if node.members else text[inside:].lstrip()
    return f"{text[:inside]}\n{unit * (depth + 1)}{json.dumps(path[depth])}: {written}{more}{rest}"


def _is_empty(text: str) -> bool:
    match = _BETWEEN.match(text)
    return match is not None and match.end() == len(text)


def _read(text: str) -> _Found:
    node = _value(text, _past(text, 0), 0)
    if _past(text, node.end) != len(text):
        raise _no_json(text, node.end)
    return node


def _value(text: str, at: int, depth: int) -> _Found:
    if depth > _DEEPEST:
        raise InvalidInput(f"nested deeper than {_DEEPEST} levels")
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _array(text, at, depth)
    match = _TEXT.match(text, at) or _BARE.match(text, at)
    try:
        return _Found(json.loads(match[0] if match else ""), at, match.end() if match else at)
    except ValueError:
        raise _no_json(text, at) from None


def _object(text: str, start: int, depth: int) -> _Found:
    members: dict[str, _Found] = {}
    at = _past(text, start + 1)
    while not text.startswith("}", at):
        name = _value(text, at, depth + 1)
        at = _past(text, name.end)
        if not isinstance(name.value, str) or not text.startswith(":", at):
            raise _no_json(text, at)
        members[name.value] = node = _value(text, _past(text, at + 1), depth + 1)
        at = _next(text, node.end, "}")
    return _Found({name: node.value for name, node in members.items()}, start, at + 1, members)


def _array(text: str, start: int, depth: int) -> _Found:
    values: list[Any] = []
    at = _past(text, start + 1)
    while not text.startswith("]", at):
        node = _value(text, at, depth + 1)
        values.append(node.value)
        at = _next(text, node.end, "]")
    return _Found(values, start, at + 1)


def _next(text: str, at: int, end: str) -> int:
    """Position of the next member or of the end; a comma before the end is allowed, as editors allow it."""
    at = _past(text, at)
    if text.startswith(",", at):
        return _past(text, at + 1)
    if not text.startswith(end, at):
        raise _no_json(text, at)
    return at


def _past(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return at if match is None else match.end()


def _no_json(text: str, at: int) -> InvalidInput:
    return InvalidInput(f"not JSON in line {text.count(chr(10), 0, at) + 1}")
