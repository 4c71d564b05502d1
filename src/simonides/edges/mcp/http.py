"""Streamable HTTP: many clients, let in by the rules of the proxy, each bound to the scope of its credential."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Final, cast

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from simonides.edges.http.access import Access, Pass, Refused
from simonides.edges.http.tokens import Role
from simonides.edges.mcp.caller import Caller, Request
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.mcp.server import server
from simonides.memory import Memory

PATH: Final = "/mcp"
#: The longest request, in bytes.
_MOST_BYTES: Final = 10 * 1024 * 1024
_LET_IN: Final = "simonides.access"
_MEMORY: Final = "simonides.memory"
_SESSION: Final = "mcp-session-id"


class Door:
    """Door at `/mcp`: an ASGI application that lets a request in, or says why not.

    A session of the protocol belongs to the credential and scope that opened it.

    Args:
        memory: Stays the caller's, who closes it when the application has come to its end.
        trust_client: Every client asks its user at each call.
    """

    def __init__(
        self,
        memory: Memory,
        access: Access,
        profile: ToolProfile = ToolProfile.CORE,
        *,
        trust_client: bool = False,
    ) -> None:
        self._memory = memory
        self._access = access
        self._trust_client = trust_client
        self._profile = profile
        self._sessions = StreamableHTTPSessionManager(
            server(self._who, profile),
            # Hosts and origins are looked at here, by the same rules as those of the proxy.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=_MOST_BYTES,
        )

    def lifespan(self) -> AbstractAsyncContextManager[None]:
        """From before the first request until the sessions have ended."""
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            passed = self._access.enter(Headers(scope=scope), scope["method"])
        except Refused as error:
            await _refusal(error)(scope, receive, send)
            return
        token = AccessToken(token="", client_id=passed.caller, scopes=[], subject=str(passed.scope))
        known = {
            **scope,
            _LET_IN: passed,
            _MEMORY: self._memory_for(scope, passed),
            "user": AuthenticatedUser(token),
        }
        await self._sessions.handle_request(known, receive, send)

    def _memory_for(self, scope: Scope, passed: Pass) -> Memory:
        """The memory of the tenant that a key names, as the server behind whose door this stands has it open."""
        if passed.credential is None or passed.credential.tenant is None:
            return self._memory
        return scope["state"]["memory"]

    def _who(self, request: Request) -> Caller:
        http_request = cast("HttpRequest", request.request)
        passed: Pass = http_request.scope[_LET_IN]
        session = http_request.headers.get(_SESSION)
        return Caller.of(
            http_request.scope[_MEMORY],
            passed.scope,
            trust_client=self._trust_client,
            profile=self._profile,
            session_id=passed.session_id or (None if session is None else f"mcp-{session[:12]}"),
            name=f"{passed.caller} {passed.scope}",
            reads_only=passed.credential is not None and not passed.credential.role.may(Role.WRITER),
        )


def application(door: Door, beside: Starlette | None = None) -> Starlette:
    """A server of MCP.

    Args:
        beside: Answers every other path, and lives as long; without it nothing is found there.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(door.lifespan())
            if beside is not None:
                await stack.enter_async_context(beside.router.lifespan_context(beside))
            yield

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].rstrip("/") == PATH:
            await door(scope, receive, send)
        elif beside is not None:
            await beside(scope, receive, send)
        elif scope["type"] == "http":
            await Response(f"there is nothing here; MCP is at {PATH}", 404)(scope, receive, send)

    app = Starlette(lifespan=lifespan)
    app.router.redirect_slashes = False
    app.router.default = answer
    return app


def _refusal(error: Refused) -> Response:
    """An error in the form of JSON-RPC."""
    problem: dict[str, Any] = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": str(error)}}
    headers = {"www-authenticate": "Bearer"} if error.status == 401 else None
    return Response(json.dumps(problem), error.status, cast("Any", headers), "application/json")
