"""The door: whoever asks, for whatever path, is let in here or not at all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simonides.edges.http.access import Access, Refused
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller, named_actor
from simonides.edges.server.problems import HttpProblem
from simonides.errors import InvalidInput

_ACTOR: Final = "x-simonides-actor"
_TOKEN: Final = "x-simonides-token"  # noqa: S105 - a header's name
_CREDENTIALS: Final = (_TOKEN, "authorization", "x-api-key", "api-key")
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
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


@dataclass(frozen=True, slots=True)
class Guard:
    """ASGI middleware: sees to hosts, origins and tokens on every path, and names the caller.

    What comes behind finds `request.state.caller`.

    Attributes:
        probes: Paths that need no token: whether the server lives is no secret.
    """

    app: ASGIApp
    access: Access
    probes: Collection[str] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = _guarded(send)
        try:
            if (signed_in := self._sign_in(scope)) is not None:
                await signed_in(scope, receive, guarded)
                return
            scope.setdefault("state", {})["caller"] = self._caller(scope)
        except (Refused, InvalidInput, HttpProblem) as error:
            await HttpProblem.of(error).response()(scope, receive, guarded)
            return
        await self.app(scope, receive, guarded)

    def _caller(self, scope: Scope) -> ServerCaller:
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        if path in self.probes:
            passed = replace(self.access, credentials=()).enter(headers, method)
            return ServerCaller.of(replace(passed, role=Role.READER), "api")
        token = None if any(name in headers for name in _CREDENTIALS) else _cookie(headers)
        by_cookie = token is not None
        if token is not None:
            scope["headers"] = [*scope["headers"], (_TOKEN.encode(), token.encode("latin-1"))]
            headers = Headers(scope=scope)
        passed = self.access.enter(headers, method)
        if by_cookie and method not in _READING and "origin" not in headers:
            raise HttpProblem(
                403, "forbidden", "a form is sent by a page of this server; open the page and send it there"
            )
        if (
            passed.bypass and method == "OPTIONS"
        ):  # What a browser asks before it asks; no page of elsewhere is let in.
            return ServerCaller.of(replace(passed, role=Role.READER), "api")
        caller = ServerCaller.of(passed, named_actor(headers.get(_ACTOR), "user" if by_cookie else "api"))
        if by_cookie and caller.unbound:  # Whoever looks at the whole store need not know its scopes first.
            caller = replace(caller, everywhere=True)
        if method not in _READING and not path.startswith("/v1/"):
            caller.require(Role.WRITER)
        return caller

    def _sign_in(self, scope: Scope) -> Response | None:
        """The answer to an address with a token, as the start prints it: a cookie, and the address without it."""
        if scope["path"] != "/" or scope["method"] != "GET" or b"token=" not in scope["query_string"]:
            return None
        headers = Headers(scope=scope)
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
        shown = Headers({"host": headers.get("host", ""), _TOKEN: tokens[0]})
        self.access.enter(shown)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(_cookie_name(headers), tokens[0], httponly=True, samesite="strict", path="/")
        return answer


def _cookie(headers: Headers) -> str | None:
    """The token that a browser was given; of another port's server it is not seen."""
    jar: SimpleCookie = SimpleCookie()
    for line in headers.getlist("cookie"):
        jar.load(line)
    found = jar.get(_cookie_name(headers))
    return None if found is None or not found.value.isascii() else found.value


def _cookie_name(headers: Headers) -> str:
    port = headers.get("host", "").rpartition(":")[2]
    return f"simonides-{port if port.isdecimal() else 80}"


def _guarded(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded
