"""Proposals: what a model suggests to remember, read out of its answer and of nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from simonides.agent.stream import MAX_BLOCK_CHARS, VisibleStream
from simonides.agent.tools.arguments import InvalidArguments, loaded, read
from simonides.values import dataclass

TOOL: Final = "memory.propose"
_BLOCK: Final = "the block of proposals"
_FENCE: Final = re.compile(
    r"\A(?P<fence>```+|~~~+)[ \t]*\w*[ \t]*\n?(?P<body>.*?)\n?[ \t]*(?P=fence)\Z", re.DOTALL
)
#: The names under which models put their list.
_LISTS: Final = ("items", "proposals")


@dataclass(frozen=True, slots=True)
class Parsed:
    """An answer, parted into the text for the user and the proposals of things to remember.

    Attributes:
        visible: The answer without its block; nothing else of it is changed.
        proposals: As the model wrote them, in order; whether each is any good is the policy's business.
        problems: Why there are none where some were meant, in words.
    """

    visible: str = ""
    proposals: tuple[object, ...] = ()
    problems: tuple[str, ...] = ()


def parse(text: str) -> Parsed:
    """Read an answer.

    A block is `<MEMORY_PROPOSALS_JSON>…</MEMORY_PROPOSALS_JSON>` in any case, with blanks in the delimiters or
    not. In it stands a JSON array, or an object with the array as `items`; a code fence around it is passed over.
    The block is taken out in any case. What is no JSON, too long or without end proposes nothing, and of two
    blocks neither does: one of them may be a quotation.

    Args:
        text: This answer's own text. Never that of a message, a memory or a tool.
    """
    stream = VisibleStream()
    visible = stream.feed(text) + stream.end()
    problems = ["a closing delimiter of proposals without a block was taken out"] if stream.strays else []
    proposals: tuple[object, ...] = ()
    match stream.blocks:
        case ():
            pass
        case (block,) if not block.closed:
            problems.append(f"{_BLOCK} has no end; nothing was taken from it")
        case (block,) if len(block.body) > MAX_BLOCK_CHARS:
            problems.append(
                f"{_BLOCK} is longer than {MAX_BLOCK_CHARS} characters; nothing was taken from it"
            )
        case (block,):
            try:
                proposals = _proposals(loaded(_unfenced(block.body), _BLOCK))
            except InvalidArguments as error:
                problems.append(f"{error}; nothing was taken from it")
        case _:
            problems.append("there are two blocks of proposals or more; nothing was taken from any")
    return Parsed(visible, proposals, tuple(problems))


def from_tool_call(name: str, arguments: Mapping[str, Any] | str) -> Parsed | None:
    """Read a call of `memory.propose` or `memory_propose`; None for any other tool.

    Args:
        arguments: An object, or its JSON text.
    """
    if name.replace("_", ".") != TOOL:
        return None
    try:
        return Parsed(proposals=_proposals(read(arguments)))
    except InvalidArguments as error:
        return Parsed(problems=(f"a call of {TOOL}: {error}; nothing was taken from it",))


def _unfenced(body: str) -> str:
    body = body.strip()
    fenced = _FENCE.match(body)
    return fenced["body"] if fenced else body


def _proposals(value: object) -> tuple[object, ...]:
    """The list that was meant.

    Raises:
        InvalidArguments: There is none.
    """
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        listed = next((fields[name] for name in _LISTS if isinstance(fields.get(name), list)), None)
        value = [fields] if listed is None and isinstance(fields.get("content"), str) else listed
    if not isinstance(value, list):
        raise InvalidArguments("proposals are a JSON array, or an object with the array as `items`")
    return tuple(cast("list[object]", value))
