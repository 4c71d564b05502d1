"""Several processes that serve one store on one address: started, watched, replaced where they end, and stopped."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Final

from simonides.edges.http.serve import GRACE_S, Server
from simonides.edges.server.team import Serving, Team
from simonides.ending import HANGUP, ending_signals
from simonides.errors import InvalidInput, SimonidesError
from simonides.values import dataclass

#: A worker that lasted less was not well from its beginning, and the next one waits so long.
_SHORT_S: Final = 5.0
_AGAIN_S: Final = 1.0
#: As many in a row: something is wrong that another start does not mend.
_MOST_SHORT: Final = 5
_LOOK_S: Final = 0.1
#: In two scripts, since each has a tokenizer of its own.
_LOADING: Final = ("Ana ships on Fridays.", "По пятницам Анна отправляет письма.")


#: Where a process may be split in two, what it has loaded is there once for all workers; elsewhere each loads its own.
_CONTEXT: Final = get_context("fork" if sys.platform == "linux" else "spawn")


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    """Order to a worker, at its beginning.

    Attributes:
        bound: The socket that connections are taken from.
        level: Which lines of its log are written.
        starter: Both ends of a pipe that whoever started it holds open; None where it inherits none. The system's own
            pipe to a worker is inherited by those that are forked later, and would end with the last of them.
    """

    serving: Serving
    team: Team
    bound: socket.socket
    level: int
    starter: tuple[int, int] | None


@dataclass(slots=True)
class _Started:
    process: BaseProcess
    began: float


class ServerWorkers:
    """Workers of one server.

    Args:
        remark: Called with what there is to say to whoever started them.

    Raises:
        InvalidInput: This system cannot share a socket among processes.
    """

    def __init__(
        self,
        count: int,
        serving: Serving,
        bound: socket.socket,
        remark: Callable[[str], None],
    ) -> None:
        if os.name != "posix":
            raise InvalidInput("on this system a server is one process; leave --workers out")
        self._count = count
        self._serving = serving
        self._bound = bound
        self._remark = remark
        self._secret = secrets.token_hex(16)
        self._told = threading.Event()
        self._again = False
        self._short = 0
        self._pipe: tuple[int, int] | None = None

    def keep(self) -> None:
        """Serve until told to stop, by SIGINT, SIGTERM or SIGHUP.

        Raises:
            SimonidesError: No worker lasts.
        """
        with ExitStack() as opened:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="simonides-")))
            opened.enter_context(self._signals())
            load()
            if _CONTEXT.get_start_method() == "fork":
                self._pipe = os.pipe()
                for end in self._pipe:
                    opened.callback(os.close, end)
            workers: dict[int, _Started] = {}
            try:
                while not self._told.is_set():
                    for number in range(self._count):
                        gone = number not in workers or not workers[number].process.is_alive()
                        if gone and not self._told.is_set():
                            self._replace(workers, folder, number)
                    self._told.wait(_LOOK_S)
            finally:
                self._stop(list(workers.values()))

    def _replace(self, workers: dict[int, _Started], folder: Path, number: int) -> None:
        """Start a worker where there is none, or one that ended; the next look tries again where that fails."""
        if number in workers:
            self._judge(number, workers[number])
            workers.pop(number).process.close()
        if self._told.is_set():
            return  # While it was waited for.
        try:
            workers[number] = self._start(folder, number)
        except OSError as error:
            self._remark(f"worker {number + 1} cannot be started ({error.strerror or error}); trying again")
            self._told.wait(_AGAIN_S)

    def _judge(self, number: int, ended: _Started) -> None:
        """Tell of a worker that ended.

        Raises:
            SimonidesError: One too many ended as soon as it began.
        """
        self._short = self._short + 1 if time.monotonic() - ended.began < _SHORT_S else 0
        if self._short >= _MOST_SHORT:
            raise SimonidesError(
                "workers end as soon as they begin, as said above; mend that and start again"
            )
        self._remark(
            f"worker {number + 1} ended ({_in_words(ended.process.exitcode or 0)}); it is started again"
        )
        if self._short:
            self._told.wait(_AGAIN_S)

    def _start(self, folder: Path, number: int) -> _Started:
        team = Team(folder, self._count, number, self._secret)
        level = logging.getLogger().level
        order = WorkerOrder(self._serving, team, self._bound, level, self._pipe)
        process = _CONTEXT.Process(target=work, args=(order,), name=f"simonides-worker-{number + 1}")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ending_signals())
        try:  # It hears no signal before it heeds it in its own way.
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return _Started(process, time.monotonic())

    def _stop(self, workers: list[_Started]) -> None:
        """Let the workers end; what is under way has its time, unless it is told a second time."""
        for worker in workers:
            worker.process.terminate()
        ends, self._again = time.monotonic() + GRACE_S + _SHORT_S, False
        while any(worker.process.is_alive() for worker in workers):
            if self._again:
                self._again = False
                for worker in workers:
                    worker.process.terminate()
            if time.monotonic() > ends:
                for worker in workers:
                    worker.process.kill()
            time.sleep(_LOOK_S / 2)
        for worker in workers:
            worker.process.close()

    @contextmanager
    def _signals(self) -> Generator[None]:
        def stop(number: int, frame: FrameType | None) -> None:
            del frame
            self._again = self._told.is_set() and number != HANGUP
            self._told.set()

        before = {number: signal.signal(number, stop) for number in ending_signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _in_words(status: int) -> str:
    return f"exit code {status}" if status >= 0 else signal.Signals(-status).name


def load() -> None:
    """Load what every worker needs, before there are any: what they only read is then in memory once for all.

    A store of its own is asked, so that what the first question loads is there as well.
    """
    if _CONTEXT.get_start_method() != "fork":
        return
    from simonides.config import Settings  # noqa: PLC0415 - whoever only watches workers needs none of this
    from simonides.edges.server.app import page_routes  # noqa: PLC0415
    from simonides.memory import Memory  # noqa: PLC0415

    page_routes()
    with (
        tempfile.TemporaryDirectory(prefix="simonides-") as folder,
        Memory(Path(folder) / "none.db", settings=Settings()) as memory,
    ):
        for text in _LOADING:
            memory.add(text)
            memory.search(text)
    gc.collect()
    gc.freeze()  # Nothing of this is garbage, and looking for some would make each worker a copy of its own.


def work(order: WorkerOrder) -> None:
    """Serve as a worker, until told to stop or the process that started it has ended."""
    if order.starter is not None:
        os.close(order.starter[1])
    os.setpgid(0, 0)  # Ctrl-C goes to the process that started this one, which tells it.
    heeded = ending_signals()
    for number in heeded:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, heeded)
    from simonides.edges.server.serving import serve  # noqa: PLC0415 - whoever only watches workers serves nothing
    from simonides.memory import Memory  # noqa: PLC0415 - as above

    if order.level <= logging.DEBUG:
        logging.basicConfig(level=order.level, format="%(relativeCreated)6.0f ms  %(name)s: %(message)s")
    try:
        with Memory(order.serving.store) as memory, order.bound as bound:
            serve(
                order.serving, memory, bound, remark=_remark, team=order.team, begun=partial(_watched, order)
            )
    except SimonidesError as error:
        _remark(str(error))
        sys.exit(1)
    starter = parent_process()
    if starter is not None and os.getppid() != starter.pid:  # It was killed: the last worker clears away.
        with suppress(OSError):
            order.team.folder.rmdir()


def _watched(order: WorkerOrder, server: Server) -> None:
    """Have the server stop when the process that started it has ended: nobody would replace or stop it."""
    starter = parent_process()
    assert starter is not None

    def watch() -> None:
        if order.starter is None:
            starter.join()
        else:
            os.read(order.starter[0], 1)  # Nothing is ever written: it ends when nobody could any more.
        server.stop()

    threading.Thread(target=watch, name="simonides-parent", daemon=True).start()


def _remark(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
