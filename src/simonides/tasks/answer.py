"""The JSON object in what a model said, whatever it said around it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, cast

from simonides.errors import InvalidAnswer

MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 64

_THOUGHTS_END: Final = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_FENCE: Final = re.compile(r"\A```\w*\s*")
_LIST: Final = re.compile(r"\[\s*[\[{]")
#: Where an object begins; braces of prose are followed by other things.
_OPENING: Final = re.compile(r'\{(?=\s*["}])')
#: What matters for where a value ends: strings as wholes, brackets, and a quote that opens what never ends.
_SIGN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]|"', re.DOTALL)


def object_in(answer: str) -> dict[str, Any]:
    """The one JSON object in an answer.

    An object may stand alone, in a code fence, amid prose, or after thoughts in `<think>`; said twice
    without a difference it is one object.

    Args:
        answer: At most `MAX_BYTES` of UTF-8.

    Raises:
        InvalidAnswer: There is none, or another value, or several that differ; a key stands twice, a number
            is not finite; it is longer than `MAX_BYTES` or deeper than `MAX_DEPTH`.
    """
    if len(answer) > MAX_BYTES or len(answer.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise InvalidAnswer(f"the answer is longer than {MAX_BYTES:,} bytes")
    text = _spoken(answer)
    if _LIST.match(text):
        raise InvalidAnswer("the answer is a list; a JSON object was asked for")
    first: dict[str, Any] | None = None
    for value in _objects(text):
        if first is not None and value != first:
            raise InvalidAnswer("there are several JSON objects in the answer; give one")
        first = value
    if first is None:
        raise InvalidAnswer("there is no whole JSON object in the answer")
    return first


def _spoken(answer: str) -> str:
    """An answer without the thoughts before it, some of which begin unmarked, and without a code fence around it."""
    *_, end = 0, *(match.end() for match in _THOUGHTS_END.finditer(answer))
    text = (answer[end:] if "{" in answer[end:] else answer).strip()
    return _FENCE.sub("", text).removesuffix("```").rstrip()


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Objects that stand in a text, none of them within another, or within what was to become one.

    Raises:
        InvalidAnswer: One is begun and not ended, or is too deep.
    """
    opening = _OPENING.search(text)
    while opening is not None:
        end = _end(text, opening.start())
        if end is None:
            raise InvalidAnswer("there is no whole JSON object in the answer: one is begun and not ended")
        value = _value(text[opening.start() : end])
        if isinstance(value, dict):
            yield cast("dict[str, Any]", value)
        opening = _OPENING.search(text, end)


def _end(text: str, start: int) -> int | None:
    """End of the value that opens at `start`; None where it is not closed.

    Raises:
        InvalidAnswer: It is deeper than `MAX_DEPTH`.
    """
    depth = 0
    for sign in _SIGN.finditer(text, start):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
        elif sign[0] == '"':
            return None
        if depth > MAX_DEPTH:
            raise InvalidAnswer(f"the answer is nested more than {MAX_DEPTH} deep")
        if depth == 0:
            return sign.end()
    return None


def _value(text: str) -> object:
    """Value of a JSON text; None where it is no JSON."""
    try:
        return json.loads(text, object_pairs_hook=_fields, parse_float=_number, parse_constant=_number)
    except InvalidAnswer:
        raise
    except ValueError:
        return None


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise InvalidAnswer("a key stands twice in one object of the answer")
    return fields


def _number(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise InvalidAnswer("the answer holds a number that is not finite")
    return number
