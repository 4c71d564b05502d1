"""The server as an ASGI application: one door, and behind it REST, MCP, the page, and the proxy where there is one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Lifespan

from simonides import Memory, SimonidesError
from simonides.edges.http.access import Access
from simonides.edges.server.bodies import Bodies, Bounds
from simonides.edges.server.endpoint import Endpoint, Threads
from simonides.edges.server.guard import Guard
from simonides.edges.server.metrics import TYPE as METRICS_TYPE
from simonides.edges.server.metrics import Metrics
from simonides.edges.server.other_paths import OtherPaths
from simonides.edges.server.problems import HttpProblem, not_allowed
from simonides.edges.server.refusals import for_caller
from simonides.edges.server.spans import Spans
from simonides.edges.server.state import ServerState
from simonides.edges.server.table import TABLE, by_path
from simonides.edges.server.team import Team
from simonides.edges.server.tenants import Tenants

OPENAPI: Final = "/v1/openapi.json"
HEALTH: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
_COMPUTING: Final = 4
_WAITING: Final = 16


def application(
    memory: Memory,
    access: Access,
    *,
    state: ServerState | None = None,
    opens: Callable[[str], Memory] | None = None,
    proxy: Starlette | None = None,
    proxied: bool = False,
    team: Team | None = None,
    bounds: Bounds | None = None,
) -> Starlette:
    """The server. `state.memory` is the memory; `request.state` says who asks (`caller`) and of what (`memory`).

    `state.stopping` tells whether streams are to end, and is there to be set.

    Args:
        memory: Stays the caller's, who closes it when the application has come to its end.
        state: Keys, and requests that name themselves; the caller's, too. None for the tokens of `access` alone.
        opens: Opens the memory of a tenant that a key names; None where the store has no tenants.
        proxy: Answers every path that is none of the server's own, and lives as long.
        proxied: Whether the first of the team has a proxy.
        team: The processes that serve together; None for this one alone.
    """
    metrics, bodies, tenants = Metrics(), Bodies(bounds or Bounds()), Tenants(memory, opens)
    threads = Threads(state, reading=reading_at_once(memory))
    known = access if state is None else replace(access, keys=state.find)
    others = OtherPaths(memory, known, proxy, proxied=proxied, team=team)
    guard = Middleware(
        Guard,
        access=access,
        tenants=tenants,
        state=state,
        probes=(HEALTH, READY),
        metrics=metrics,
        team=team,
    )
    app = Starlette(
        routes=_routes(tenants, threads, bodies),
        lifespan=_lifespan(others, tenants, threads),
        middleware=[Middleware(Spans), guard],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False
    app.router.default = others
    app.state.memory = memory
    app.state.metrics = metrics
    app.state.relay = others.relay
    app.state.proxied = proxied or proxy is not None
    app.state.stopping = lambda: False
    return app


def _routes(tenants: Tenants, threads: Threads, bodies: Bodies) -> list[BaseRoute]:
    return [
        Route(HEALTH, _alive),
        Route(READY, _ready),
        Route(OPENAPI, _openapi),
        Route(METRICS, _metrics),
        *(
            Route(path, Endpoint(operations, tenants, threads, bodies))
            for path, operations in by_path().items()
        ),
        *page_routes(),
    ]


def _lifespan(others: OtherPaths, tenants: Tenants, threads: Threads) -> Lifespan[Starlette]:
    """Keep what lives as long as the server; at its end stop long operations, and close memories."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with others.lifespan():
            if threads.long is not None:
                threads.long.watch()
            try:
                yield
            finally:
                if threads.long is not None:
                    await to_thread.run_sync(threads.long.stop)
                await to_thread.run_sync(tenants.close)

    return lifespan


def reading_at_once(memory: Memory) -> int:
    """Number of threads that read at once: few where they compute, more where they wait for other servers."""
    waits = not memory.local or memory.path is None or memory.settings.model is not None
    return _WAITING if waits else _COMPUTING


def page_routes() -> list[BaseRoute]:
    """The page; a word on what there is where its templates cannot be read."""
    try:
        from simonides.edges.page import routes  # noqa: PLC0415 - jinja2 is an extra

        return routes()
    except ImportError:
        return [Route("/", _nothing_to_see)]


async def _refused(request: Request, error: Exception) -> Response:
    """Say what a route does not take, such as a method."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("allow", "").split(", ")
        return for_caller(not_allowed(sorted(allowed)), request.scope)
    return for_caller(HttpProblem(error.status_code, "refused", error.detail), request.scope)


async def _failed(request: Request, error: Exception) -> Response:
    """Say that an answer could not be made; the error itself goes to the log."""
    return for_caller(HttpProblem.of(error), request.scope)


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
    from simonides.edges.server.openapi import document  # noqa: PLC0415 - the forms of answers, for it alone

    return JSONResponse(document(TABLE))
