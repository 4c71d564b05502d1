"""Asking the user: what waits for their word is put to them by their client, where it can ask."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from enum import StrEnum
from typing import Any, Final, cast

from mcp_types import ClientCapabilities, ElicitRequestFormParams

from simonides.agent.tools import Tools
from simonides.agent.tools.admin.deciding import UNDECIDED, said_beside, worded
from simonides.agent.tools.arguments import parse
from simonides.agent.tools.table import BY_NAME
from simonides.domain.item import Item, canonical_json
from simonides.errors import Conflict, NotFound
from simonides.memory import Memory
from simonides.values import dataclass

#: A text that is longer would not be read: it waits for a review.
_MOST_CHARS: Final = 2000
_KEEP: Final = "Keep this in memory as your word?\n\n{}"
_ALLOW: Final = "May this be done with your memory?\n\n{}"
_WRITES: Final = frozenset({"memory.add", "memory.propose"})
_LABELS: Final = {"event_at": "happened", "why_store": "reason"}
_BLANKS: Final = re.compile(r"\s+")
_BREAK: Final = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
#: Fillers and selectors that show nothing, though they count as letters and marks. U+FE0F colours an emoji.
_FILLERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
    "|(?<=\ufe0f)\ufe0f"
)
_DECLINED: Final = "The user declined; nothing was kept or changed. Do not ask again in other words."
_CHANGED: Final[dict[str, Any]] = {
    "error": {
        "code": "conflict",
        "message": "what the user was shown has changed meanwhile; nothing was done",
    }
}
#: There is nothing to fill in: the user accepts or declines.
_NOTHING_TO_FILL: Final[dict[str, Any]] = {"type": "object", "properties": {}}


class UserReply(StrEnum):
    """Replies of a user: `cancel` is none."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A question to the user about a call that waits for their word.

    Attributes:
        name: The tool that was called.
        arguments: Those of the call, as far as they wait.
        answer: What is answered if the user does not say.
        waiting: Ids under which memory holds what waits.
        shown: What the user is shown.
    """

    name: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]
    waiting: tuple[str, ...]
    shown: str

    @property
    def form(self) -> ElicitRequestFormParams:
        """The question as clients ask it."""
        return ElicitRequestFormParams(message=self.shown, requested_schema=_NOTHING_TO_FILL)

    def settled(self, reply: UserReply, memory: Memory, tools: Tools) -> dict[str, Any]:
        """The answer of the call, once the user has said what they want.

        What they accept is done as their word; what they decline is turned down; else it goes on waiting.
        """
        if reply is UserReply.CANCEL:
            return dict(self.answer)
        if reply is UserReply.DECLINE:
            self._close(memory, "the user declined")
            return {"outcome": "rejected", "reasons": ["declined by the user"], "say": _DECLINED}
        if (
            "shown" in self.answer
            and tools.call(self.name, self.arguments).get("shown") != self.answer["shown"]
        ):
            return _CHANGED
        done = tools.call(self.name, self.arguments, confirmed=True)
        if "error" in done or _held(done):
            return done
        self._close(memory, "the user agreed, and it was done as their word")
        return _joined(self.answer, done)

    def _close(self, memory: Memory, reason: str) -> None:
        for waiting in self.waiting:
            # Somebody may have decided about it meanwhile.
            with suppress(Conflict, NotFound):
                memory.review.reject(waiting, reason)


def question(
    memory: Memory, name: str, arguments: Mapping[str, Any], answer: Mapping[str, Any]
) -> UserQuestion | None:
    """The question that an answer leaves to the user; None where nothing waits, or it is too long to be read.

    It shows every field that is kept if they accept.
    """
    if answer.get("outcome") == UNDECIDED:
        shown = "\n".join(map(visible, answer["shown"]))
        return None if len(shown) > _MOST_CHARS else UserQuestion(name, arguments, answer, (), shown)
    held = _held(answer)
    if not held:
        return None
    if "verdicts" in answer:
        proposals = arguments.get("proposals")
        if not isinstance(proposals, list) or len(cast("list[Any]", proposals)) != len(answer["verdicts"]):
            return None
        arguments = {**arguments, "proposals": [proposals[place] for place in held]}
    waiting = tuple(held.values())
    if name in _WRITES:
        shown = _KEEP.format("\n\n".join(_lines(one) for one in _proposed(name, arguments)))
    else:
        [request] = [(memory.review.show(item_id).wished or {})["request"] for item_id in waiting]
        if "target" in arguments:  # Words may mean another memory by the time the user has answered.
            arguments = {**arguments, "target": request["item_id"]}
        shown = _ALLOW.format(_asked_for(request, memory.get(request["item_id"])))
    if len(shown) > _MOST_CHARS:
        return None
    return UserQuestion(name, arguments, answer, waiting, shown)


def _proposed(name: str, arguments: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The fields of each memory that a call proposes."""
    if "proposals" in arguments:
        return arguments["proposals"]
    return [parse(BY_NAME[name].input, arguments).model_dump(exclude={"scope"}, exclude_none=True)]


def _asked_for(request: Mapping[str, Any], item: Item) -> str:
    """The request, the memory that it is about, and the change that it would make."""
    about = {"content": item.display, "type": item.type, **said_beside(item)}
    call = f"{request['act'].capitalize()} {item.id}:\n{_lines(about)}"
    return f"{call}\n\nIt would have:\n{_lines(request['changes'])}" if request["changes"] else call


def _lines(fields: Mapping[str, Any]) -> str:
    """Fields and their values, one a line, the content first."""
    given = {"content": fields.get("content"), **fields}
    return "\n".join(
        f"{visible(_LABELS.get(name, name))}: {visible(worded(value)) or '(none)'}"
        for name, value in given.items()
        if value is not None
    )


def visible(text: str) -> str:
    """A text in one line in which nothing hides: breaks, controls and what has no width are made visible."""
    line = _BLANKS.sub(lambda blanks: " ⏎ " if _BREAK.search(blanks[0]) else " ", text)
    line = _FILLERS.sub(lambda match: _code(match[0]), line)
    return "".join(_code(char) if unicodedata.category(char) in _INVISIBLE else char for char in line)


def _code(char: str) -> str:
    return f"[U+{ord(char):04X}]"


def can_ask(capabilities: ClientCapabilities | None) -> bool:
    """True of a client that puts questions to its user as forms."""
    able = None if capabilities is None else capabilities.elicitation
    return able is not None and (able.form is not None or able.url is None)


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals questions that a client keeps until it calls again: no other question can be put in their place."""

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def closed(self, open_question: UserQuestion, caller: str) -> str:
        """The question as text, for this caller alone."""
        state = [
            open_question.name,
            open_question.arguments,
            open_question.answer,
            open_question.waiting,
            open_question.shown,
        ]
        text = base64.urlsafe_b64encode(canonical_json(state).encode()).decode()
        return f"{self._mark(text, caller)}.{text}"

    def opened(self, state: str, caller: str) -> UserQuestion | None:
        """The question of a text; None if it was not sealed here for this caller."""
        mark, _, text = state.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(text, caller).encode()):
            return None
        name, arguments, answer, waiting, shown = json.loads(base64.urlsafe_b64decode(text))
        return UserQuestion(name, arguments, answer, tuple(waiting), shown)

    def _mark(self, text: str, caller: str) -> str:
        return hmac.new(self._key, f"{caller}\n{text}".encode(), hashlib.sha256).hexdigest()


def _held(answer: Mapping[str, Any]) -> dict[int, str]:
    """Ids of what waits for the user, by their place among the verdicts."""
    verdicts: list[Mapping[str, Any]] = answer.get("verdicts", [answer])
    return {
        place: str(verdict["item_id"])
        for place, verdict in enumerate(verdicts)
        if verdict.get("outcome") == "quarantined" and verdict.get("item_id")
    }


def _joined(before: Mapping[str, Any], done: Mapping[str, Any]) -> dict[str, Any]:
    """Verdicts of a call of which a part waited, with what became of that part."""
    if "verdicts" not in before:
        return dict(done)
    decided = iter(done["verdicts"])
    held = _held(before)
    return {
        "verdicts": [next(decided) if place in held else one for place, one in enumerate(before["verdicts"])]
    }
