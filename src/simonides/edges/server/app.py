"""The server as an ASGI application: one door, and behind it REST, MCP, the page, and the proxy where there is one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from simonides import Memory, SimonidesError
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Role
from simonides.edges.server.bodies import Bodies, Bounds
from simonides.edges.server.endpoint import Endpoint, Threads
from simonides.edges.server.guard import MCP, Guard
from simonides.edges.server.metrics import TYPE as METRICS_TYPE
from simonides.edges.server.metrics import Metrics
from simonides.edges.server.openapi import document
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.relay import Relay
from simonides.edges.server.state import ServerState
from simonides.edges.server.table import TABLE, by_path
from simonides.edges.server.team import Team

if TYPE_CHECKING:
    from simonides.edges.mcp.http import Door

OPENAPI: Final = "/v1/openapi.json"
HEALTH: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"


def application(
    memory: Memory,
    access: Access,
    *,
    state: ServerState | None = None,
    proxy: Starlette | None = None,
    proxied: bool = False,
    team: Team | None = None,
    bounds: Bounds | None = None,
) -> Starlette:
    """The server. `state.memory` is the memory; `request.state.caller` says who asks.

    `state.stopping` tells whether streams are to end, and is there to be set.

    Args:
        memory: Stays the caller's, who closes it when the application has come to its end.
        state: Keys, and requests that name themselves; the caller's, too. None for the tokens of `access` alone.
        proxy: Answers every path that is none of the server's own, and lives as long.
        proxied: Whether the first of the team has a proxy.
        team: The processes that serve together; None for this one alone. The first of them alone keeps conversations
            over MCP and chats, which the others send on to it.
    """
    metrics = Metrics()
    relay = None if team is None else Relay(team)
    alone = team is None or team.is_first
    threads, bodies = Threads(state), Bodies(bounds or Bounds())
    mcp = _mcp(memory, access if state is None else replace(access, keys=state.find)) if alone else None
    routes: list[BaseRoute] = [
        Route(HEALTH, _alive),
        Route(READY, _ready),
        Route(OPENAPI, _openapi),
        Route(METRICS, _metrics),
        *(Route(path, Endpoint(found, memory, threads, bodies)) for path, found in by_path().items()),
        *_page(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            if mcp is not None:
                await stack.enter_async_context(mcp.lifespan())
            if proxy is not None:
                await stack.enter_async_context(proxy.router.lifespan_context(proxy))
            if threads.long is not None:
                stack.push_async_callback(to_thread.run_sync, threads.long.stop)
            if relay is not None:
                stack.push_async_callback(relay.close)
            yield

    async def elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        is_mcp = scope["path"].rstrip("/") == MCP
        behind: ASGIApp | None = mcp if is_mcp else proxy
        if relay is not None and not alone and (is_mcp or proxied):
            behind = relay.to_first
        problem = HttpProblem(404, "not_found", "there is nothing here; /v1/openapi.json lists what is")
        answer: ASGIApp = behind or problem.response()
        if behind is not None and not is_mcp:
            try:  # What is said in a chat is written down.
                scope["state"]["caller"].require(Role.WRITER)
            except HttpProblem as refused:
                answer = refused.response()
        await answer(scope, receive, send)

    guard = Middleware(Guard, access=access, state=state, probes=(HEALTH, READY), metrics=metrics, team=team)
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[guard])
    app.router.redirect_slashes = False
    app.router.default = elsewhere
    app.state.memory = memory
    app.state.metrics = metrics
    app.state.relay = relay
    app.state.stopping = lambda: False
    return app


def _mcp(memory: Memory, access: Access) -> Door | None:
    """The door for clients of MCP; None where its SDK is not installed."""
    try:
        from simonides.edges.mcp.http import Door  # noqa: PLC0415 - the SDK is an extra
    except ImportError:
        return None
    return Door(memory, access)


def _page() -> list[BaseRoute]:
    """The page; a word on what there is where its templates cannot be read."""
    try:
        from simonides.edges.page import routes  # noqa: PLC0415 - jinja2 is an extra

        return routes()
    except ImportError:
        return [Route("/", _nothing_to_see)]


async def _nothing_to_see(_: Request) -> Response:
    return PlainTextResponse(
        "Simonides serves memory here. REST is described in /v1/openapi.json, MCP is at /mcp.\n"
    )


async def _alive(_: Request) -> Response:
    return JSONResponse({"status": "alive"})


def _ready(request: Request) -> Response:
    """Answer whether the store can be read now."""
    try:
        request.app.state.memory.list(limit=1)
    except SimonidesError as error:
        return HttpProblem.of(error).response()
    return JSONResponse({"status": "ready"})


async def _metrics(request: Request) -> Response:
    app, metrics = request.app.state, request.app.state.metrics
    if request.state.relayed:
        return Response(metrics.to_json(), media_type="application/json")
    if app.relay is not None:
        metrics = metrics.with_others(await app.relay.metrics(request.headers.raw))
    return PlainTextResponse(metrics.text(), media_type=METRICS_TYPE)


async def _openapi(_: Request) -> Response:
    return JSONResponse(document(TABLE))
