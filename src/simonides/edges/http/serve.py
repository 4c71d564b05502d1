"""Listening: sockets, signals, and the end that lets what is under way come to its own."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from simonides.ending import HANGUP, ending_signals
from simonides.errors import InvalidSettings

#: How long answers that are under way may go on when the server is told to stop.
GRACE_S: Final = 30
_BACKLOG: Final = 2048
#: How long an idle connection of a client is kept: longer than clients keep them, so that they end it.
_KEPT_S: Final = 75
#: How long a thread that searches may keep another waiting that only passes bytes on. Python's own 5 ms would be
#: added to every chunk of a stream.
_SWITCH_S: Final = 0.0005
#: How often a server that ends looks whether the last answer has.
_LOOKS_S: Final = 0.005


def listening(host: str, port: int, options: Sequence[str] = ("--host", "--port")) -> socket.socket:
    """A socket that takes connections from now on; port 0 for a free one.

    Args:
        options: Those of the command that name the address; the last one names the port.

    Raises:
        InvalidSettings: The address cannot be used.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Told its protocol, asyncio sends each write at once; else small ones would wait 40 ms for each other.
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, port))
            bound.listen(_BACKLOG)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} of {host} is taken; stop what listens there, or choose another with {options[-1]}"
        else:
            text = f"{host}:{port} cannot be listened on ({error.strerror or error}); check {' and '.join(options)}"
        raise InvalidSettings(text) from error
    return bound


def address(host: str, bound: socket.socket) -> str:
    """URL under which clients on this machine find what listens there."""
    port = bound.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


class Server(uvicorn.Server):
    """Serves an application until it is told to stop, by `stop`, SIGINT, SIGTERM or SIGHUP; then it lets answers end.

    A second signal breaks them off.

    Args:
        bound: Sockets that take connections.
        shares: Whether other processes take connections from them as well.
    """

    def __init__(self, app: ASGIApp, *bound: socket.socket, shares: bool = False) -> None:
        # It has nothing to say that the application does not: a client that leaves is no error.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_S,
            timeout_keep_alive=_KEPT_S,
            # One connection at a time where others take some, too: asyncio would take all that wait.
            backlog=1 if shares else _BACKLOG,
        )
        super().__init__(config)
        self._bound = bound
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()

    def listen(self) -> None:
        """Serve until told to stop."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_S)
        try:
            self.run(sockets=list(self._bound))
        finally:
            sys.setswitchinterval(before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does it, but as many connections may wait as before."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        for bound in self._bound:
            bound.listen(_BACKLOG)

    async def main_loop(self) -> None:
        """Sleep until told to stop; uvicorn would wake ten times a second to look."""
        await self.on_tick(0)
        await self._end.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does it, but it ends as soon as the last answer has, not a tenth of a second later."""
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._answered(), GRACE_S)
        for task in self.server_state.tasks:
            task.cancel()
        if not self.force_exit:
            await self.lifespan.shutdown()

    async def _answered(self) -> None:
        """Wait until nothing is under way, or a second signal breaks it off."""
        # Of the end of a connection uvicorn tells nobody.
        while (self.server_state.connections or self.server_state.tasks) and not self.force_exit:  # noqa: ASYNC110
            await asyncio.sleep(_LOOKS_S)
        for listener in self.servers:
            await listener.wait_closed()

    def stop(self) -> None:
        """Stop soon. May be called from any thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # It has ended already.
                self._loop.call_soon_threadsafe(self._end.set)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """As uvicorn does it, but a signal that was heeded is not raised again: the process ends in its own way."""
        before = {number: signal.getsignal(number) for number in ending_signals()}
        hears = threading.current_thread() is threading.main_thread()
        if hears:
            self._hear(asyncio.get_running_loop(), *before)
        try:
            yield
        finally:
            if hears:
                for number, handler in before.items():
                    # The loop would take the handler away at its own end.
                    with suppress(NotImplementedError):
                        asyncio.get_running_loop().remove_signal_handler(number)
                    signal.signal(number, handler)

    def _hear(self, loop: asyncio.AbstractEventLoop, *numbers: int) -> None:
        """Heed signals from now on; what the loop heard of them is over with the loop."""
        for number in numbers:
            try:
                # The loop is woken. A handler of Python's own runs only when the interpreter next looks, and one that
                # comes just before the loop begins to wait would be heeded with the next request.
                loop.add_signal_handler(number, self._told, number)
            except NotImplementedError:  # On Windows the loop is woken in any case.
                signal.signal(number, self._told)

    def _told(self, number: int, *_: object) -> None:
        self.force_exit = self.should_exit and number != HANGUP
        self.stop()
