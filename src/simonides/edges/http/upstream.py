"""The server behind the proxy: reached at one address that the settings name, and at no other."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import unquote

import httpx

from simonides.edges.http.access import OWN, OWN_COOKIE
from simonides.edges.http.connections import HOP_BY_HOP, Connections, Response, ServerPlace, WireRequest
from simonides.edges.http.exchange import RawHeaders

#: Sent by every client that speaks Anthropic's dialect.
_OF_ANTHROPIC: Final = b"anthropic-version"
_PORTS: Final = {"http": 80, "https": 443}


class Upstream:
    """Sends requests on. It follows no redirects, keeps no cookies and heeds no proxy of the environment.

    Args:
        address: http:// or https://; a path is put before the path of each request, `/v1` at its end is left out.
            A name and password in it are sent as such, and never shown.
        key: Sent as `Authorization`, or as `x-api-key` where a client speaks to Anthropic, instead of what clients
            send; None to pass theirs on.
        connect_s, silence_s: Longest waits for a connection, and for the next byte.

    Attributes:
        address: As people are told it.
    """

    def __init__(self, address: str, key: str | None, *, connect_s: float, silence_s: float) -> None:
        url = httpx.URL(address)
        self._prefix = url.raw_path.partition(b"?")[0].rstrip(b"/").removesuffix(b"/v1")
        self._host = url.netloc
        self._key = key
        self._authorization = _bearer(key) or _basic(url)
        self.address = shown(address)
        self._lines = Connections(
            ServerPlace(
                host=url.raw_host.decode("ascii").strip("[]"),
                port=url.port or _PORTS[url.scheme],
                tls=httpx.create_ssl_context() if url.scheme == "https" else None,
                address=self.address,
                connect_s=connect_s,
                silence_s=silence_s,
            )
        )

    @asynccontextmanager
    async def request(
        self,
        method: str,
        target: bytes,
        headers: RawHeaders,
        body: bytes | AsyncIterator[bytes] | None,
        *,
        replace: Mapping[bytes, bytes] | None = None,
        leave_out: Iterable[str] = (),
    ) -> AsyncGenerator[Response]:
        """Send a request on; the answer's body is still to come. Left before its end, it is broken off.

        Args:
            headers: The client's; those of one connection, and the proxy's own, are left out.
            body: Sent with its length where it is whole; None for none.
            replace: Headers, in lower case, that take the place of the client's.
            leave_out: Headers of the client's that are not meant for the upstream: they showed the proxy's token.

        Raises:
            UpstreamFailed: No answer began.
        """
        fixed = {b"host": self._host, **(replace or {})}
        left_out = {name.encode() for name in leave_out}
        if self._key is not None and any(name.lower() == _OF_ANTHROPIC for name, _ in headers):
            fixed[b"x-api-key"] = self._key.encode()
            left_out.add(b"authorization")
        elif self._authorization is not None:
            fixed[b"authorization"] = self._authorization
        if isinstance(body, bytes):
            fixed[b"content-length"] = str(len(body)).encode()
        left_out |= set(fixed)
        sent = [*fixed.items(), *(pair for pair in end_to_end(headers) if pair[0].lower() not in left_out)]
        if body is not None and not any(name.lower() == b"content-length" for name, _ in sent):
            sent.append((b"transfer-encoding", b"chunked"))
        # The target goes as it came, neither quoted nor shortened.
        line, response = await self._lines.ask(WireRequest(method, self._prefix + target, sent, body))
        try:
            yield response
        finally:
            self._lines.release(line)

    async def close(self) -> None:
        await self._lines.close()


def shown(address: str) -> str:
    """An address of an upstream as people are told it: without name and password, query and `/v1`."""
    url = httpx.URL(address)
    prefix = url.raw_path.partition(b"?")[0].rstrip(b"/").removesuffix(b"/v1")
    return f"{url.scheme}://{url.netloc.decode('ascii')}{prefix.decode('ascii')}"


def end_to_end(headers: RawHeaders) -> Iterable[tuple[bytes, bytes]]:
    """Headers without those of one connection and the proxy's own.

    A browser sends the cookie of a page to every port of its host, so that the token in it comes to a proxy as well.
    """
    named = {
        name.strip().lower()
        for key, value in headers
        if key.lower() == b"connection"
        for name in value.split(b",")
    }
    kept = (
        (key, value)
        for key, value in headers
        if (lower := key.lower()) not in HOP_BY_HOP
        and lower not in named
        and not lower.startswith(OWN.encode())
    )
    return [
        (key, left)
        for key, value in kept
        if (left := _without_own(value) if key.lower() == b"cookie" else value) or not value
    ]


def _without_own(cookies: bytes) -> bytes:
    """What a `Cookie` header holds beside the tokens of pages."""
    own = OWN_COOKIE.encode()
    return b"; ".join(
        one for part in cookies.split(b";") if (one := part.strip()) and not one.startswith(own)
    )


def _bearer(key: str | None) -> bytes | None:
    return None if key is None else f"Bearer {key}".encode()


def _basic(url: httpx.URL) -> bytes | None:
    if not url.userinfo:
        return None
    return b"Basic " + base64.b64encode(unquote(url.userinfo.decode("ascii")).encode())
