"""Several processes that serve one store on one address: started, watched, replaced where they end, and stopped."""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from simonides.edges.http.serve import GRACE_S, Server
from simonides.edges.server.team import Serving, Team
from simonides.errors import InvalidInput, SimonidesError

#: A worker that lasted less was not well from its beginning, and the next one waits so long.
_SHORT_S: Final = 5.0
_AGAIN_S: Final = 1.0
#: As many in a row: something is wrong that another start does not mend.
_MOST_SHORT: Final = 5
_LOOK_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    """Order to a worker, at its beginning.

    Attributes:
        socket: Number of the open file that connections are taken from.
        level: Which lines of its log are written.
    """

    store: Path | str
    serving: Serving
    team: Team
    socket: int
    level: int


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
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
        store: Path | str,
        serving: Serving,
        bound: socket.socket,
        remark: Callable[[str], None],
    ) -> None:
        if os.name != "posix":
            raise InvalidInput("on this system a server is one process; leave --workers out")
        self._count = count
        self._store = store
        self._serving = serving
        self._bound = bound
        self._remark = remark
        self._secret = secrets.token_hex(16)
        self._told = threading.Event()
        self._again = False
        self._short = 0

    def keep(self) -> None:
        """Serve until told to stop, by SIGINT or SIGTERM.

        Raises:
            SimonidesError: No worker lasts.
        """
        with ExitStack() as opened:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="simonides-")))
            opened.enter_context(self._signals())
            workers = [self._start(folder, number) for number in range(self._count)]
            try:
                while not self._told.wait(_LOOK_S):
                    for number, worker in enumerate(workers):
                        if worker.process.poll() is not None:
                            workers[number] = self._replaced(folder, number, worker)
            finally:
                self._stop(workers)

    def _replaced(self, folder: Path, number: int, ended: _Worker) -> _Worker:
        self._short = self._short + 1 if time.monotonic() - ended.began < _SHORT_S else 0
        if self._short >= _MOST_SHORT:
            raise SimonidesError(
                "workers end as soon as they begin, as said above; mend that and start again"
            )
        self._remark(
            f"worker {number + 1} ended ({_in_words(ended.process.returncode)}); it is started again"
        )
        if self._short:
            self._told.wait(_AGAIN_S)
        _close(ended)
        return self._start(folder, number)

    def _start(self, folder: Path, number: int) -> _Worker:
        team = Team(folder, self._count, number, self._secret)
        order = WorkerOrder(self._store, self._serving, team, self._bound.fileno(), logging.getLogger().level)
        # Ctrl-C goes to this process, which tells them.
        process = subprocess.Popen(
            # -P: nothing is imported from the folder that this is called in.
            [sys.executable, "-P", "-m", "simonides.edges.server.workers"],
            stdin=subprocess.PIPE,
            pass_fds=(self._bound.fileno(),),
            process_group=0,
        )
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # It ended already, as is seen at the next look.
            process.stdin.write(pickle.dumps(order))
            process.stdin.flush()
        return _Worker(process, time.monotonic())

    def _stop(self, workers: list[_Worker]) -> None:
        """Let the workers end; what is under way has its time, unless it is told a second time."""
        for worker in workers:
            worker.process.send_signal(signal.SIGTERM)
        ends, self._again = time.monotonic() + GRACE_S + _SHORT_S, False
        while any(worker.process.poll() is None for worker in workers):
            if self._again:
                self._again = False
                for worker in workers:
                    worker.process.send_signal(signal.SIGTERM)
            if time.monotonic() > ends:
                for worker in workers:
                    worker.process.kill()
            time.sleep(_LOOK_S / 2)
        for worker in workers:
            _close(worker)

    @contextmanager
    def _signals(self) -> Generator[None]:
        def told(number: int, frame: FrameType | None) -> None:
            del number, frame
            self._again = self._told.is_set()
            self._told.set()

        before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _close(worker: _Worker) -> None:
    assert worker.process.stdin is not None
    with suppress(BrokenPipeError):
        worker.process.stdin.close()


def _in_words(status: int) -> str:
    return f"exit code {status}" if status >= 0 else signal.Signals(-status).name


def main() -> None:
    """Serve as a worker, until told to stop or the process that started it has ended."""
    from simonides.edges.server.serving import serve  # noqa: PLC0415 - whoever only watches workers serves nothing
    from simonides.memory import Memory  # noqa: PLC0415 - as above

    order: WorkerOrder = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    if order.level <= logging.DEBUG:
        logging.basicConfig(level=order.level, format="%(relativeCreated)6.0f ms  %(name)s: %(message)s")

    try:
        with Memory(order.store) as memory, socket.socket(fileno=order.socket) as bound:
            serve(order.serving, memory, bound, remark=_remark, team=order.team, begun=_watched)
    except SimonidesError as error:
        _remark(str(error))
        sys.exit(1)


def _watched(server: Server) -> None:
    """Have the server stop when the process that started it has ended: nobody would replace or stop it."""

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)
        server.stop()

    threading.Thread(target=watch, name="simonides-parent", daemon=True).start()


def _remark(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
