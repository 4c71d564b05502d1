"""Exchanges with memory that wait for a caller, and the places in conversations where they belong."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, cast

from simonides.agent.conversation import Conversation, Recent
from simonides.agent.tool_loop import ToolExchange
from simonides.agent.turn import Chat, Message, ToolCall, Turn
from simonides.domain.item import canonical_json
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: Exchanges that are kept, some kilobytes each.
_MOST_HELD: Final = 1000
#: Of a long conversation so many of the user's last turns tell it apart.
_MOST_ASKED: Final = 64
#: Answers at places that look alike.
_MOST_ALIKE: Final = 64
#: Seconds after which an answer that came to its results gives way to another chat's at a place like its own.
_ALIKE_S: Final = 3600.0


@dataclass(frozen=True, slots=True)
class CallPlace:
    """The place of a model's turn in its conversation, by what clients leave as it is from request to request.

    System prompts change, results of tools are shortened and thoughts are taken out; the user's words and the calls
    of tools stay.

    Attributes:
        questions: Digests of the user's turns before it, the last ones of many.
        called: A digest of the caller's tools that were called since the last of these.
    """

    questions: tuple[bytes, ...] = ()
    called: bytes = b""

    def fits(self, seen: CallPlace) -> bool:
        """True if a place that a client shows is this one, where it may have left out how the chat began."""
        count = len(seen.questions)
        return self.called == seen.called and (
            self.questions[-count:] == seen.questions if count else not self.questions
        )


class CallingTurn(NamedTuple):
    """A turn of a model's that called tools, as a client shows it; or the place behind the last message, without calls.

    Attributes:
        at: Index of its message.
        called: The digest behind it: `CallPlace.called` of what follows.
    """

    at: int
    place: CallPlace
    calls: tuple[ToolCall, ...]
    called: bytes


@dataclass(frozen=True, slots=True)
class _Held:
    """An answer that called tools of the caller's.

    Attributes:
        number: Names the exchange with memory that waits; None where memory was not called.
        ids: Of the caller's calls; empty where the API gives none.
        looked_up: What memory was asked.
        returned: The caller has come back with its results.
    """

    number: int | None
    session_id: str | None
    place: CallPlace
    ids: tuple[str, ...]
    looked_up: bytes
    at: float
    returned: bool = False


class HeldExchanges:
    """Exchanges that wait for the caller: a model asked for memory's tools and for the caller's own at once.

    The caller's calls go on to it alone. When it comes back with their results, memory's are put beside them, so
    that the model finds an answer to everything it asked for. Ids of calls are no names: servers count them anew
    in each chat, or give none. An exchange belongs to a turn by the user's turns before it and by all of its calls.
    Where two chats of a scope are alike in all of that, and memory was not asked the same, neither gets anything.
    Once the caller came back, another answer in the same session takes its place, or after an hour one of any chat.

    Safe to use from several threads.

    Args:
        now: Seconds of a clock that is never set back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._numbers = itertools.count()
        self._exchanges: Recent[ToolExchange] = Recent(_MOST_HELD)
        self._held: Recent[tuple[_Held, ...]] = Recent()
        self._lock = threading.Lock()

    def keep(
        self, turn: Turn, place: CallPlace, own: Sequence[ToolCall], exchange: ToolExchange | None
    ) -> None:
        """Keep an exchange until the results of the caller's calls come.

        Args:
            place: Of the model's turn.
            own: The caller's calls.
            exchange: None where memory was not called: what was held for a turn like this one is not this one's.
        """
        number = None if exchange is None else next(self._numbers)
        looked_up = b"" if exchange is None else _digest(b"", exchange.calls)
        ids = tuple(call.id for call in own)
        held = _Held(number, turn.session_id, place, ids, looked_up, self._now())
        with self._lock:
            if exchange is not None:
                self._exchanges.put(number, exchange)
            key = _key(turn.chat, place, _digest(place.called, own))
            alike = [one for one in self._held.get(key) or () if not _is_over(one, held)]
            self._held.put(key, (*alike, held)[-_MOST_ALIKE:])
            for call_id in filter(None, ids):
                self._held.put(_kept_key(turn.chat, turn.session_id, call_id), (held,))

    def woven(self, chat: Chat, turns: Sequence[CallingTurn], messages: Sequence[Message]) -> list[Message]:
        """The messages with what was kept, each exchange at the turn of the model that it belongs to.

        Args:
            turns: Of the messages (`calling_turns`).
        """
        woven_in: list[Message] = []
        done = 0
        for turn in turns:
            index, calls = turn.at, turn.calls
            woven_in += messages[done:index]
            done = index
            exchange = self._of(chat, turn) if calls else None
            if exchange is None:
                continue
            message = messages[index]
            ids = any(call.id for call in calls)
            theirs = cast("list[object]", message["tool_calls"])
            woven_in += [{**message, "tool_calls": [*exchange.asked(ids=ids), *theirs]}]
            woven_in += exchange.results(ids=ids)
            done = index + 1
        return woven_in

    def _of(self, chat: Chat, turn: CallingTurn) -> ToolExchange | None:
        ids = tuple(call.id for call in turn.calls)
        if not turn.place.questions and not any(call.name for call in turn.calls):
            # The server keeps the turn, and the client sends the results alone.
            key = _kept_key(chat, chat.session_id, ids[0])
            fitting = () if chat.session_id is None else self._held.get(key) or ()
        else:
            fitting = self._returned(_key(chat, turn.place, turn.called), turn.place, ids)
        if not fitting or len({one.looked_up for one in fitting}) > 1 or fitting[-1].number is None:
            return None
        return self._exchanges.get(fitting[-1].number)

    def _returned(self, key: Hashable, place: CallPlace, ids: tuple[str, ...]) -> tuple[_Held, ...]:
        """The answers that a client's turn may be; each is noted to have come back."""
        with self._lock:
            known = self._held.get(key) or ()
            fitting = tuple(one for one in known if one.place.fits(place) and _may_be(one.ids, ids))
            if fitting:
                self._held.put(
                    key, tuple(replace(one, returned=True) if one in fitting else one for one in known)
                )
            return fitting


def _is_over(one: _Held, now: _Held) -> bool:
    """True if an answer came to its results and has another in its place, or was long ago."""
    again = one.session_id == now.session_id and one.place == now.place and _may_be(one.ids, now.ids)
    return one.returned and (again or now.at - one.at > _ALIKE_S)


def calling_turns(conversation: Conversation, messages: Sequence[Message]) -> list[CallingTurn]:
    """Turns of a model's that call tools, in order; at last the place of the answer to come.

    Args:
        conversation: As it was read from the messages.
    """
    turns: list[CallingTurn] = []
    questions: list[bytes] = []
    called = b""
    for turn in conversation.spoken:
        if turn.by_user:
            text = turn.text.strip().encode("utf-8", "surrogatepass")
            questions = [*questions[1 - _MOST_ASKED :], hashlib.blake2b(text, digest_size=16).digest()]
            called = b""
        elif turn.by_assistant and (calls := _calls_of(messages[turn.index])):
            place = CallPlace(tuple(questions), called)
            called = _digest(called, calls)
            turns.append(CallingTurn(turn.index, place, calls, called))
    return [*turns, CallingTurn(len(messages), CallPlace(tuple(questions), called), (), called)]


def _key(chat: Chat, place: CallPlace, called: bytes) -> Hashable:
    return chat.scope, chat.session_id, place.questions[-1:], called


def _kept_key(chat: Chat, session_id: str | None, call_id: str) -> Hashable:
    return chat.scope, session_id, call_id


def _may_be(ids: tuple[str, ...], seen: tuple[str, ...]) -> bool:
    """True if calls may have these ids; some clients leave them out."""
    return all(not one or not other or one == other for one, other in zip(ids, seen, strict=True))


def _digest(before: bytes, calls: Sequence[ToolCall]) -> bytes:
    called = [(call.name, _plain(call.arguments)) for call in calls]
    text = json.dumps(called).encode()
    return hashlib.blake2b(before + b"\0" + text, digest_size=16).digest()


def _plain(arguments: Mapping[str, Any] | str) -> str:
    """Arguments in one form, however a client writes them."""
    try:
        return canonical_json(
            json.loads(arguments or "{}") if isinstance(arguments, str) else dict(arguments)
        )
    except (ValueError, RecursionError, InvalidInput):
        return str(arguments).strip()


def _calls_of(message: Message) -> tuple[ToolCall, ...]:
    """Calls in a client's message; none if one of them cannot be read."""
    calls: object = message.get("tool_calls")
    if not isinstance(calls, list):
        return ()
    requests = [_read(call) for call in cast("list[object]", calls)]
    return tuple(call for call in requests if call) if all(requests) else ()


def _read(call: object) -> ToolCall | None:
    """A call as it stands in a client's message; None for what is none."""
    if not isinstance(call, Mapping):
        return None
    given = cast("Mapping[str, Any]", call)
    function: object = given.get("function")
    if not isinstance(function, Mapping):
        return None
    fields = cast("Mapping[str, Any]", function)
    name, arguments, id_ = fields.get("name"), fields.get("arguments"), given.get("id")
    if not isinstance(name, str) or not isinstance(arguments, str | Mapping | None):
        return None
    return ToolCall(
        name, cast("Mapping[str, Any] | str", arguments or ""), id_ if isinstance(id_, str) else ""
    )
