"""The ways in which a model and its server go wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, cast

#: Length of an answer that is far too long.
HUGE_BYTES: Final = 10_000_000
_BLOCK: Final = re.compile(r"(<MEMORY_PROPOSALS_JSON>)(.*?)(</MEMORY_PROPOSALS_JSON>)", re.DOTALL)


class Fault(StrEnum):
    """One way. The first eight spoil what the model says, the others how the server answers."""

    NO_JSON = "no JSON"
    PROSE = "prose around it"
    TRUNCATED = "truncated"
    WRONG_TYPES = "wrong types"
    NULL = "null"
    HUGE = "10 MB"
    DUPLICATES = "duplicates"
    REFUSAL = "refusal"
    #: Silence until the client leaves or the server closes.
    TIMEOUT = "timeout"
    BUSY = "429"
    BROKEN = "500"
    #: The connection is reset after half of the answer.
    RESET = "reset"
    #: The connection ends after half of the answer.
    CUT = "cut"
    #: The answer is packed with gzip though nobody asked for it.
    PACKED = "packed"


#: The twelve that a model port has to stand.
TWELVE: Final = tuple(fault for fault in Fault if fault not in {Fault.CUT, Fault.PACKED})


def spoil(text: str, fault: Fault | None) -> str:
    """Words of a model that go wrong in this way; the text itself for a fault of the server.

    The JSON of a block of proposals is spoilt, or all of the text where there is none.
    """
    if fault is None or fault not in _SPOILT:
        return text
    change = _SPOILT[fault]
    if _BLOCK.search(text) is None:
        return change(text)
    return _BLOCK.sub(lambda block: block[1] + change(block[2]) + block[3], text)


def _wrong(value: Any) -> Any:
    """JSON of the same shape with every value of another type."""
    match value:
        case dict():
            return {key: _wrong(inner) for key, inner in cast("dict[str, Any]", value).items()}
        case list() if value:
            return [_wrong(inner) for inner in cast("list[Any]", value)]
        case str():
            return [7]
        case None | bool() | int() | float():
            return {"value": "seven"}
        case _:
            return 7


def _wrong_types(text: str) -> str:
    try:
        return json.dumps(_wrong(json.loads(text)))
    except ValueError:
        return "7"


def _huge(text: str) -> str:
    """The first string in the JSON made far too long, or the text itself."""
    longer, count = re.subn(r'(:\s*")', lambda value: value[1] + "very " * (HUGE_BYTES // 5), text, count=1)
    return longer if count else text + " very" * (HUGE_BYTES // 5)


def _duplicates(text: str) -> str:
    """A list with everything ten times, or the text twice."""
    try:
        value = json.loads(text)
    except ValueError:
        return text + text
    return json.dumps(cast("list[Any]", value) * 10) if isinstance(value, list) else text + text


_SPOILT: Final[dict[Fault, Callable[[str], str]]] = {
    Fault.NO_JSON: lambda _: "I would rather tell it in words.",
    Fault.PROSE: lambda text: f"Sure! Here it is:\n{text}\nIs there anything else?",
    Fault.TRUNCATED: lambda text: text[: len(text) // 2],
    Fault.WRONG_TYPES: _wrong_types,
    Fault.NULL: lambda _: "null",
    Fault.HUGE: _huge,
    Fault.DUPLICATES: _duplicates,
    Fault.REFUSAL: lambda _: "I am sorry, I cannot help with that.",
}
