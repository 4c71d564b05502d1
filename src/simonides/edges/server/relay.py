"""Workers among themselves: what one of them alone can answer is asked of it, by a socket of this machine."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Scope, Send

from simonides.edges.http.connections import HOP_BY_HOP, Connections, ServerPlace, UpstreamFailed, WireRequest
from simonides.edges.http.exchange import ClientLeft, Exchange, RawHeaders, noting, while_there
from simonides.edges.server.problems import HttpProblem, busy
from simonides.edges.server.refusals import for_caller
from simonides.edges.server.team import WORKER, Team

_CONNECT_S: Final = 5.0
#: A conversation over MCP is silent for hours.
_SILENCE_S: Final = 86_400.0
_METRICS_S: Final = 2.0


class Relay:
    """Requests to other workers."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._lines = [Connections(_place(team, number)) for number in range(team.size)]

    async def to_first(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request as the first worker does."""
        exchange = Exchange(scope, receive, send)
        try:
            read = asyncio.Event()
            if not exchange.has_body:
                read.set()
            await while_there(exchange, self._relayed(exchange, read), read)
        except ClientLeft:
            pass
        except UpstreamFailed:
            text = "the process that answers this is being started again; send it again"
            await for_caller(HttpProblem(503, "busy", text, busy()), scope)(scope, receive, send)

    async def metrics(self, headers: RawHeaders) -> list[bytes]:
        """Counts of the other workers; what one that does not answer counted is left out."""
        others = (number for number in range(self._team.size) if number != self._team.number)
        counts = await asyncio.gather(*(self._counted(number, headers) for number in others))
        return [one for one in counts if one is not None]

    async def close(self) -> None:
        """Let go of the connections."""
        for lines in self._lines:
            await lines.close()

    async def _counted(self, number: int, headers: RawHeaders) -> bytes | None:
        asking = WireRequest("GET", b"/metrics", self._sent(headers), None)
        with suppress(UpstreamFailed, TimeoutError):
            async with asyncio.timeout(_METRICS_S):
                line, response = await self._lines[number].ask(asking)
                try:
                    return b"".join([part async for part in response]) if response.is_success else None
                finally:
                    self._lines[number].release(line)
        return None

    async def _relayed(self, exchange: Exchange, read: asyncio.Event) -> None:
        body = noting(exchange.parts(), read) if exchange.has_body else None
        headers = self._sent(exchange.raw_headers)
        if body is not None and "content-length" not in exchange.headers:
            headers.append((b"transfer-encoding", b"chunked"))
        lines = self._lines[0]
        line, response = await lines.ask(WireRequest(exchange.method, exchange.target, headers, body))
        try:
            await exchange.start(response.status, _kept(response.raw_headers))
            with suppress(UpstreamFailed):  # Then the answer breaks off for the client as well.
                async for piece in response:
                    await exchange.write(piece)
                await exchange.end()
        finally:
            lines.release(line)

    def _sent(self, headers: RawHeaders) -> list[tuple[bytes, bytes]]:
        named = WORKER.encode()
        return [
            *(pair for pair in _kept(headers) if pair[0].lower() != named),
            (named, self._team.secret.encode()),
        ]


def _kept(headers: RawHeaders) -> list[tuple[bytes, bytes]]:
    return [pair for pair in headers if pair[0].lower() not in HOP_BY_HOP]


def _place(team: Team, number: int) -> ServerPlace:
    return ServerPlace(
        "worker", 80, None, f"worker {number}", _CONNECT_S, _SILENCE_S, path=team.socket(number)
    )
