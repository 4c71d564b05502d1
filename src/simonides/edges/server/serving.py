"""One process of a server: what it serves, from its beginning to its end."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from simonides.domain.address import of_tenant
from simonides.domain.scope import ALL
from simonides.edges.http.serve import Server
from simonides.edges.scheduler import Scheduler
from simonides.edges.server.app import application
from simonides.edges.server.spans import telling
from simonides.edges.server.state import ServerState
from simonides.edges.server.team import Serving, Team
from simonides.errors import SimonidesError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from simonides.memory import Memory

#: M_ARENA_MAX of malloc.h.
_ARENAS_AT_MOST: Final = -8
_ARENAS: Final = 2
#: After the start, which would take longer otherwise: one interpreter runs both.
_AHEAD_S: Final = 1.0
_ANY_QUESTION: Final = "What do we know?"
_ENDING_S: Final = 5.0


def serve(
    serving: Serving,
    memory: Memory,
    bound: socket.socket,
    *,
    remark: Callable[[str], None],
    team: Team | None = None,
    begun: Callable[[Server], None] = lambda _: None,
) -> None:
    """Serve a memory until told to stop.

    Args:
        remark: Called with what there is to say to whoever started it.
        team: The processes that serve together; None for this one alone.
        begun: Called with the server before it listens.
    """
    is_first = team is None or team.is_first
    _share_freed_memory()
    with ExitStack() as opened:
        opened.enter_context(telling(os.environ))
        state = opened.enter_context(closing(ServerState(serving.state, reserve=serving.reserve)))
        listening = [bound]
        if team is not None:
            listening.append(opened.enter_context(_own_socket(team)))
        if serving.upkeep and is_first:
            opened.enter_context(keeping_up(memory, remark))
        proxy = _proxy(serving, memory, state) if is_first else None
        app = application(
            memory,
            serving.access,
            state=state,
            opens=partial(_opened, serving),
            proxy=proxy,
            proxied=serving.proxy is not None,
            team=team,
        )
        server = Server(app, *listening, shares=team is not None)
        app.state.stopping = lambda: server.should_exit
        begun(server)
        opened.enter_context(reading_ahead(memory))
        server.listen()


def _opened(serving: Serving, tenant: str) -> Memory:
    from simonides.memory import Memory  # noqa: PLC0415 - whoever serves has loaded it

    return Memory(of_tenant(serving.store, tenant))


def _share_freed_memory() -> None:
    """Let threads take from the same memory what others gave back.

    glibc gives almost every thread an arena of its own, none of which gets smaller: under load as much again as
    everything else. Where the interpreter lets one thread run at a time they hardly wait for each other.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # Other libraries of C have no such thing.
            ctypes.CDLL(None).mallopt(_ARENAS_AT_MOST, _ARENAS)


def _proxy(serving: Serving, memory: Memory, state: ServerState) -> Starlette | None:
    if serving.proxy is None:
        return None
    from simonides.agent.middleware import Middleware  # noqa: PLC0415 - where chats are served
    from simonides.edges.http.proxy import application as proxied  # noqa: PLC0415

    access = replace(serving.access, keys=state.find)
    return proxied(Middleware(memory), serving.proxy, access=access, key=serving.proxy.secret())


@contextmanager
def reading_ahead(memory: Memory, after_s: float = _AHEAD_S) -> Generator[None]:
    """Read, soon after the beginning, what the first question would have to wait for: the index of vectors above all.

    Nothing is read where an embedder or a database would be asked for it.
    """
    over = threading.Event()

    def read() -> None:
        if not over.wait(after_s):
            with suppress(SimonidesError):  # Whoever asks is told.
                memory.search(_ANY_QUESTION, scope=ALL, k=1, noted=False)

    thread = threading.Thread(target=read, name="simonides-ahead", daemon=True)
    if memory.local and memory.path is not None:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if thread.is_alive():
            thread.join(_ENDING_S)


@contextmanager
def _own_socket(team: Team) -> Generator[socket.socket]:
    path = team.socket()
    with suppress(FileNotFoundError):  # A worker that was killed left it.
        path.unlink()
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(str(path))
        path.chmod(0o600)
        own.listen()
        try:
            yield own
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def keeping_up(memory: Memory, remark: Callable[[str], None]) -> Generator[None]:
    """Keep the schedule of upkeep in a thread of its own, until the end, which waits for one step of a run at most."""
    stopped = threading.Event()
    scheduler = Scheduler(memory, wait=stopped.wait, on_run=lambda _: None, remark=remark)
    thread = threading.Thread(target=scheduler.keep, name="simonides-upkeep")
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        memory.schedule.stop()
        thread.join()
