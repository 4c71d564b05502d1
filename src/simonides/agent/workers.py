"""Work for a chat that is waited for only so long: in threads, and in order where one thing follows another."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final, Generic, TypeVar

from simonides.errors import SimonidesError
from simonides.memory import Memory

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: Work that waits for a thread. Behind a store that hangs, more would only fill the computer's memory.
_MOST_WAITING: Final = 1000


#: Threads of what works in this process. More would share one interpreter: each would come later, and so would
#: whoever only passes bytes on. While one waits for the disk, the other works.
_LOCAL: Final = 2
#: Threads of what waits for a server most of its time.
_REMOTE: Final = 4


def threads_for(memory: Memory) -> int:
    """Number of threads that read from a memory, and that write to it."""
    return _LOCAL if memory.local else _REMOTE


class TooMuchWaiting(Exception):
    """So much is waiting already that this was not begun."""


class _Closed(SimonidesError):
    """The middleware was closed; nothing more is begun."""

    def __init__(self) -> None:
        super().__init__("the middleware was closed")


class Deadline:
    """An instant until which several things together are waited for.

    Args:
        ms: From now on; 0 where too much waits already for anything more to be begun.
    """

    def __init__(self, ms: float) -> None:
        self.begins = ms > 0
        self._ends = time.monotonic() + ms / 1000

    @property
    def left_s(self) -> float:
        """Seconds until then; 0 afterwards."""
        return max(0.0, self._ends - time.monotonic())


class BackgroundTask(Generic[T]):
    """One piece of work. It is either waited for to its end or given up; never half of each.

    What must happen only if somebody gets the result asks `wanted` right before; from then on the result is
    waited for, however late it is.
    """

    def __init__(self) -> None:
        self.done: Future[T] = Future()
        self._lock = threading.Lock()
        self._claimed = False
        self._given_up = False

    @property
    def given_up(self) -> bool:
        """True once nobody waits for the result."""
        return self._given_up

    def wanted(self) -> bool:
        """True if the result will be taken; then it will be waited for now. Called in the work."""
        with self._lock:
            self._claimed = not self._given_up
            return self._claimed

    def result(self, deadline: Deadline) -> T:
        """Return the work's result, or raise what it raised.

        Raises:
            TimeoutError: Nothing did in time. The work goes on, and `wanted` says no from now on.
        """
        if not self.done.done() and not wait([self.done], deadline.left_s).done:
            with self._lock:
                self._given_up = not self._claimed
            if self._given_up:
                raise TimeoutError
        return self.done.result()


class Workers:
    """Runs tasks in a few threads. Safe to use from several threads.

    Args:
        drops: Whether what was given up before it began is not begun: the time belongs to those who still wait.
        behind: Others whose work goes first where this can wait for a while.

    Attributes:
        failed: How many have failed so far.
    """

    def __init__(
        self, name: str, threads: int, *, drops: bool = False, behind: Workers | None = None
    ) -> None:
        self.failed = 0
        self._drops = drops
        self._behind = behind
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=f"simonides-{name}")
        #: Of what stays behind, so that nothing else waits with it.
        self._patient = ThreadPoolExecutor(threads, thread_name_prefix=f"simonides-{name}-behind")
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._waiting = 0
        self._closed = False
        self._last: dict[Hashable, Future[Any]] = {}

    def run(
        self,
        work: Callable[[BackgroundTask[T]], T],
        after: Hashable = None,
        *,
        patience: Deadline | None = None,
    ) -> BackgroundTask[T]:
        """Begin some work, which is handed its task.

        Args:
            after: Names a line: what has the same is done one after the other, in the order of these calls.
            patience: Until when it stays behind the others whose work goes first; None to begin at once.

        Raises:
            TooMuchWaiting: Nothing was begun.
            SimonidesError: Nor was anything here, since these are closed.
        """
        task: BackgroundTask[T] = BackgroundTask()
        with self._lock:
            if self._waiting >= _MOST_WAITING:
                raise TooMuchWaiting
            before = None if after is None else self._last.get(after)
            if self._closed:
                raise _Closed
            if before is None:
                self._submit(work, task, patience)
            self._waiting += 1
            if after is not None:
                self._last[after] = task.done
        task.done.add_done_callback(lambda done: self._over(after, done))
        if before is not None:
            # No thread waits for its turn: a long line would keep all of them from the others.
            before.add_done_callback(lambda _: self._next(work, task, patience))
        return task

    def rest(self, until: Deadline) -> None:
        """Wait for a moment in which nothing is under way here and nothing waits."""
        with self._idle:
            self._idle.wait_for(lambda: not self._waiting, until.left_s)

    def settle(self) -> None:
        """Wait until all that was begun in a line is done."""
        with self._lock:
            under_way = list(self._last.values())
        wait(under_way)

    def close(self) -> None:
        """Wait until everything that was begun is done, and begin nothing more."""
        with self._lock:
            self._closed = True
        self.settle()
        self._threads.shutdown(wait=True)
        self._patient.shutdown(wait=True)

    def _next(
        self, work: Callable[[BackgroundTask[T]], T], task: BackgroundTask[T], patience: Deadline | None
    ) -> None:
        """Do what is next in a line."""
        try:
            self._submit(work, task, patience)
        except RuntimeError:  # The interpreter ends; the thread that was before is still there.
            self._do(work, task)

    def _submit(
        self, work: Callable[[BackgroundTask[T]], T], task: BackgroundTask[T], patience: Deadline | None
    ) -> None:
        behind = self._behind
        if behind is None or patience is None:
            self._threads.submit(self._do, work, task)
            return

        def later() -> None:
            behind.rest(patience)
            self._do(work, task)

        self._patient.submit(later)

    def _do(self, work: Callable[[BackgroundTask[T]], T], task: BackgroundTask[T]) -> None:
        try:
            if self._drops and task.given_up:
                raise TimeoutError  # noqa: TRY301 - as if it had come too late
            task.done.set_result(work(task))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            with self._lock:
                self.failed += 1
            if task.given_up and not self._drops:
                _log.error("what nobody waited for any more failed: %s", error or type(error).__name__)
            task.done.set_exception(error)

    def _over(self, after: Hashable, done: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1
            if not self._waiting:
                self._idle.notify_all()
            if after is not None and self._last.get(after) is done:
                del self._last[after]


def tried(work: Callable[[], T], otherwise: str, degradations: list[str]) -> T | None:
    """Do some work and return its result; where it fails, None, and a line among the degradations."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the chat's outermost edge
        degradations.append(in_words(error, otherwise))
        return None


def in_words(error: Exception, consequence: str) -> str:
    """A failure in words, for whoever reads degradations; what nobody expected goes to the log whole."""
    match error:
        case TimeoutError():
            return f"memory was late: {consequence}"
        case TooMuchWaiting():
            return f"memory is too far behind: {consequence}"
        case SimonidesError():
            return f"memory failed: {consequence} ({error})"
        case _:
            _log.error("a hook of the middleware failed", exc_info=error)
            return f"memory failed: {consequence} ({type(error).__name__})"
