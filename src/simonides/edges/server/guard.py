"""The door: whoever asks, for whatever path, is let in here or not at all."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simonides import Memory
from simonides.edges.http.access import OWN_COOKIE, Access, Refused, own_header
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller, named_actor
from simonides.edges.server.metrics import OTHER, Metrics
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.rates import count_request
from simonides.edges.server.refusals import MCP, for_caller, wants_page
from simonides.edges.server.state import ServerState
from simonides.edges.server.team import Team
from simonides.edges.server.tenants import Tenants
from simonides.errors import SimonidesError

_ACTOR: Final = "x-simonides-actor"
_TOKEN: Final = "x-simonides-token"  # noqa: S105 - a header's name
_CREDENTIALS: Final = (_TOKEN, "authorization", "x-api-key", "api-key")
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PREFLIGHT: Final = "access-control-request-method"
#: Answer to a browser that asks whether a page may ask. It sends a token by itself, and never a cookie.
_PREFLIGHT_ANSWER: Final = {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": (
        "authorization, content-type, idempotency-key, prefer, mcp-session-id, mcp-protocol-version, last-event-id, "
        "x-simonides-token, x-simonides-scope, x-simonides-actor, x-simonides-session"
    ),
    "access-control-max-age": "600",
}
#: What a person is told whose browser is not signed in, or not any more.
_SIGN_IN: Final = (
    "this browser is not signed in: open the address that `simonides serve` printed at its start, "
    "start it with --open, or give a key or token of it here"
)
_EXPOSED: Final = "location, retry-after, preference-applied, mcp-session-id"
#: A key of a stream is looked at again after so long.
_LOOK_S: Final = 1.0
#: Answers are for whoever asked, and whatever stands in them is data.
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}


class Revoked(Exception):
    """The key of a stream that is under way was revoked or has expired."""


class Guard:
    """ASGI middleware: sees to hosts, origins, tokens and rates on every path, and names the caller.

    What comes behind finds `request.state.caller`, whether a page's cookie let them in (`by_cookie`), and
    `request.state.memory`, the memory of their tenant, which stays open until the answer has ended. A stream ends soon
    after its key.

    Args:
        tenants: Memories that are answered from.
        probes: Paths that need no token: whether the server lives is no secret.
        team: What one of its workers sends on to another is counted there.
    """

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        tenants: Tenants,
        state: ServerState | None = None,
        probes: Collection[str] = (),
        metrics: Metrics | None = None,
        team: Team | None = None,
    ) -> None:
        self._app = app
        self._team = team
        self._tenants = tenants
        self._metrics = metrics
        self._access = access if state is None else replace(access, keys=state.find)
        self._open = replace(access, credentials=())
        self._state = state
        self._probes = probes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        relayed = self._team is not None and self._team.sent(Headers(scope=scope))
        scope.setdefault("state", {}).update(operation=OTHER, relayed=relayed, by_cookie=False)
        shared = self._shared(scope, send)
        guarded = _guarded(shared) if relayed else self._counted(scope, _guarded(shared))
        try:
            if shared is not send and scope["method"] == "OPTIONS" and _PREFLIGHT in Headers(scope=scope):
                self._access.enter(Headers(scope=scope), "OPTIONS")
                await Response(status_code=204, headers=_PREFLIGHT_ANSWER)(scope, receive, guarded)
                return
            if (signed_in := self._sign_in(scope)) is not None:
                await signed_in(scope, receive, guarded)
                return
            caller, key = self._caller(scope)
            scope["state"].update(caller=caller, memory=await self._memory(caller))
        except (Refused, SimonidesError, HttpProblem) as error:
            problem = HttpProblem.of(error)
            if problem.status == 401 and wants_page(scope) and b"token=" not in scope["query_string"]:
                problem.detail = _SIGN_IN
            await for_caller(problem, scope)(scope, receive, guarded)
            return
        try:
            await self._app(scope, receive, self._watched(key, guarded) if key else guarded)
        finally:
            if caller.tenant is not None:
                self._tenants.give_back(caller.tenant)

    async def _memory(self, caller: ServerCaller) -> Memory:
        """The memory of a caller's tenant; one that is not the server's own is to be given back."""
        if caller.tenant is None:
            return self._tenants.own
        return await to_thread.run_sync(self._tenants.take, caller.tenant)

    def _shared(self, scope: Scope, send: Send) -> Send:
        """Sending that lets a web page read the answer, if it is one of those that may ask; else the same."""
        origin = Headers(scope=scope).get("origin", "")
        if origin.rstrip("/").lower() not in self._access.origins:
            return send

        async def shared(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["access-control-allow-origin"] = origin
                headers["access-control-expose-headers"] = _EXPOSED
                headers.add_vary_header("Origin")
            await send(message)

        return shared

    def _counted(self, scope: Scope, send: Send) -> Send:
        """Sending that counts the answer when it begins."""
        if self._metrics is None:
            return send
        metrics, began = self._metrics, time.monotonic()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                metrics.count(scope["state"]["operation"], message["status"], time.monotonic() - began)
            await send(message)

        return counted

    def _caller(self, scope: Scope) -> tuple[ServerCaller, str]:
        """The caller of a request, and the id of its key."""
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        if path in self._probes:
            probing = ServerCaller.of(self._open.enter(headers, method), "api")
            return replace(probing, role=Role.READER), ""
        token = None if any(name in headers for name in _CREDENTIALS) else _cookie(headers)
        by_cookie = scope["state"]["by_cookie"] = token is not None
        if token is not None:
            scope["headers"] = [*scope["headers"], (_TOKEN.encode(), token.encode("latin-1"))]
            headers = Headers(scope=scope)
        passed = self._access.enter(headers, method)
        if by_cookie and method not in _READING and "origin" not in headers:
            text = "a form is sent by a page of this server; open the page and send it there"
            raise HttpProblem(403, "forbidden", text)
        caller = ServerCaller.of(passed, named_actor(own_header(headers, _ACTOR), "api"), by_cookie=by_cookie)
        if by_cookie and caller.unbound:  # Whoever looks at the whole store need not know its scopes first.
            caller = replace(caller, everywhere=True)
        # Over MCP every role may post: a reader is offered what reads.
        if method not in _READING and not path.startswith("/v1/") and path.rstrip("/") != MCP:
            caller.require(Role.WRITER)
        if passed.credential is None:
            return caller, ""
        if self._state is not None and not scope["state"]["relayed"]:
            count_request(self._state, passed.credential)
        return caller, passed.credential.key

    def _watched(self, key: str, send: Send) -> Send:
        """Sending that is broken off soon after the key works no more."""
        looked_at = time.monotonic()

        async def watched(message: Message) -> None:
            nonlocal looked_at
            if message.get("more_body") and time.monotonic() - looked_at > _LOOK_S:
                looked_at = time.monotonic()
                if self._state is not None and not self._state.works(key):
                    raise Revoked
            await send(message)

        return watched

    def _sign_in(self, scope: Scope) -> Response | None:
        """The answer to an address with a token, as the start prints it: a cookie, and the address without it."""
        if scope["path"] != "/" or scope["method"] != "GET" or b"token=" not in scope["query_string"]:
            return None
        headers = Headers(scope=scope)
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
        shown = Headers({"host": headers.get("host", ""), _TOKEN: tokens[0]})
        self._access.enter(shown)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(_cookie_name(headers), tokens[0], httponly=True, samesite="strict", path="/")
        return answer


def _cookie(headers: Headers) -> str | None:
    """The token that a browser was given; of another port's server it is not seen."""
    jar: SimpleCookie = SimpleCookie()
    with suppress(CookieError):
        for line in headers.getlist("cookie"):
            jar.load(line)
    cookie = jar.get(_cookie_name(headers))
    return None if cookie is None or not cookie.value.isascii() else cookie.value


def _cookie_name(headers: Headers) -> str:
    port = headers.get("host", "").rpartition(":")[2]
    return f"{OWN_COOKIE}{port if port.isdecimal() else 80}"


def _guarded(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded
