"""Asking the user: what waits for their word is put to them by their client, where it can ask."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, cast

from mcp_types import ClientCapabilities, ElicitRequestFormParams

from simonides.agent.tools import Tools
from simonides.domain.item import canonical_json
from simonides.errors import Conflict, NotFound
from simonides.memory import Memory

#: A text that is longer would not be read: it waits for a review.
_MOST_CHARS: Final = 2000
_KEEP: Final = "Keep this in memory as your word?\n\n{}"
_ALLOW: Final = "May this be done with your memory?\n\n{}"
_WRITES: Final = frozenset({"memory.add", "memory.propose"})
_DECLINED: Final = "The user declined; nothing was kept or changed. Do not ask again in other words."
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
    """The question that an answer leaves to the user; None where nothing waits, or it is too long to be read."""
    held = _held(answer)
    if not held:
        return None
    if "verdicts" in answer:
        proposals = arguments.get("proposals")
        if not isinstance(proposals, list) or len(cast("list[Any]", proposals)) != len(answer["verdicts"]):
            return None
        arguments = {**arguments, "proposals": [proposals[place] for place in held]}
    waiting = tuple(held.values())
    texts = [memory.review.show(item_id).item.content for item_id in waiting]
    shown = (_KEEP if name in _WRITES else _ALLOW).format("\n\n".join(texts))
    if len(shown) > _MOST_CHARS:
        return None
    return UserQuestion(name, arguments, answer, waiting, shown)


def can_ask(capabilities: ClientCapabilities | None) -> bool:
    """True of a client that puts questions to its user as forms."""
    able = None if capabilities is None else capabilities.elicitation
    return able is not None and (able.form is not None or able.url is None)


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals questions that a client keeps until it calls again: no other question can be put in their place."""

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def closed(self, asked: UserQuestion, caller: str) -> str:
        """The question as text, for this caller alone."""
        state = [asked.name, asked.arguments, asked.answer, asked.waiting, asked.shown]
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
