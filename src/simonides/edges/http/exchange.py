"""One request of a client and the answer to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from simonides.edges.http.access import Refused

#: Header names and values as they go over the wire.
RawHeaders = Sequence[tuple[bytes, bytes]]
_EMPTY: Final = b""
#: What of a refused body is read at most, and for how long.
_DRAIN_BYTES: Final = 64_000_000
_DRAIN_S: Final = 5.0


class ClientLeft(Exception):
    """The client has gone before its answer came to its end."""


class Exchange:
    """The client's side. An answer that is begun and not ended reaches the client as one that was cut."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        query: bytes = scope["query_string"]
        self.target: bytes = scope["raw_path"] + (b"?" + query if query else b"")
        self.raw_headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        self.headers = Headers(raw=self.raw_headers)
        self.started = False
        self._more = True
        self._receive = receive
        self._send = send

    @property
    def has_body(self) -> bool:
        """True if the client says that a body comes."""
        return "content-length" in self.headers or "transfer-encoding" in self.headers

    async def parts(self) -> AsyncIterator[bytes]:
        """The body as it comes in.

        Raises:
            ClientLeft: It does not come to its end.
        """
        while self._more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientLeft
            self._more = message.get("more_body", False)
            if part := message.get("body", _EMPTY):
                yield part

    async def body(self, most: int) -> bytes:
        """The body, whole.

        Raises:
            Refused: It is longer than `most` bytes.
            ClientLeft: It does not come to its end.
        """
        declared = self.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise Refused(413, _too_long(most))
        read: list[bytes] = []
        length = 0
        async for part in self.parts():
            length += len(part)
            if length > most:
                raise Refused(413, _too_long(most))
            read.append(part)
        return b"".join(read)

    async def drain(self) -> None:
        """Read on, within bounds, what the client is still sending.

        A client that sends reads no answer, and a connection that is closed on unread bytes takes the answer back.
        """
        if self.headers.get("expect", "").casefold() == "100-continue":
            return  # It waits for leave to send.
        drained = 0
        with suppress(ClientLeft, TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                async for part in self.parts():
                    drained += len(part)
                    if drained > _DRAIN_BYTES:
                        return

    async def until_left(self) -> None:
        """Wait until the client leaves; its body must have been read."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def start(self, status: int, headers: RawHeaders) -> None:
        self.started = True
        await self._send({"type": "http.response.start", "status": status, "headers": list(headers)})

    async def write(self, data: bytes) -> None:
        if data:
            await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": _EMPTY, "more_body": False})

    async def answer(self, status: int, headers: RawHeaders, body: bytes) -> None:
        """A whole answer with its length."""
        await self.start(status, [*headers, (b"content-length", str(len(body)).encode())])
        await self.write(body)
        await self.end()


def _too_long(most: int) -> str:
    return f"the request is longer than {most / 1_000_000:g} MB; send less at a time"


async def while_there(
    exchange: Exchange, work: Coroutine[Any, Any, None], read: asyncio.Event | None = None
) -> None:
    """Do some work for a client; it is broken off at once when the client leaves.

    Args:
        read: Set when the client's body has been read, if that is part of the work.

    Raises:
        ClientLeft: It left.
    """
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(exchange, read))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            doing.cancel()
            await asyncio.wait({doing})
    finally:
        leaving.cancel()
        if not doing.done():  # The server itself is being stopped.
            doing.cancel()
            await asyncio.wait({doing})
    if doing.cancelled():
        raise ClientLeft
    doing.result()


async def _left(exchange: Exchange, read: asyncio.Event | None) -> None:
    if read is not None:
        await read.wait()
    await exchange.until_left()


async def noting(parts: AsyncIterator[bytes], read: asyncio.Event) -> AsyncIterator[bytes]:
    """A body as it comes in, noting when it has been read."""
    async for part in parts:
        yield part
    read.set()
