"""Contexts for chats that come at once: read in this process, and beside it in others.

Threads of one interpreter take turns: what many chats wait for would come as late as if one thread did it all.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from simonides import ContextResult, Surroundings
from simonides.agent.calls import OpenRequest, WantedRequest
from simonides.child import Child, processors
from simonides.config import BUNDLED
from simonides.domain.scope import Scopes
from simonides.errors import SimonidesError
from simonides.memory import Memory
from simonides.values import dataclass

_log: Final = logging.getLogger("simonides.proxy")
#: Processes beside this one: of more that are waited for at once, most wait for the disk or the model.
_MOST: Final = 3
#: Each holds the vectors, too: beside a larger store there is none.
_MOST_BYTES: Final = 1 << 30
_LONGEST_S: Final = 30.0
_ENDING_S: Final = 5.0
#: One that ended before is not started again.
_LEAST_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class ChatContextRequest:
    """A context that a chat is given unasked; the attributes are arguments of `Memory.context` and `Surroundings`."""

    question: str
    scope: str | Scopes
    mode: str
    agenda: bool | None
    asked_in: str | None
    told: frozenset[str]
    sure: bool
    said_before: str = ""

    def answered(self, memory: Memory, wanted: Callable[[], bool]) -> ContextResult:
        """Read the context from a memory; `wanted` as of `Surroundings`."""
        return memory.context(
            self.question,
            scope=self.scope,
            mode=self.mode,
            agenda=self.agenda,
            asked_in=self.asked_in,
            around=Surroundings(told=self.told, sure=self.sure, said_before=self.said_before, wanted=wanted),
        )


class ContextReaders:
    """Reads contexts: the first here, what is asked for meanwhile in processes beside.

    Safe to use from several threads. Where one of these ends, what it was asked for is read here, and another takes
    its place.

    Args:
        opening: How each opens the store; None to read everything here.
        processes: How many there are, once they are started.
        longest_s: One that has not answered for so long hangs, and is ended.
    """

    def __init__(
        self,
        memory: Memory,
        opening: OpenRequest | None = None,
        processes: int = 0,
        *,
        longest_s: float = _LONGEST_S,
    ) -> None:
        self._memory = memory
        self._longest_s = longest_s
        self._opening = opening
        self._processes = processes if opening is not None else 0
        self._lock = threading.Lock()
        self._here = 0
        self._free: list[_ReaderProcess] = []
        self._all: list[_ReaderProcess] = []
        self._starting: dict[threading.Thread, _ReaderProcess | None] = {}
        self._closed = False

    @property
    def at_once(self) -> int:
        """Number of contexts that are read without waiting for each other."""
        return 1 + self._processes

    @property
    def pids(self) -> list[int]:
        """The numbers that the system gives the processes that have been started."""
        with self._lock:
            return [one.pid for one in self._all]

    def start(self) -> None:
        """Start the processes in the background; until they are there, everything is read here."""
        with self._lock:
            for _ in range(self._processes - len(self._all) - len(self._starting)):
                self._begin()

    def read(self, request: ChatContextRequest, wanted: Callable[[], bool]) -> ContextResult:
        """Read a context; `wanted` as of `Surroundings`, asked here."""
        if (one := self._taken()) is not None:
            try:
                return one.ask(request, wanted)
            except _Ended:
                self._replace(one)
                with self._lock:
                    self._here += 1
            finally:
                self._give_back(one)
        try:
            return request.answered(self._memory, wanted)
        finally:
            with self._lock:
                self._here -= 1

    def close(self) -> None:
        """End the processes, which write down what they have noted."""
        with self._lock:
            self._closed = True
            starting = dict(self._starting)
        for thread, one in starting.items():
            if one is not None:
                one.kill()  # It was asked nothing yet, and loading takes it a while.
            thread.join()
        for one in self._all:
            one.channel.close()
        for one in self._all:
            one.wait(_ENDING_S)

    def _taken(self) -> _ReaderProcess | None:
        """A process that is free; None where nothing is read here, or none is free: then it is to be read here."""
        with self._lock:
            if self._here and self._free:
                return self._free.pop()
            self._here += 1
            return None

    def _give_back(self, one: _ReaderProcess) -> None:
        with self._lock:
            if one in self._all:
                self._free.append(one)

    def _replace(self, ended: _ReaderProcess) -> None:
        """Let another take the place of a process that ended, unless that had hardly begun."""
        _log.error("a process that reads for chats ended; what it read is read by the one that records")
        with self._lock:
            self._all.remove(ended)
            if time.monotonic() - ended.began >= _LEAST_S and not self._closed:
                self._begin()
        ended.wait(_ENDING_S)

    def _begin(self) -> None:
        thread = threading.Thread(target=self._start_one, name="simonides-reader", daemon=True)
        self._starting[thread] = None
        thread.start()

    def _start_one(self) -> None:
        assert self._opening is not None
        one, opened = None, False
        try:
            one = _ReaderProcess(self._longest_s)
            with self._lock:
                self._starting[threading.current_thread()] = one
                if self._closed:
                    one.kill()
            one.open(self._opening)
            opened = True
        except (OSError, SimonidesError, _Ended) as error:
            if not self._closed:
                _log.warning("no process reads beside this one: %s", error)
        with self._lock:
            del self._starting[threading.current_thread()]
            if one is not None and opened:
                self._all.append(one)
                self._free.append(one)


class _Ended(Exception):
    """A process is no more."""


class _ReaderProcess(Child):
    """A process that reads contexts, one at a time, once it is open.

    Raises:
        OSError: The system starts none.
    """

    def __init__(self, longest_s: float) -> None:
        super().__init__("simonides.agent.read_aside")
        self._longest_s = longest_s

    def open(self, opening: OpenRequest) -> None:
        """Have it open the store, and load.

        Raises:
            _Ended: It ended at once.
            SimonidesError: It could not open the store.
        """
        try:
            self._exchanged(opening, _never)
        except BaseException:
            self.channel.close()
            self.wait(_ENDING_S)
            raise

    def ask(self, request: ChatContextRequest, wanted: Callable[[], bool]) -> ContextResult:
        """The context.

        Raises:
            _Ended: It has ended.
            Exception: What reading it raised.
        """
        late = threading.Timer(self._longest_s, self.kill)
        late.daemon = True
        late.start()
        try:
            return self._exchanged(request, wanted)
        finally:
            late.cancel()

    def _exchanged(self, message: object, wanted: Callable[[], bool]) -> Any:
        try:
            self.channel.send(message)
            while isinstance(heard := self.channel.receive(), WantedRequest):
                self.channel.send(wanted())
        except (EOFError, OSError, ValueError) as error:  # The pipe is broken, or closed.
            raise _Ended from error
        if heard.error is not None:
            raise heard.error
        return heard.value


def _never() -> bool:
    return False


def processes_for(memory: Memory) -> int:
    """Number of processes worth having beside the one that records: as many as there are further processors.

    None where each would load a model of its own, or hold the vectors of a large store.
    """
    settings = memory.settings
    near = memory.local and settings.embedder.provider == BUNDLED
    if not near or memory.path is None or memory.path.stat().st_size > _MOST_BYTES or not sys.executable:
        return 0
    return min(_MOST, processors() - 1)
