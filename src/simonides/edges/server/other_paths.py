"""Answers to paths that are none of REST's or the page's: MCP, and chats where there is a proxy."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from anyio import Event, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from simonides import Memory
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.refusals import MCP, for_caller, is_ours, wants_page
from simonides.edges.server.relay import Relay
from simonides.edges.server.team import Team

if TYPE_CHECKING:
    from simonides.edges.mcp.http import Door

_log: Final = logging.getLogger("simonides.server")
#: A door that could not be opened is tried again once in so long.
_AGAIN_S: Final = 5.0


class OtherPaths:
    """ASGI application behind every path that is no route of the server's own.

    Of a team the first worker alone keeps conversations over MCP and chats; the others send these on to it.

    Args:
        access: With the server's keys: MCP lets in by itself.
        proxy: Answers chats, and lives as long; None for none in this process.
        proxied: Whether the first of the team has one.

    Attributes:
        relay: To the other workers; None where there are none.
    """

    def __init__(
        self, memory: Memory, access: Access, proxy: Starlette | None, *, proxied: bool, team: Team | None
    ) -> None:
        self.relay = None if team is None else Relay(team)
        self._proxy = proxy
        self._late: LateMcp | None = None
        self._mcp: ASGIApp | None = None
        self._chats: ASGIApp | None = proxy
        if self.relay is not None and team is not None and not team.is_first:
            self._mcp = self.relay.to_first
            self._chats = self.relay.to_first if proxied else None
        elif find_spec("mcp") is not None:  # Its SDK is an extra.
            self._mcp = self._late = LateMcp(memory, access)

    @asynccontextmanager
    async def lifespan(self) -> AsyncGenerator[None]:
        """From before the first request until the last has been answered."""
        async with AsyncExitStack() as stack:
            if self._late is not None:
                await stack.enter_async_context(self._late.lifespan())
            if self._proxy is not None:
                await stack.enter_async_context(self._proxy.router.lifespan_context(self._proxy))
            if self.relay is not None:
                stack.push_async_callback(self.relay.close)
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        is_mcp = scope["path"].rstrip("/") == MCP
        by_person = wants_page(scope) and not scope["path"].startswith("/v1/")
        why = (
            "no page has this address"
            if by_person
            else "there is nothing here; /v1/openapi.json lists what is"
        )
        problem = HttpProblem(404, "not_found", why)
        chats = None if is_mcp or is_ours(scope) else self._chats
        answer = (self._mcp if is_mcp else chats) or for_caller(problem, scope)
        if chats is not None:
            try:
                # What is said in a chat is written down.
                caller: ServerCaller = scope["state"]["caller"]
                caller.require(Role.WRITER)
                caller.require_own_tenant()
            except HttpProblem as refused:
                answer = for_caller(refused, scope)
        await answer(scope, receive, send)


class LateMcp:
    """MCP's door, opened when the first request comes to it: loading its SDK takes as long as all else at the start."""

    def __init__(self, memory: Memory, access: Access) -> None:
        self._memory = memory
        self._access = access
        self._door: ASGIApp | None = None
        self._wanted, self._opened, self._over = Event(), Event(), Event()
        #: When it could not be opened; None where that was not tried, or has been tried well.
        self._failed_at: float | None = None

    @asynccontextmanager
    async def lifespan(self) -> AsyncGenerator[None]:
        """From before the first request until the sessions have ended."""
        async with create_task_group() as group:
            group.start_soon(self._keep_open)
            try:
                yield
            finally:
                self._over.set()
                self._wanted.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._failed_at is not None and time.monotonic() - self._failed_at >= _AGAIN_S:
            self._failed_at, self._opened = None, Event()
        if self._failed_at is None:
            self._wanted.set()
        await self._opened.wait()
        assert self._door is not None
        await self._door(scope, receive, send)

    async def _keep_open(self) -> None:
        while True:
            await self._wanted.wait()
            if self._over.is_set():
                return
            try:
                door = await to_thread.run_sync(self._loaded)
                async with door.lifespan():
                    self._door = door
                    self._opened.set()
                    await self._over.wait()
            except ImportError as error:
                text = f"the SDK of MCP cannot be loaded ({error}); install simonides[mcp] again"
                self._door = HttpProblem(501, "not_installed", text).response()
            except Exception as error:  # noqa: BLE001 - it would end all that lives as long
                _log.exception("MCP cannot be served")
                self._door = HttpProblem.of(error).response()
            else:
                return
            # The next request after a while tries again: what failed may pass.
            self._failed_at, self._wanted = time.monotonic(), Event()
            self._opened.set()

    def _loaded(self) -> Door:
        from simonides.edges.mcp.http import Door  # noqa: PLC0415 - see above

        return Door(self._memory, self._access)
