"""The proxy as an ASGI application: who may come in, what is a chat, and everything else as it is."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from simonides.agent.middleware import Middleware, Mode
from simonides.agent.process import MiddlewareProcess
from simonides.config import ProxySettings
from simonides.domain.scope import Scope as MemoryScope
from simonides.edges.http.access import Access, Pass, Refused, own_header, session
from simonides.edges.http.connections import UpstreamFailed
from simonides.edges.http.dialects.dialect import AskedChat, Dialect
from simonides.edges.http.dialects.spoken import dialect_of, refusal
from simonides.edges.http.exchange import ClientLeft, Exchange, RawHeaders, noting, while_there
from simonides.edges.http.side_requests import SideRequests
from simonides.edges.http.talk import ChatRequest, Hooks, Talk, passed_through, request_of, without_memory
from simonides.edges.http.upstream import Upstream
from simonides.values import dataclass

_log: Final = logging.getLogger("simonides.proxy")
#: Paths where models are asked, too, in ways that the proxy does not speak.
_UNSPOKEN: Final = ("/completions", ":generatecontent", ":streamgeneratecontent")
_JSON: Final = [(b"content-type", b"application/json")]


@dataclass(slots=True)
class _Traffic:
    """Exchanges under way, to know when nobody waits."""

    now: int = 0
    last_s: float = 0.0
    over: bool = False

    def idle_s(self) -> float:
        """Seconds since the last request ended; 0 while one is under way."""
        return 0.0 if self.now else time.monotonic() - self.last_s


def application(
    middleware: Middleware | MiddlewareProcess,
    settings: ProxySettings,
    *,
    access: Access,
    key: str | None = None,
    mode: Mode | None = None,
) -> Starlette:
    """The proxy. When it has come to its end, `state.failures()` tells how often something could not be kept.

    Args:
        middleware: Closed when the application has come to its end.
        key: The upstream's; None to pass on what clients send.
        mode: Of every chat; None for the settings' own.
    """
    proxy = _Proxy(middleware, settings, access, key, mode)
    app = Starlette(lifespan=proxy.lifespan)
    app.router.redirect_slashes = False
    app.router.default = proxy
    app.state.failures = lambda: proxy.failures
    return app


class _Proxy:
    """Answers every request."""

    def __init__(
        self,
        middleware: Middleware | MiddlewareProcess,
        settings: ProxySettings,
        access: Access,
        key: str | None,
        mode: Mode | None,
    ) -> None:
        self._middleware = middleware
        self._settings = settings
        self._access = access
        self._key = key
        self._mode = mode or Mode(middleware.settings.mode)
        self._side_requests = SideRequests.of(settings)
        self._told: set[str] = set()
        self._traffic = _Traffic(last_s=time.monotonic())
        self.failures = 0
        self._upstream: Upstream
        self._talk: Talk

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncGenerator[None]:
        """From before the first request until what was begun is stored."""
        settings = self._settings
        self._upstream = Upstream(
            settings.upstream, self._key, connect_s=settings.connect_timeout_s, silence_s=settings.timeout_s
        )
        hooks = Hooks(self._middleware)
        self._talk = Talk(hooks, self._upstream, settings, self._mode)
        hooks.middleware.warm()
        upkeep = asyncio.create_task(self._extract_when_idle(hooks))
        try:
            yield
        finally:
            self._traffic.over = True
            upkeep.cancel()
            await hooks.run(hooks.middleware.settle)
            await hooks.close()
            await self._upstream.close()
            hooks.middleware.close()
            self.failures = hooks.middleware.failures

    async def _extract_when_idle(self, hooks: Hooks) -> None:
        """Take what lasts out of conversations that have gone silent, while nobody waits for an answer."""
        while True:
            await asyncio.sleep(self._settings.idle_s)
            if self._traffic.idle_s() >= self._settings.idle_s:
                try:
                    await hooks.run(self._extract)
                except Exception:  # noqa: BLE001 - the outermost edge of a job that is tried again
                    _log.exception("what was said could not be extracted; it stays and is tried again")

    def _extract(self) -> None:
        self._middleware.extract_due(lambda: bool(self._traffic.now or self._traffic.over))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. An answer that is begun and breaks off is left open, and so cut by the server."""
        exchange = Exchange(scope, receive, send)
        self._traffic.now += 1
        began = time.perf_counter()
        try:
            await self._answer(exchange)
        except ClientLeft:
            _log.debug("%s %s: the client left", exchange.method, exchange.path)
        except (Refused, UpstreamFailed) as error:
            await self._refuse(exchange, error.status, str(error), error.code)
        except Exception as error:  # noqa: BLE001 - the outermost edge
            _log.exception("%s %s failed", exchange.method, exchange.path)
            text = f"the proxy failed ({type(error).__name__}); its log says why, and the request may be tried again"
            await self._refuse(exchange, 500, text, "internal")
        finally:
            self._traffic.now -= 1
            self._traffic.last_s = time.monotonic()
            _log.debug("%s %s: %.0f ms", exchange.method, exchange.path, (time.perf_counter() - began) * 1000)

    async def _answer(self, exchange: Exchange) -> None:
        passed = self._access.enter(exchange.headers, exchange.method)
        if not exchange.target.startswith(b"/") and exchange.method != "OPTIONS":
            raise Refused(
                400, "the target of a request is a path; send one that begins with /", "invalid_target"
            )
        if "content-length" in exchange.headers and "transfer-encoding" in exchange.headers:
            raise Refused(400, "Content-Length and Transfer-Encoding cannot be combined; send one of them")
        if self._access.is_shown_in(exchange.target):
            raise Refused(
                400, "the address shows a token of this server; send it in a header", "token_in_address"
            )
        dialect = dialect_of(exchange.path)
        if dialect is None or exchange.method != "POST" or passed.bypass or self._mode is Mode.OFF:
            await self._pass_through(exchange, passed, self._unspoken(exchange, passed))
        else:
            await self._chat(exchange, passed, dialect)

    async def _chat(self, exchange: Exchange, passed: Pass, dialect: Dialect) -> None:
        body = await exchange.body(round(self._settings.max_body_mb * 1_000_000))
        given = (
            request_of(body) if exchange.headers.get("content-encoding", "identity") == "identity" else None
        )
        chat = None if given is None else dialect.chat_of(given)
        if chat is None:
            # Whether it can be used at all is for the upstream to say.
            await while_there(exchange, self._relay(exchange, passed, body))
            return
        why = self._side_requests.why(chat, exchange.headers)
        scope = None if why else self._scope_of(exchange, passed, chat)
        if scope is None:
            note = without_memory(why or "nobody says whose chat it is")
            await while_there(exchange, self._relay(exchange, passed, body, note))
            return
        header = self._settings.session_header
        named = own_header(exchange.headers, header) if header else None
        session_id = passed.session_id or (session(named) if named else None)
        # Users whom a chat server tells apart count for themselves; who names a narrower scope does not.
        caller = f"{passed.caller} {scope}" if self._tells_users_apart else passed.caller
        request = ChatRequest(exchange, passed, dialect, chat, body, scope, session_id, caller)
        await while_there(exchange, self._talk.answer(request))

    @property
    def _tells_users_apart(self) -> bool:
        return bool(self._settings.user_header or self._settings.user_field)

    def _scope_of(self, exchange: Exchange, passed: Pass, chat: AskedChat) -> MemoryScope | None:
        """Scope of the chat's owner; None where users are to be told apart and this one is not named."""
        settings = self._settings
        if not self._tells_users_apart:
            return passed.scope
        named: object = own_header(exchange.headers, settings.user_header) if settings.user_header else None
        if not named and settings.user_field:
            named = chat.user
        return passed.for_user(named) if isinstance(named, str) else None

    def _unspoken(self, exchange: Exchange, passed: Pass) -> RawHeaders:
        """Headers about a path where a model is asked without memory; once for each, the operator is told as well."""
        path = exchange.path.rstrip("/").lower()
        if (
            exchange.method != "POST"
            or passed.bypass
            or not path.endswith(_UNSPOKEN)
            or self._mode is Mode.OFF
        ):
            return ()
        end = next(end for end in _UNSPOKEN if path.endswith(end))
        if end not in self._told:
            self._told.add(end)
            _log.warning(
                "requests to %s go on without memory: the proxy does not speak this way of asking", end
            )
        return without_memory("the proxy does not speak this way of asking")

    async def _pass_through(self, exchange: Exchange, passed: Pass, notes: RawHeaders = ()) -> None:
        read = asyncio.Event()
        if not exchange.has_body:
            read.set()
        body = noting(exchange.parts(), read) if exchange.has_body else None
        await while_there(exchange, self._relay(exchange, passed, body, notes), read)

    async def _relay(
        self,
        exchange: Exchange,
        passed: Pass,
        body: bytes | AsyncIterator[bytes] | None,
        notes: RawHeaders = (),
    ) -> None:
        forwarded = self._upstream.request(
            exchange.method,
            exchange.target,
            exchange.raw_headers,
            body,
            leave_out=passed.token_in,
        )
        async with forwarded as response:
            await passed_through(exchange, response, notes)

    async def _refuse(self, exchange: Exchange, status: int, message: str, code: str) -> None:
        """Say what is wrong as the server would that the client thinks it talks to."""
        if exchange.started:
            return
        headers = [*_JSON, (b"www-authenticate", b"Bearer")] if status == 401 else _JSON
        if exchange.has_body:
            await exchange.drain()
        body = refusal(exchange.path, exchange.headers, status, message, code)
        await exchange.answer(status, [*headers, (b"connection", b"close")], body)
