"""The server behind the proxy: reached at one address that the settings name, and at no other."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx

from simonides.edges.http.doors import OWN
from simonides.edges.http.exchange import RawHeaders

#: Said of one connection only (RFC 9110, 7.6.1), or answered by the proxy itself.
_HOP_BY_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
        *(b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect"),
    }
)
#: Servers of models that close idle connections do so after five seconds or later.
_KEPT_S: Final = 4.0


class UpstreamFailed(Exception):
    """The upstream gave no answer.

    Attributes:
        status: What the client is told: 502, or 504 if it was silent for too long.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Upstream:
    """Sends requests on. It follows no redirects, keeps no cookies and heeds no proxy of the environment.

    Args:
        address: http:// or https://; a path is put before the path of each request, `/v1` at its end is left out.
        key: Sent as `Authorization` instead of what clients send; None to pass theirs on.
        connect_s, silence_s: Longest waits for a connection, and for the next byte.
    """

    def __init__(self, address: str, key: str | None, *, connect_s: float, silence_s: float) -> None:
        self._url = httpx.URL(address)
        self._prefix = self._url.raw_path.partition(b"?")[0].rstrip(b"/").removesuffix(b"/v1")
        self._key = None if key is None else f"Bearer {key}".encode()
        self._timeout = {"connect": connect_s, "read": silence_s, "write": silence_s, "pool": None}
        self._lines = _Lines()
        self.address = str(self._url.copy_with(path="/")).rstrip("/") + self._prefix.decode("ascii")

    @asynccontextmanager
    async def asked(
        self,
        method: str,
        target: bytes,
        headers: RawHeaders,
        body: bytes | AsyncIterator[bytes] | None,
        *,
        replace: Mapping[bytes, bytes] | None = None,
        keeps_authorization: bool = True,
    ) -> AsyncGenerator[httpx.Response]:
        """Send a request on; the answer's body is still to come. Left before its end, it is broken off.

        Args:
            headers: The client's; those of one connection, and the proxy's own, are left out.
            body: Sent with its length where it is whole; None for none.
            replace: Headers, in lower case, that take the place of the client's.
            keeps_authorization: Whether the client's `Authorization` is meant for the upstream.

        Raises:
            UpstreamFailed: No answer began.
        """
        fixed = {b"host": self._url.netloc, **(replace or {})}
        if self._key is not None:
            fixed[b"authorization"] = self._key
        if isinstance(body, bytes):
            fixed[b"content-length"] = str(len(body)).encode()
        left_out = set(fixed) | (set[bytes]() if keeps_authorization else {b"authorization"})
        sent = [*fixed.items(), *(pair for pair in end_to_end(headers) if pair[0].lower() not in left_out)]
        if body is not None and not any(name.lower() == b"content-length" for name, _ in sent):
            sent.append((b"transfer-encoding", b"chunked"))
        request = httpx.Request(
            method,
            self._url,
            headers=sent,
            stream=_Body(body),
            # The target goes as it came: httpx would quote and shorten it.
            extensions={"target": self._prefix + target, "timeout": self._timeout},
        )
        async with self._lines.one() as line:
            try:
                response = await line.handle_async_request(request)
            except httpx.HTTPError as error:
                raise self.failed(error) from error
            try:
                yield response
            finally:
                await response.aclose()

    def failed(self, error: httpx.HTTPError) -> UpstreamFailed:
        """What to tell a client of an error."""
        match error:
            case httpx.ConnectTimeout() | httpx.ConnectError():
                text = f"{self.address} cannot be reached ({error}); check that the server runs, and proxy.upstream"
                return UpstreamFailed(502, text)
            case httpx.TimeoutException():
                return UpstreamFailed(
                    504, f"{self.address} was silent for {self._timeout['read']:g} s (proxy.timeout_s)"
                )
            case _:
                return UpstreamFailed(502, f"{self.address} broke off before it answered ({error})")

    async def close(self) -> None:
        await self._lines.close()


def end_to_end(headers: RawHeaders) -> Iterable[tuple[bytes, bytes]]:
    """Headers without those of one connection and the proxy's own."""
    named = {
        name.strip().lower()
        for key, value in headers
        if key.lower() == b"connection"
        for name in value.split(b",")
    }
    return [
        (key, value)
        for key, value in headers
        if (lower := key.lower()) not in _HOP_BY_HOP
        and lower not in named
        and not lower.startswith(OWN.encode())
    ]


class _Lines:
    """Connections that are kept for the next request, each by a transport of its own.

    One transport for all would look through its connections for every one of them at each request: with 32 streams
    at once that took half of the proxy's time.
    """

    def __init__(self) -> None:
        self._limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEPT_S)
        self._context = httpx.create_ssl_context()
        #: With the time since when; the latest at the end.
        self._idle: deque[tuple[httpx.AsyncHTTPTransport, float]] = deque()

    @asynccontextmanager
    async def one(self) -> AsyncGenerator[httpx.AsyncHTTPTransport]:
        """A line for one request; the one that was used last, if any is idle."""
        line = self._idle.pop()[0] if self._idle else self._new()
        try:
            yield line
        finally:
            self._idle.append((line, time.monotonic()))
            await self._let_go_of_old_ones()

    def _new(self) -> httpx.AsyncHTTPTransport:
        return httpx.AsyncHTTPTransport(verify=self._context, limits=self._limits)

    async def _let_go_of_old_ones(self) -> None:
        while self._idle[0][1] < time.monotonic() - _KEPT_S:
            await self._idle.popleft()[0].aclose()

    async def close(self) -> None:
        while self._idle:
            await self._idle.popleft()[0].aclose()


class _Body(httpx.AsyncByteStream):
    """A body as httpx wants it."""

    def __init__(self, body: bytes | AsyncIterator[bytes] | None) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if isinstance(self._body, bytes):
            yield self._body
        elif self._body is not None:
            async for part in self._body:
                yield part
