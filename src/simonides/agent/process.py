"""A middleware in a process of its own: what memory reckons never keeps another from passing bytes on.

Threads of one interpreter take turns, also where one of them only waits for the network. Two processes share no more
than the computer.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from simonides.agent.calls import END, HookCall, OpenRequest, Reply, Settled, UnknownTurn
from simonides.agent.proposals import parse
from simonides.agent.tool_loop import is_memorys, offered
from simonides.agent.turn import Answer, Chat, Message, Turn, TurnOutcome
from simonides.agent.workers import Deadline, TooMuchWaiting, in_words
from simonides.child import Child
from simonides.config import MiddlewareSettings, Mode
from simonides.domain.closing import Closing
from simonides.errors import SimonidesError
from simonides.values import dataclass

_log: Final = logging.getLogger("simonides.proxy")
#: How long after a deadline an answer of the other process is still waited for: it keeps deadlines by itself.
_GRACE_S: Final = 0.2
#: Longest wait for tools that a model calls; the other process answers in less, or says that it is late.
_TOOLS_S: Final = 30.0
_MOST_WAITING: Final = 1000
#: Words of this many hooks are kept until they are recorded, to be said again where the process ends before.
_MOST_KEPT: Final = 10_000
#: Between two starts of a process that does not last.
_AGAIN_S: Final = 1.0
_LOOK_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Begun:
    """Number of a turn in the other process, and what the client sent."""

    number: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that were handed over and are not known to be recorded."""

    messages: tuple[Message, ...]
    chat: Chat


class _Ended(SimonidesError):
    """The process ended; it is started again."""

    def __init__(self) -> None:
        super().__init__("its process ended and is started again")


class MiddlewareProcess(Closing):
    """The hooks of `Middleware` that a server of chats needs, run by a middleware in a process of its own.

    Safe to use from several threads. No hook raises, and none waits much longer than its deadline, whatever becomes of
    the process: it is started again where it ends, and is told again what it had not recorded.

    Args:
        address: The store, which the process opens with the settings of this one's folder and environment.
        settings: Those of the middleware there.

    Attributes:
        path: The store's file.

    Raises:
        StoreError: The store cannot be used; as of `Memory`, like its other errors.
    """

    def __init__(self, address: Path | str, settings: MiddlewareSettings) -> None:
        self.settings = settings
        self._opening = OpenRequest(address, logging.getLogger().level)
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}
        self._kept: dict[int, _Words] = {}
        self._lost = 0
        self._closing = threading.Event()
        self._child = _MiddlewareChild(self._opening)
        self.path = self._child.path
        self._reader = threading.Thread(target=self._listen, name="simonides-memory")
        self._reader.start()

    def tools(self, chat: Chat | None = None) -> list[dict[str, Any]]:
        """Memory's tools, as of `Middleware.tools`."""
        return offered(chat or Chat())

    def warm(self) -> None:
        """Load, in the background, what the first question of the process has to wait for."""
        self._tell("warm")

    def before_model(self, messages: Sequence[Message], chat: Chat, *, within: Deadline) -> Turn:
        """Give a request memory, as of `Middleware.before_model`. The items behind its texts stay in the process."""
        given = tuple(messages)
        mode = Mode(chat.mode or self.settings.mode)
        turn = Turn(chat=chat, mode=mode, messages=given, session_id=chat.session_id)
        if mode is Mode.OFF or not given:
            return turn
        number = next(self._numbers)
        turn = replace(turn, state=_Begun(number, given))
        try:
            reply = self._tell("before", number, given, chat, within, words=_Words(given, chat))
            begun_turn: Turn = _result(reply, within.left_s + _GRACE_S)
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge: it goes on without memory
            return replace(turn, degradations=(in_words(error, "memory was not asked"),))
        return replace(begun_turn, state=turn.state)

    def intercept(self, turn: Turn, answer: Answer, *, in_words: bool = True) -> Turn | None:
        """Run what a model asks of memory, as of `Middleware.intercept`."""
        begun = turn.state
        if not isinstance(begun, _Begun) or not (
            in_words or any(is_memorys(call, turn.chat) for call in answer.tool_calls)
        ):
            return None
        try:
            again: Turn | None = _result(self._tell("intercept", begun.number, answer, in_words), _TOOLS_S)
        except Exception:  # noqa: BLE001 - the answer stands, and `after_model` tells
            return None
        return None if again is None else replace(again, state=begun)

    def after_model(self, turn: Turn, answer: Answer, *, within: Deadline | None = None) -> TurnOutcome:
        """Record an answer and judge its proposals, as of `Middleware.after_model`."""
        begun = turn.state
        outcome = TurnOutcome(text=answer.text, tool_calls=answer.tool_calls, degradations=turn.degradations)
        if not isinstance(begun, _Begun):
            return outcome
        within = within or Deadline(self.settings.deadline_ms)
        words = _Words(_answered(begun.messages, answer), replace(turn.chat, session_id=turn.session_id))
        try:
            heard = turn.injection_id is not None
            reply = self._tell("after", begun.number, answer, within, heard, words=words)
            done: TurnOutcome = _result(reply, within.left_s + _GRACE_S)
        except UnknownTurn:
            late = in_words(_Ended(), "the answer is not stored yet")
            return replace(outcome, degradations=(*outcome.degradations, late))
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge: the user gets the answer
            late = in_words(error, "the answer is not stored yet")
            return replace(outcome, degradations=(*outcome.degradations, late))
        return done

    def extract_due(self, unless: Callable[[], bool]) -> None:
        """Take what lasts out of conversations that have gone silent, as of `Middleware.extract_due`."""
        under_way = self._tell("extract")
        while not wait([under_way], _LOOK_S).done:
            if unless():
                self._tell("leave off")
                break
        under_way.result()

    def settle(self) -> None:
        """Wait until everything that was begun is stored, or has failed."""
        try:
            self._tell("settle").result()
        except _Ended:
            _log.info("memory's process ended while it was waited for")

    @property
    def failures(self) -> int:
        """Number of times that something to be kept could not be; known once it is closed."""
        return self._lost

    @property
    def unrecorded(self) -> int:
        """Number of hooks whose words are not known to be recorded."""
        return len(self._kept)

    @property
    def pid(self) -> int:
        """The number that the system gives the process."""
        return self._child.pid

    def close(self) -> None:
        """Finish what is under way; the process ends, and closes its store."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._child.finish()
        self._reader.join()
        self._child.wait()
        self._lost += self._child.failures + len(self._kept)

    def _tell(self, name: str, *arguments: object, words: _Words | None = None) -> Future[Any]:
        """Send a call. Its words are kept until they are recorded, also where nothing could be sent.

        Raises:
            TooMuchWaiting: Nothing was sent.
        """
        number = next(self._numbers)
        done: Future[Any] = Future()
        with self._lock:
            if words is not None and len(self._kept) < _MOST_KEPT:
                self._kept[number] = words
            elif words is not None:
                self._lost += 1
            if len(self._waiting) >= _MOST_WAITING:
                raise TooMuchWaiting
            if self._child.over:
                done.set_exception(_Ended())
                return done
            self._waiting[number] = done
            self._child.send(HookCall(number, name, arguments))
        return done

    def _listen(self) -> None:
        """Hand on what the process says; start it again where it ends before its time."""
        while True:
            for message in self._child.replies():
                self._hear(message)
            with self._lock:
                self._child.over = True
                waiting, self._waiting = self._waiting, {}
            for done in waiting.values():
                done.set_exception(_Ended())
            if self._closing.is_set():
                return
            _log.error("memory's process ended with %s; it is started again", self._child.wait())
            while not self._started():
                if self._closing.wait(_AGAIN_S):
                    return

    def _hear(self, message: Reply | Settled) -> None:
        with self._lock:
            if isinstance(message, Settled):
                for number in message.numbers:
                    self._kept.pop(number, None)
                return
            done = self._waiting.pop(message.number, None)
            words = self._kept.pop(message.number, None) if isinstance(message.error, UnknownTurn) else None
        if words is not None:
            self._say_again(words)
        if done is not None and message.error is not None:
            done.set_exception(message.error)
        elif done is not None:
            done.set_result(message.value)

    def _started(self) -> bool:
        """Start the process anew and tell it what the one before had not recorded; whether it could be."""
        if self._closing.wait(max(0.0, self._child.began + _AGAIN_S - time.monotonic())):
            return False
        try:
            child = _MiddlewareChild(self._opening)
        except SimonidesError as error:
            _log.error("memory cannot be opened again: %s", error)
            return False
        with self._lock:
            self._child = child
            kept, self._kept = self._kept, {}
        for words in kept.values():
            self._say_again(words)
        return True

    def _say_again(self, words: _Words) -> None:
        """Have words recorded, if they are not: history that is sent again is recorded once."""
        with suppress(TooMuchWaiting):
            self._tell("before", next(self._numbers), words.messages, words.chat, Deadline(0), words=words)


class _MiddlewareChild(Child):
    """One process, from its start to its end.

    Attributes:
        path: The store's file.
        over: Whether it has ended.
        failures: What it could not keep, once it has come to its end.
    """

    def __init__(self, opening: OpenRequest) -> None:
        super().__init__("simonides.agent.served")
        self.over = False
        self.failures = 0
        self._sent: queue.SimpleQueue[HookCall | None] = queue.SimpleQueue()
        try:
            self.channel.send(opening)
            first = next(self.channel.messages(), None)
        except BaseException:  # Interrupted: the process ends once it finds that nobody waits for it.
            self.channel.close()
            self.wait()
            raise
        if not isinstance(first, Reply) or first.error is not None:
            status = self.wait()
            raise (first and first.error) or SimonidesError(f"memory's process ended with {status}")
        self.path: str = first.value
        # A pipe that is full holds up nobody but this thread.
        self._writer = threading.Thread(target=self._write, name="simonides-memory-calls", daemon=True)
        self._writer.start()

    def send(self, call: HookCall) -> None:
        self._sent.put(call)

    def finish(self) -> None:
        """Say that nothing more comes."""
        self._sent.put(None)

    def replies(self) -> Any:
        """Everything that the process says, until it ends."""
        for message in self.channel.messages():
            if isinstance(message, Reply) and message.number == END:
                self.failures = message.value
            else:
                yield message
        self.finish()

    def _write(self) -> None:
        try:
            while (call := self._sent.get()) is not None:
                self.channel.send(call)
        except (OSError, ValueError):  # It has ended, as its reader sees, too.
            pass
        self.channel.close()


def _answered(messages: tuple[Message, ...], answer: Answer) -> tuple[Message, ...]:
    visible = parse(answer.text).visible if answer.complete else ""
    return (*messages, {"role": "assistant", "content": visible}) if visible.strip() else messages


def _result(reply: Future[Any], timeout_s: float) -> Any:
    if not wait([reply], timeout_s).done:
        raise TimeoutError
    return reply.result()
