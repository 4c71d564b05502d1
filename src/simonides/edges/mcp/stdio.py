"""Standard streams: one client, whose messages come in by lines and whose answers alone go out."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import anyio
from anyio import to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic import ValidationError

from simonides.ending import ending_signals

_READ_BYTES: Final = 1 << 16
#: Messages that are read ahead.
_AHEAD: Final = 64
_STANDARD_INPUT, _STANDARD_OUTPUT, _STANDARD_ERROR = 0, 1, 2


def serve(server: Server[Any]) -> None:
    """Serve the client at the other end of the standard streams until it closes them or the process is told to end.

    What was begun is done as a whole. Whatever else this process prints goes to standard error.

    Raises:
        OSError: An answer cannot be written, as on a full disk: nobody would read what else there is.
    """
    with _only_protocol() as (read_from, write_to):
        asyncio.run(_serve(server, read_from, write_to))


async def _serve(server: Server[Any], read_from: int, write_to: int) -> None:
    lines, wire = _Lines(read_from), _Wire(write_to)
    unwritten: list[Exception] = []
    with anyio.CancelScope() as told_to_end:
        loop = asyncio.get_running_loop()
        for number in ending_signals():
            # Not on every system, nor in threads; there the process just ends.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, told_to_end.cancel)
        with suppress(*_CLIENT_LEFT):
            try:
                async with stdio_server(cast("Any", _messages(lines, wire)), cast("Any", wire)) as (
                    read,
                    write,
                ):
                    await server.run(read, write, server.create_initialization_options())
            except* _CLIENT_LEFT:
                pass
            except* OSError as errors:
                unwritten += _single(errors)
    lines.close()
    if unwritten:
        raise unwritten[0]


def _single(errors: BaseExceptionGroup[OSError]) -> Iterator[Exception]:
    """The errors of a group and of the groups in it."""
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _single(error)
        else:
            yield error


_CLIENT_LEFT: Final = (BrokenPipeError, ConnectionResetError)


async def _messages(lines: _Lines, wire: _Wire) -> AsyncIterator[str]:
    """The lines that are messages. The others are answered, as they would be over HTTP: nobody waits for ever."""
    async for line in lines:
        try:
            jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            if (answer := _refusal(line, error)) is not None:
                await wire.write(f"{answer}\n")
        else:
            yield line


def _refusal(line: str, error: ValidationError) -> str | None:
    """The answer to a line that is no message; None to a blank one, and to what wants no answer."""
    if not line.strip():
        return None
    try:
        message: object = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    given = cast("dict[str, object]", message) if isinstance(message, dict) else {}
    if given.keys() & {"result", "error"} or ("method" in given and "id" not in given):
        return None
    number = given.get("id")
    known = number if isinstance(number, str | int) and not isinstance(number, bool) else None
    problems = error.errors(include_url=False, include_input=False)
    if any(problem["type"] == "json_invalid" for problem in problems):
        refused = {"code": PARSE_ERROR, "message": f"Parse error: {problems[0]['msg']}"}
    else:
        refused = {"code": INVALID_REQUEST, "message": "Invalid request: this is no message of JSON-RPC 2.0"}
    # In ASCII: an id may hold half of a surrogate pair.
    return json.dumps({"jsonrpc": "2.0", "id": known, "error": refused})


@contextmanager
def _only_protocol() -> Generator[tuple[int, int]]:
    """Descriptors of the client; until the end, prints go to standard error, and nobody else can read."""
    sys.stdout.flush()
    read_from, write_to = os.dup(_STANDARD_INPUT), os.dup(_STANDARD_OUTPUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, _STANDARD_INPUT)
        os.dup2(_STANDARD_ERROR, _STANDARD_OUTPUT)
        yield read_from, write_to
    finally:
        sys.stdout.flush()
        os.dup2(write_to, _STANDARD_OUTPUT)
        os.close(write_to)
        os.close(nothing)


class _Lines:
    """Lines of a descriptor. A thread waits for them that can be left behind when the process ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        send, receive = anyio.create_memory_object_stream[str](_AHEAD)
        self._receive: MemoryObjectReceiveStream[str] = receive
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(send, loop), name="stdin", daemon=True).start()

    def __aiter__(self) -> MemoryObjectReceiveStream[str]:
        return self._receive

    def close(self) -> None:
        """Take no more."""
        self._receive.close()

    def _read(self, send: MemoryObjectSendStream[str], loop: asyncio.AbstractEventLoop) -> None:
        rest: list[bytes] = []
        with suppress(OSError, RuntimeError, anyio.BrokenResourceError):
            while part := os.read(self._descriptor, _READ_BYTES):
                *lines, last = part.split(b"\n")
                for line in lines:
                    whole = b"".join((*rest, line))
                    rest.clear()
                    asyncio.run_coroutine_threadsafe(
                        send.send(whole.decode("utf-8", "replace")), loop
                    ).result()
                rest.append(last)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(send.close)


class _Wire:
    """Writes to the client, one message after the other."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    async def write(self, text: str) -> None:
        await to_thread.run_sync(self._write, text.encode())

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        with self._lock:
            while view:
                try:
                    view = view[os.write(self._descriptor, view) :]
                except _CLIENT_LEFT:
                    raise
                except OSError as error:
                    raise OSError(error.errno, error.strerror, "standard output") from error
