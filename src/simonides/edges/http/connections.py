"""Connections to the server behind the proxy, by h11: each is whole and idle again after a request, or gone at once.

Nothing is awaited while a connection is let go, so a client that leaves at any moment leaves nothing half closed
behind it, and there is no queue in which others could wait for it.
"""

from __future__ import annotations

import asyncio
import errno
import os
import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Sequence
from pathlib import Path
from typing import Final, TypeVar, cast

import h11
from starlette.datastructures import Headers

from simonides.values import dataclass

T = TypeVar("T")

#: Said of one connection only (RFC 9110, 7.6.1), or answered by the proxy itself.
HOP_BY_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
        *(b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect"),
    }
)
#: Servers of models that close idle connections do so after five seconds or later.
_KEPT_S: Final = 4.0
#: Bytes of an answer that wait here for a slow client before the server is made to wait.
_MOST_WAITING: Final = 256 * 1024
#: A head of an answer: some servers send cookies and policies of many kilobytes.
_LONGEST_HEAD: Final = 256 * 1024
_HAPPY_EYEBALLS_S: Final = 0.25


class UpstreamFailed(Exception):
    """The upstream gave no answer, or broke off in the midst of one.

    Attributes:
        status: What the client is told: 502, or 504 if it was silent for too long.
        code: Its stable name.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = "upstream_silent" if status == 504 else "upstream_failed"


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as it goes over the wire."""

    method: str
    target: bytes
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes | AsyncIterator[bytes] | None

    @property
    def may_be_sent_twice(self) -> bool:
        """True if it can be sent again over a new connection after a kept one proved dead, as Go's client does it."""
        return isinstance(self.body, bytes) or self.method in {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}


class Response:
    """The head of an answer; iterating over it gives its body as it comes.

    Iterating raises UpstreamFailed where the answer breaks off.
    """

    def __init__(self, status: int, raw_headers: list[tuple[bytes, bytes]], line: Line) -> None:
        self.status = status
        self.raw_headers = raw_headers
        self.headers = Headers(raw=[(name.lower(), value) for name, value in raw_headers])
        self._line = line

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._line.body()


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """A server's address, and the time that it is waited for.

    Attributes:
        address: As people are told it.
        connect_s, silence_s: Longest waits for a connection, and for the next byte.
        path: A socket of this machine, in the place of host and port.
    """

    host: str
    port: int
    tls: ssl.SSLContext | None
    address: str
    connect_s: float
    silence_s: float
    path: Path | None = None

    def unreachable(self, why: object) -> UpstreamFailed:
        text = f"{self.address} cannot be reached ({why}); check that the server runs, and proxy.upstream"
        return UpstreamFailed(502, text)

    def silent(self) -> UpstreamFailed:
        return UpstreamFailed(
            504, f"{self.address} was silent for {self.silence_s:g} s; ask again, or raise proxy.timeout_s"
        )

    def broke_off(self, why: object) -> UpstreamFailed:
        return UpstreamFailed(502, f"{self.address} broke off before it answered ({why}); ask again")


class Connections:
    """Connections to one server: as many as there are requests at once; idle ones are kept for some seconds."""

    def __init__(self, place: ServerPlace) -> None:
        self._place = place
        #: Each with the timer that ends it; the one that was used last is the last.
        self._idle: dict[Line, asyncio.TimerHandle] = {}

    async def ask(self, asking: WireRequest) -> tuple[Line, Response]:
        """Send a request; the line is the caller's until `release`.

        Raises:
            UpstreamFailed: No answer began.
        """
        if (line := self._kept()) is not None:
            try:
                return line, await line.ask(asking)
            except UpstreamFailed as error:
                # The server closed it in the moment it was used again.
                if line.heard or error.status != 502 or not asking.may_be_sent_twice:
                    raise
        line = await self._opened()
        return line, await line.ask(asking)

    def release(self, line: Line) -> None:
        """Keep a line whose answer has come to its end; any other is broken off."""
        if line.rested():
            self._idle[line] = asyncio.get_running_loop().call_later(_KEPT_S, self._drop, line)

    async def close(self) -> None:
        for line in list(self._idle):
            self._drop(line)
        await asyncio.sleep(0)  # The loop closes what was broken off when it comes round.

    async def _opened(self) -> Line:
        """A new line. Opening is not cancelled with whoever waits for it: asyncio would lose the socket."""
        opening = asyncio.ensure_future(Line.open(self._place))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_unwanted)
            raise

    def _kept(self) -> Line | None:
        while self._idle:
            line, timer = self._idle.popitem()
            timer.cancel()
            if line.usable:
                return line
            line.abort()
        return None

    def _drop(self, line: Line) -> None:
        self._idle.pop(line).cancel()
        line.abort()


def _unwanted(opening: asyncio.Future[Line]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().abort()


class Line:
    """One connection, used by one request at a time.

    Attributes:
        heard: Whether a byte of the present answer has come.
    """

    def __init__(self, place: ServerPlace, wire: _Wire) -> None:
        self.heard = False
        self._place = place
        self._wire = wire
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LONGEST_HEAD)

    @classmethod
    async def open(cls, place: ServerPlace) -> Line:
        """A new connection.

        Raises:
            UpstreamFailed: There is none.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(place.connect_s):
                if place.path is not None:
                    _, wire = await loop.create_unix_connection(_Wire, str(place.path))
                    return cls(place, wire)
                _, wire = await loop.create_connection(
                    _Wire,
                    place.host,
                    place.port,
                    ssl=place.tls,
                    happy_eyeballs_delay=_HAPPY_EYEBALLS_S,
                )
        except TimeoutError as error:
            raise place.unreachable(f"no connection within {place.connect_s:g} s") from error
        except OSError as error:
            raise place.unreachable(_reason(error)) from error
        return cls(place, wire)

    async def ask(self, asking: WireRequest) -> Response:
        """Send a request and read the head of its answer. Whatever goes wrong, the line is broken off.

        Raises:
            UpstreamFailed: No answer began.
        """
        self.heard = False
        try:
            await self._send(asking)
            while not isinstance(event := await self._next(), h11.Response):
                pass  # "Early hints" and the like.
        except BaseException:
            self.abort()
            raise
        return Response(event.status_code, event.headers.raw_items(), self)

    async def body(self) -> AsyncIterator[bytes]:
        """Rest of the answer's body, as it comes."""
        while True:
            event = await self._next()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                return

    @property
    def usable(self) -> bool:
        """True while an idle line stands, with nothing said that nobody asked for."""
        return not self._wire.over and not self._wire.waiting

    def rested(self) -> bool:
        """Make the line ready for another request; if its answer has not come to its end it is broken off."""
        done = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        # What stands behind an answer would be taken for the next one's beginning.
        if not done or self._http.trailing_data[0] or not self.usable:
            self.abort()
            return False
        self._http.start_next_cycle()
        return True

    def abort(self) -> None:
        """Break the connection off, at once."""
        self._wire.transport.abort()

    async def _send(self, asking: WireRequest) -> None:
        head = h11.Request(method=asking.method, target=asking.target, headers=list(asking.headers))
        first = self._said(head)
        if isinstance(asking.body, bytes):
            first += self._said(h11.Data(data=asking.body))
        if asking.body is None or isinstance(asking.body, bytes):
            # All at once and not waited for: an answer may come before all is read.
            self._wire.transport.write(first + self._said(h11.EndOfMessage()))
            return
        self._wire.transport.write(first)
        async for part in asking.body:
            self._wire.transport.write(self._said(h11.Data(data=part)))
            if not await self._in_time(self._wire.room()):
                return  # It hung up, and may have said why before.
        self._wire.transport.write(self._said(h11.EndOfMessage()))

    def _said(self, event: h11.Event) -> bytes:
        return self._http.send(event) or b""

    async def _next(self) -> h11.Event:
        """The next event of the answer.

        Raises:
            UpstreamFailed: There is none.
        """
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                data = await self._in_time(self._wire.read())
                self.heard = self.heard or bool(data)
                if not data and not self.heard:
                    raise self._place.broke_off("it hung up")
                self._http.receive_data(data)
        except (h11.RemoteProtocolError, OSError) as error:
            raise self._place.broke_off(error) from error
        return cast("h11.Event", event)

    async def _in_time(self, work: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._place.silence_s):
                return await work
        except TimeoutError:
            raise self._place.silent() from None


class _Wire(asyncio.Protocol):
    """Bytes that come and go over one connection."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.over = False
        self._came: deque[bytes] = deque()
        self._bytes = 0
        self._error: Exception | None = None
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    @property
    def waiting(self) -> bool:
        """True if something came that was not read."""
        return bool(self._came)

    async def read(self) -> bytes:
        """Return what came, in one piece; nothing once the server has ended the connection.

        Raises:
            OSError: It was broken off. All that came before has been read.
        """
        while not self._came:
            if self._error is not None:
                raise self._error
            if self.over:
                return b""
            self._news.clear()
            await self._news.wait()
        data = b"".join(self._came)
        self._came.clear()
        if self._bytes > _MOST_WAITING and not self.over:
            self.transport.resume_reading()
        self._bytes = 0
        return data

    async def room(self) -> bool:
        """Wait until the server takes more; whether it still does."""
        await self._room.wait()
        return not self.over

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        before = self._bytes
        self._bytes += len(data)
        if before <= _MOST_WAITING < self._bytes:
            self.transport.pause_reading()
        self._came.append(data)
        self._news.set()

    def eof_received(self) -> None:
        self.over = True
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.over = True
        self._error = exc
        self._news.set()
        self._room.set()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()


def _reason(error: OSError) -> object:
    """Words of the system for an error; asyncio puts a number before them, and the address once more behind."""
    number = error.errno
    if number is not None and number in errno.errorcode and not isinstance(error, ssl.SSLError):
        return os.strerror(number)
    return error.strerror or error
