"""The process that remembers for a server of chats: `python -m simonides.agent.served`, told over its input."""

from __future__ import annotations

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from typing import Final

from simonides.agent.calls import (
    END,
    OPENED,
    HookCall,
    OpenRequest,
    Reply,
    Settled,
    UnknownTurn,
    sendable,
)
from simonides.agent.conversation import role_of
from simonides.agent.middleware import Answer, Chat, Message, Middleware, Turn, TurnOutcome
from simonides.agent.readers import ContextReaders, processes_for
from simonides.agent.workers import Deadline
from simonides.child import Channel, channel_to_starter
from simonides.errors import StoreReadOnly
from simonides.memory import Memory

_log: Final = logging.getLogger("simonides.proxy")
#: Hooks that are under way at once; each waits for the middleware's own threads no longer than its deadline.
_THREADS: Final = 64
#: Turns that wait for their answers; of clients that leave before the model is asked nobody hears again.
_MOST_TURNS: Final = 10_000
#: Turns whose order is kept, at most: all of them are looked through with each request.
_MOST_ORDERED: Final = 256
#: Longest wait for the hooks of what was asked before in the same chat.
_MOST_BEHIND_S: Final = 30.0


class ChatOrder:
    """Hooks under way, by chat: one that goes on with a chat comes behind those of what was asked in it before.

    A chat goes on where memory is late, so its next request may come while hooks of the one before are under way.
    Begun first, it would find a conversation that nobody knows yet, and record all of it a second time. Used by
    one thread.
    """

    def __init__(self) -> None:
        self._hooks: OrderedDict[int, list[Future[None]]] = OrderedDict()
        self._asked: dict[Hashable, set[int]] = {}

    def begin(
        self, number: int, messages: Sequence[Message], chat: Chat, done: Future[None]
    ) -> list[Future[None]]:
        """Note the first hook of a turn.

        Returns:
            The hooks that it comes behind.
        """
        for turn in [turn for turn, hooks in self._hooks.items() if _over(hooks)]:
            del self._hooks[turn]
        while len(self._hooks) >= _MOST_ORDERED:
            self._hooks.popitem(last=False)
        self._asked = {
            key: left for key, turns in self._asked.items() if (left := turns & self._hooks.keys())
        }
        before = {turn for key in _asked_in(messages[:-1], chat) for turn in self._asked.get(key, ())}
        for key in _asked_in(messages, chat)[-1:]:
            self._asked.setdefault(key, set()).add(number)
        self._hooks[number] = [done]
        return [hook for turn in sorted(before) for hook in self._hooks[turn]]

    def end(self, number: int, done: Future[None]) -> None:
        """Note the last hook of a turn."""
        if number in self._hooks:
            self._hooks[number].append(done)


def _over(hooks: Sequence[Future[None]]) -> bool:
    """True of a turn whose last hook has run: until it is called there is nothing to wait for, but there will be."""
    return len(hooks) > 1 and all(hook.done() for hook in hooks)


def _asked_in(messages: Sequence[Message], chat: Chat) -> list[Hashable]:
    """Keys of what a chat asked: its name, where it has one, else hashes of the user's messages, so no text is held."""
    if chat.session_id is not None:
        return [(chat.scope, chat.session_id)]
    return [
        (chat.scope, None, hash(str(message.get("content"))))
        for message in messages
        if role_of(message) in {"user", "human"}
    ]


class ServedMiddleware:
    """Runs the hooks that the other process calls."""

    def __init__(self, middleware: Middleware, channel: Channel) -> None:
        self._middleware = middleware
        self._channel = channel
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="simonides-hook")
        self._turns: OrderedDict[int, Future[Turn]] = OrderedDict()
        self._order = ChatOrder()
        self._leave_off = threading.Event()
        self._to_settle: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._hooks: dict[str, Callable[..., object]] = {
            "warm": middleware.warm,
            "before": self._before,
            "intercept": self._intercept,
            "after": self._after,
            "extract": self._extract,
            "settle": middleware.settle,
        }

    def serve(self) -> None:
        """Run hooks until the other process says that no more come, or ends; then finish what was begun."""
        settling = threading.Thread(target=self._tell_settled, name="simonides-settled")
        settling.start()
        for call in self._channel.messages():
            if call.name == "leave off":
                self._leave_off.set()
                self._say(Reply(call.number))
                continue
            behind: list[Future[None]] = []
            done = Future[None]()
            if call.name == "before":
                number, messages, chat, _ = call.arguments
                behind = self._order.begin(number, messages, chat, done)
                self._turns[number] = Future()
                while len(self._turns) > _MOST_TURNS:
                    self._turns.popitem(last=False)
            elif call.name == "after":
                self._order.end(call.arguments[0], done)
            self._threads.submit(self._run, call, behind, done)
        self._leave_off.set()
        self._threads.shutdown()
        self._to_settle.put(None)
        settling.join()
        self._middleware.close()
        self._say(Reply(END, self._middleware.failures))

    def _run(self, call: HookCall, behind: Sequence[Future[None]], done: Future[None]) -> None:
        wait(behind, _MOST_BEHIND_S)
        try:
            reply = Reply(call.number, self._hooks[call.name](*call.arguments))
        except Exception as error:  # noqa: BLE001 - it is raised where it is waited for
            reply = Reply(call.number, error=sendable(error))
        finally:
            done.set_result(None)
        self._say(reply)
        if call.name in {"before", "after"} and not isinstance(reply.error, UnknownTurn):
            self._to_settle.put(call.number)

    def _say(self, message: object) -> None:
        with suppress(OSError):  # The other process has ended; what it began is recorded all the same.
            self._channel.send(message)

    def _tell_settled(self) -> None:
        """Tell which calls are recorded, several at once where they come faster than that."""
        while (number := self._to_settle.get()) is not None:
            numbers = [number]
            while not self._to_settle.empty():
                if (more := self._to_settle.get()) is None:
                    self._to_settle.put(None)
                    break
                numbers.append(more)
            self._middleware.settle()
            self._say(Settled(tuple(numbers)))

    def _before(self, number: int, messages: tuple[Message, ...], chat: Chat, within: Deadline) -> Turn:
        begun = self._turns.get(number, Future())
        try:
            turn = self._middleware.before_model(messages, chat, within=within)
        except Exception as error:
            begun.set_exception(error)
            raise
        begun.set_result(turn)
        return _sendable_turn(turn)

    def _intercept(self, number: int, answer: Answer, in_words: bool) -> Turn | None:
        again = self._middleware.intercept(self._turns[number].result(), answer, in_words=in_words)
        if again is None:
            return None
        self._turns[number] = begun = Future[Turn]()
        begun.set_result(again)
        return _sendable_turn(again)

    def _after(self, number: int, answer: Answer, within: Deadline, heard: bool) -> TurnOutcome:
        begun = self._turns.get(number)
        if begun is None:
            raise UnknownTurn
        wait([begun])  # Only then it goes: the hook that makes it may still have to begin.
        self._turns.pop(number, None)
        turn = begun.result()
        if not heard:  # What came too late was not put into the prompt.
            turn = replace(turn, items=(), injection_id=None)
        return self._middleware.after_model(turn, answer, within=within)

    def _extract(self) -> None:
        self._leave_off.clear()
        self._middleware.extract_due(self._leave_off.is_set)


def _sendable_turn(turn: Turn) -> Turn:
    """A turn as the other process needs it."""
    return replace(turn, items=(), profile=(), state=None)


def main() -> None:
    """Serve the process that started this one, until its end."""
    channel = channel_to_starter()
    opening: OpenRequest = channel.receive()
    if opening.level <= logging.DEBUG:
        logging.basicConfig(level=opening.level, format="%(relativeCreated)6.0f ms  %(name)s: %(message)s")
    try:
        memory = _opened(opening)
    except Exception as error:  # noqa: BLE001 - it is raised in the other process
        channel.send(Reply(OPENED, error=sendable(error)))
        return
    with memory, suppress(BrokenPipeError):  # The other process has ended.
        channel.send(Reply(OPENED, str(memory.path)))
        readers = ContextReaders(memory, replace(opening, address=memory.path or ""), processes_for(memory))
        ServedMiddleware(Middleware(memory, readers=readers), channel).serve()


def _opened(opening: OpenRequest) -> Memory:
    try:
        return Memory(opening.address)
    except OSError as error:
        raise StoreReadOnly(f"{opening.address} cannot be used: {error.strerror or error}") from error


if __name__ == "__main__":
    main()
