"""The server: HTTP/1.1 by hand on a thread of its own, so that it can break off wherever it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
import struct
import threading
from collections.abc import Sequence
from typing import Any, Final

from simonides.domain.closing import Closing
from simonides.testing_server import messages, responses
from simonides.testing_server.faults import Fault, spoil
from simonides.testing_server.messages import ANTHROPIC_MESSAGES
from simonides.testing_server.responses import OPENAI_RESPONSES
from simonides.testing_server.script import Answer, Asked, Page, Said, Script
from simonides.testing_server.wire import (
    CHATS,
    OLLAMA_CHAT,
    OLLAMA_GENERATE,
    OPENAI_CHAT,
    Wire,
    failure,
    written,
)

_JSON: Final = (("Content-Type", "application/json"),)
_REASONS: Final = {200: "OK", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error"}
_BACKLOG: Final = 2048
#: Lines of a request longer than this are not read.
_LONGEST_LINE: Final = 1 << 20
#: How often a waiting answer looks whether its client is still there.
_LOOK_S: Final = 0.005


class ScriptedServer(Closing):
    """Listens on 127.0.0.1 from when it is made until it is closed.

    Args:
        script: What is answered to chats, and to every other path where a callable gives a `Page`. A list that
            has come to its end is an error of status 500; None repeats what the user said.
        models: Names of the models it has; a chat with another is answered with 404. None for any.
        port: 0 for a free one.

    Attributes:
        requests: Everything that was asked, in the order it came, whole.
        left: Set when a client leaves before its answer has come to its end.

    What is asked beside chats is answered as such a server would (`/v1/models`, `/api/tags`, `/api/version`), or
    with the request itself as JSON.
    """

    def __init__(
        self, script: Script | None = None, *, models: Sequence[str] | None = None, port: int = 0
    ) -> None:
        self.requests: list[Asked] = []
        self.left = threading.Event()
        self._script = script
        self._models = models
        self._asked = 0
        self._responses = responses.KeptResponses()
        self._threads = messages.KeptThreads()
        # Told its protocol, asyncio sends each write at once; else small ones would wait 40 ms for each other.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self._socket.listen(_BACKLOG)
        self.port: int = self._socket.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="scripted-server", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def chats(self) -> list[Asked]:
        """Chats that the model was asked for."""
        return [request for request in self.requests if request.path in CHATS]

    def join(self) -> None:
        """Wait until somebody closes it."""
        self._thread.join()

    def close(self) -> None:
        """Break off what is under way and stop listening. Closing twice is fine."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()

    # The thread

    def _run(self) -> None:
        with contextlib.closing(self._loop):
            self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(
            self._connected, sock=self._socket, limit=_LONGEST_LINE, backlog=_BACKLOG
        )
        await self._stopped.wait()
        server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = _Connection(reader, writer)
        try:
            while (request := await connection.read()) is not None:
                self.requests.append(request)
                if not await connection.answer(request, self._told(request)):
                    break
        except asyncio.CancelledError:
            writer.transport.abort()
        except (_Left, ConnectionError):
            self.left.set()
        finally:
            writer.close()

    # What is answered

    def _told(self, request: Asked) -> Said | Page:
        if request.method == "POST" and request.path in CHATS:
            return self._refused(request) or self._kept(request, self._said(request))
        answer = self._script(request) if callable(self._script) else None
        return answer if isinstance(answer, Page) else _page(request, self._models)

    def _refused(self, request: Asked) -> Page | None:
        """Page by which such a server answers a request that it cannot use."""
        model = request.json.get("model")
        if not request.json:
            return Page(
                failure(request.path, "the body is no JSON object", "invalid_request_error"), 400, _JSON
            )
        if self._models is not None and model not in self._models:
            text = f"model '{model}' not found"
            return Page(failure(request.path, text, "invalid_request_error", "model_not_found"), 404, _JSON)
        if (text := self._complaint(request)) is not None:
            code = self._threads.lost(request) if request.path == ANTHROPIC_MESSAGES else None
            return Page(failure(request.path, text, "invalid_request_error", code), 400, _JSON)
        if request.path == OLLAMA_CHAT and not request.messages:
            loaded = {
                "model": model,
                "message": {"role": "assistant", "content": ""},
                "done_reason": "load",
                "done": True,
            }
            return Page(json.dumps(loaded).encode(), 200, _JSON)
        return None

    def _complaint(self, request: Asked) -> str | None:
        match request.path:
            case messages.ANTHROPIC_MESSAGES:
                return self._threads.complaint(request)
            case responses.OPENAI_RESPONSES:
                return self._responses.complaint(request)
            case _:
                short = request.path == OPENAI_CHAT and not request.messages
                return "'messages' is too short" if short else None

    def _kept(self, request: Asked, answer: Said | Page) -> Said | Page:
        keeping = {OPENAI_RESPONSES: self._responses, ANTHROPIC_MESSAGES: self._threads}.get(request.path)
        if keeping is not None and isinstance(answer, Said):
            keeping.keep(request, answer, spoil(answer.text, answer.fault))
        return answer

    def _said(self, request: Asked) -> Said | Page:
        answer: Answer
        if self._script is None:
            answer = _last_words(request)
        elif callable(self._script):
            try:
                answer = self._script(request)
            except Exception as error:  # noqa: BLE001 - a test is told by the answer
                text = f"the script failed: {error!r}"
                return Page(failure(request.path, text, "server_error"), 500, _JSON)
        elif isinstance(self._script, str | Said | Page):
            answer = self._script
        elif self._asked < len(self._script):
            answer = self._script[self._asked]
            self._asked += 1
        else:
            text = f"the script has {len(self._script)} answers, not more"
            return Page(failure(request.path, text, "server_error"), 500, _JSON)
        return Said(answer) if isinstance(answer, str) else answer


class _Left(Exception):
    """The client is gone."""


class _Connection:
    """One client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> Asked | None:
        """The next request; None where the client is done."""
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        method, target, _ = first.split(" ", 2)
        headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines))
        request = Asked(method, target, headers, b"")
        try:
            return Asked(method, target, headers, await self._body(request))
        except asyncio.IncompleteReadError:
            raise _Left from None

    async def _body(self, request: Asked) -> bytes:
        if (request.header("transfer-encoding") or "").lower() == "chunked":
            parts: list[bytes] = []
            while (size := int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16)) > 0:
                parts.append(await self._reader.readexactly(size))
                await self._reader.readexactly(2)
            await self._reader.readuntil(b"\r\n")
            return b"".join(parts)
        return await self._reader.readexactly(int(request.header("content-length") or 0))

    async def answer(self, request: Asked, answer: Said | Page) -> bool:
        """Send an answer; whether the connection goes on."""
        if isinstance(answer, Page):
            await self._page(request, answer)
            return True
        match answer.fault:
            case Fault.TIMEOUT:
                await self._until(None)
            case Fault.BUSY:
                text = failure(request.path, "too many requests", "rate_limit_error", "rate_limit_exceeded")
                await self._page(request, Page(text, 429, (*_JSON, ("Retry-After", "0"))))
            case Fault.BROKEN:
                await self._page(
                    request, Page(failure(request.path, "out of memory", "server_error"), 500, _JSON)
                )
            case _:
                await self._said(answer, written(request, answer))
        return answer.fault not in {Fault.RESET, Fault.CUT, Fault.TIMEOUT}

    async def _page(self, request: Asked, page: Page) -> None:
        if isinstance(page.body, bytes):
            await self._head(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
            await self._write(b"" if request.method == "HEAD" else page.body)
        else:
            await self._head(page.status, (*page.headers, ("Transfer-Encoding", "chunked")))
            for piece in page.body:
                await self._write(_chunk(piece))
            await self._write(_chunk(b""))

    async def _said(self, reply: Said, wire: Wire) -> None:
        headers: tuple[tuple[str, str], ...] = (("Content-Type", wire.content_type),)
        pieces = wire.pieces
        if reply.fault is Fault.PACKED:
            headers += (("Content-Encoding", "gzip"),)
            packed = gzip.compress(b"".join(pieces))
            pieces = (packed[: len(packed) // 2], packed[len(packed) // 2 :]) if wire.streams else (packed,)
        if wire.streams:
            await self._head(200, (*headers, ("Transfer-Encoding", "chunked")))
        else:
            whole = pieces[0]
            await self._head(200, (*headers, ("Content-Length", str(len(whole)))))
            pieces = (whole[: len(whole) // 2], whole[len(whole) // 2 :])
        end = len(pieces) // 2 if reply.fault in {Fault.RESET, Fault.CUT} else len(pieces)
        for number, piece in enumerate(pieces[:end]):
            if number == 1 and reply.hold is not None:
                await self._until(reply.hold)
            if number and reply.pause_s:
                await asyncio.sleep(reply.pause_s)
            if self._reader.at_eof():
                raise _Left
            await self._write(_chunk(piece) if wire.streams else piece)
        if reply.fault is Fault.RESET:
            self._reset()
        elif reply.fault is not Fault.CUT and wire.streams:
            await self._write(_chunk(b""))

    def _reset(self) -> None:
        """Let the client see a reset instead of an end."""
        value: socket.socket = self._writer.get_extra_info("socket")
        value.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def _until(self, hold: threading.Event | None) -> None:
        """Wait for an event, or for ever.

        Raises:
            _Left: The client has left meanwhile.
        """
        while hold is None or not hold.is_set():
            if self._reader.at_eof():
                raise _Left
            await asyncio.sleep(_LOOK_S)

    async def _head(self, status: int, headers: tuple[tuple[str, str], ...]) -> None:
        lines = [
            f"HTTP/1.1 {status} {_REASONS.get(status, 'Told So')}",
            *(f"{name}: {value}" for name, value in headers),
        ]
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    async def _write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _last_words(request: Asked) -> str:
    reply = [message.get("content") for message in request.messages if message.get("role") == "user"]
    last = request.json.get("prompt") if request.path == OLLAMA_GENERATE or not reply else reply[-1]
    return last if isinstance(last, str) else json.dumps(last)


def _page(request: Asked, models: Sequence[str] | None) -> Page:
    """Page that such a server has beside chats, or the request itself."""
    names = list(models or ["scripted"])
    answer: dict[str, Any]
    match request.path:
        case "/v1/models":
            answer = {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}
        case "/api/tags":
            answer = {"models": [{"name": name, "model": name} for name in names]}
        case "/api/version":
            answer = {"version": "0.0.0"}
        case _:
            answer = {
                "method": request.method,
                "target": request.target,
                "headers": request.headers,
                "bytes": len(request.body),
            }
    return Page(json.dumps(answer).encode(), 200, _JSON)
