"""Long operations: carried out behind their requests, and told of by whichever process is asked."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from anyio import to_thread
from pydantic_core import to_json

from simonides import NotFound, SimonidesError, StoreError
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.holders import SEEN_S, has_ended, this_process
from simonides.edges.server.problems import HttpProblem, busy
from simonides.edges.server.state import OperationState, RequestName, ServerState
from simonides.errors import Busy, ProviderUnavailable
from simonides.values import dataclass

_log: Final = logging.getLogger("simonides.server")
#: At once in one process; any more are told to come again.
_MOST: Final = 8
#: How often an operation's progress is noted, and told in a stream.
_NOTED_S: Final = 0.5
_AGAIN_S: Final = 1.0
_STREAM_S: Final = 15.0
_INTERRUPTED: Final = HttpProblem(
    503,
    "interrupted",
    "the server ended in the midst of it; what was done is kept, ask for it again to go on",
)
#: Errors whose words are of the store's file and of servers alone.
_QUOTING_NOTHING: Final = (StoreError, ProviderUnavailable, Busy)
#: What is kept of the others beside their code: they may quote a text or a name that is purged later, by any process.
_UNTOLD: Final = (
    "why is not kept, since it may quote a memory; send it again without `Prefer: respond-async` to be told"
)


class LeftOff(SimonidesError):
    """It was asked to leave off, and did after the step that was under way."""

    code = "cancelled"


#: Called with (what is done, how much of it, of how much).
ProgressNote = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class LongWork:
    """Something to be done behind its request.

    Attributes:
        name: Of its operation.
        does: Does it, and says how far it is.
        summary: What is told of its answer later: no text of a memory.
        frees: It makes room on a full disk.
    """

    name: str
    caller: ServerCaller
    does: Callable[[ProgressNote], Any]
    summary: Callable[[Any], Any]
    frees: bool = False


class LongOperations:
    """Operations that this process carries out, and the state of all."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        self._over = threading.Event()
        self._seer: threading.Thread | None = None
        self.holder = this_process()

    def start(self, work: LongWork, request: RequestName | None = None) -> tuple[OperationState, bool]:
        """Begin, in a thread of its own.

        Args:
            request: Name of the request: the operation that it began when it was sent before is not begun again.

        Returns:
            The operation, and whether it began now.

        Raises:
            HttpProblem: 503: as many as may go on already.
            Conflict: Another request has this name.
        """
        if work.frees:
            self._state.make_room()
        if request is not None and (begun := self._state.begun_by(request)) is not None:
            return self.find(begun), False
        with self._lock:
            if len(self._threads) >= _MOST or self._over.is_set():
                raise HttpProblem(
                    503, "busy", "too many long operations go on; start it again later", busy(10)
                )
            scope = "*" if work.caller.everywhere else str(work.caller.scope)
            operation_id, is_new = self._state.started(
                work.name, scope, work.caller.actor, self.holder, request, work.caller.tenant
            )
            if not is_new:
                return self.find(operation_id), False
            thread = threading.Thread(
                target=self._carry_out, args=(operation_id, work), name=f"simonides-{work.name}"
            )
            self._threads[operation_id] = thread
        thread.start()
        return self.find(operation_id), True

    def watch(self) -> None:
        """Say until the end that this process goes on with what it holds, requests that name themselves included."""
        with self._lock:
            if self._seer is None and not self._over.is_set():
                self._seer = threading.Thread(target=self._keep_seen, name="simonides-seen", daemon=True)
                self._seer.start()

    def find(self, operation_id: str) -> OperationState:
        """An operation as it stands.

        Raises:
            NotFound: There is none.
        """
        state = self._state.operations(operation_id)
        if not state:
            raise NotFound(f"there is no operation {operation_id[:80]!r}; they are told of for a week")
        return self._honest(state[0])

    def list(self) -> list[OperationState]:
        """Operations, last started first."""
        return [self._honest(one) for one in self._state.operations()]

    def cancel(self, operation_id: str) -> OperationState:
        """Ask an operation to leave off; it does after the step that is under way.

        Raises:
            NotFound: There is none.
            HttpProblem: 409: it has ended.
        """
        state = self.find(operation_id)
        if state.status != "running":
            raise HttpProblem(409, "ended", f"it has ended ({state.status}) and cannot be cancelled")
        self._state.cancel(operation_id)
        return self.find(operation_id)

    async def events(self, operation_id: str, stopping: Callable[[], bool]) -> AsyncGenerator[bytes]:
        """Events of an operation until its end, or that of this server: its state whenever that changes."""
        before, told_at = None, time.monotonic()
        while True:
            state = await to_thread.run_sync(self.find, operation_id)
            fields = state.to_dict()
            is_over = state.status != "running"
            if fields != before:
                yield b"event: %s\ndata: %s\n\n" % (b"end" if is_over else b"progress", to_json(fields))
                before, told_at = fields, time.monotonic()
            if is_over or stopping():
                return
            if time.monotonic() - told_at > _STREAM_S:
                yield b": still going on\n\n"
                told_at = time.monotonic()
            await asyncio.sleep(_NOTED_S)

    def stop(self) -> None:
        """Have everything leave off, and wait until it has."""
        self._over.set()
        with self._lock:
            threads = list(self._threads.values())
        for thread in threads:
            thread.join()
        if self._seer is not None:
            self._seer.join()

    def _carry_out(self, operation_id: str, work: LongWork) -> None:
        course = _Course(self._state, operation_id, self._over)
        answer, problem = None, None
        try:
            answer, status = work.summary(work.does(course.note_progress)), "done"
        except LeftOff:
            status = "cancelled"
        except Exception as error:  # noqa: BLE001 - the outermost edge of what nobody waits for
            status, problem = "failed", HttpProblem.of(error).body()
            if problem["code"] == "internal":
                _log.exception("%s failed", work.name)
            elif not isinstance(error, _QUOTING_NOTHING):
                problem = HttpProblem(problem["status"], problem["code"], _UNTOLD).body()
        if course.left_off:
            status, problem = course.left_off, None
        if status == "interrupted":
            problem = _INTERRUPTED.body()
        if work.frees:
            self._state.make_room()
        self._note_end(operation_id, status, answer, problem)
        with self._lock:
            del self._threads[operation_id]

    def _note_end(self, operation_id: str, status: str, answer: Any, problem: Any) -> None:
        """Note how an operation ended; while the file cannot be used it is running still, for all that is known."""
        while True:
            last = self._over.is_set()
            try:
                self._state.ended(operation_id, status, answer, problem)
            except StoreError:
                if last:  # The next process finds that this one has ended.
                    _log.exception("how %s ended could not be noted", operation_id)
                    return
                self._over.wait(_AGAIN_S)
            else:
                return

    def _keep_seen(self) -> None:
        while not self._over.wait(SEEN_S):
            with suppress(StoreError):  # The file may be usable again by the next time.
                if self._threads:
                    self._state.seen(self.holder)
                self._state.keep_claims()

    def _honest(self, state: OperationState) -> OperationState:
        """The state of an operation; one whose process has ended is not running any more."""
        if state.status != "running" or not has_ended(state.holder, state.seen_at, self._state.now()):
            return state
        problem = _INTERRUPTED.body()
        with suppress(StoreError):  # On a full disk it is told all the same.
            self._state.ended(state.id, "interrupted", problem=problem)
            return self._state.operations(state.id)[0]
        return replace(state, status="interrupted", problem=to_json(problem).decode())


class _Course:
    """The way of one operation: notes how far it is, and has it leave off where it is asked to."""

    def __init__(self, state: ServerState, operation_id: str, over: threading.Event) -> None:
        self.left_off = ""
        self._state = state
        self._id = operation_id
        self._over = over
        self._noted_at = -_NOTED_S

    def note_progress(self, stage: str, done: int, total: int | None) -> None:
        """Note how far it is.

        Raises:
            LeftOff: It is to end here.
        """
        if self.left_off:
            raise LeftOff
        if time.monotonic() - self._noted_at < _NOTED_S and not self._over.is_set():
            return
        self._noted_at = time.monotonic()
        cancelled = False
        with suppress(StoreError):  # What cannot be noted now need not end what goes well.
            cancelled = self._state.going_on(self._id, stage, done, total)
        if cancelled:
            self.left_off = "cancelled"
        elif self._over.is_set():
            self.left_off = "interrupted"
        if self.left_off:
            raise LeftOff


def seen_by(caller: ServerCaller, state: OperationState) -> bool:
    """True if somebody may know of an operation: it works on their tenant's memory, in a scope of theirs."""
    if state.tenant != caller.tenant:
        return False
    return caller.unbound if state.scope == "*" else caller.holds(state.scope)


def require_seen(caller: ServerCaller, state: OperationState) -> OperationState:
    """The operation.

    Raises:
        NotFound: It is another scope's or tenant's.
    """
    if not seen_by(caller, state):
        raise NotFound(f"there is no operation {state.id!r}; they are told of for a week")
    return state
