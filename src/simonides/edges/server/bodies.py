"""Bodies of requests: how long, how many at once, how slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from anyio import to_thread
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request

from simonides.edges.server.problems import HttpProblem, busy
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on bodies.

    Attributes:
        most_bytes: Of one body of fields.
        most_lines_bytes: Of one body of lines.
        at_once_bytes: Of all bodies that are being read.
        whole_s: How long one may take to come; a body of lines ten times as long.
    """

    most_bytes: int = 10 * 1024 * 1024
    most_lines_bytes: int = 200 * 1024 * 1024
    at_once_bytes: int = 64 * 1024 * 1024
    whole_s: float = 30.0


class Bodies:
    """Reads bodies within bounds."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._held = 0

    async def read(self, request: Request) -> bytes:
        """A whole body.

        Raises:
            HttpProblem: 413 where it is too long, 408 too slow, 503 where too much is being read.
        """
        parts: list[bytes] = []
        length = 0
        try:
            async with aclosing(self._parts(request, self._bounds.most_bytes, self._bounds.whole_s)) as came:
                async for part in came:
                    length += len(part)
                    self._held += len(part)
                    parts.append(part)
                    if self._held > self._bounds.at_once_bytes:
                        text = "too much is being sent at once; send it again later"
                        raise HttpProblem(503, "busy", text, busy())
        finally:
            self._held -= length
        return b"".join(parts)

    async def spooled(self, request: Request) -> IO[bytes]:
        """A whole body of lines, in a file without a name, from its beginning; the caller closes it.

        Raises:
            HttpProblem: 413 where it is too long, 408 too slow.
        """
        bounds = self._bounds
        file = SpooledTemporaryFile[bytes](bounds.most_bytes)
        try:
            async with aclosing(self._parts(request, bounds.most_lines_bytes, 10 * bounds.whole_s)) as came:
                async for part in came:
                    await to_thread.run_sync(file.write, part)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return cast("IO[bytes]", file)

    async def _parts(self, request: Request, most_bytes: int, whole_s: float) -> AsyncGenerator[bytes]:
        length, ends = 0, asyncio.get_running_loop().time() + whole_s
        _check_length(_announced_length(request.headers), most_bytes)
        coming = request.stream()
        try:
            while True:
                async with asyncio.timeout_at(ends):
                    part = await anext(coming, None)
                if part is None:
                    return
                length += len(part)
                _check_length(length, most_bytes)
                yield part
        except TimeoutError:
            text = f"the body did not come within {whole_s:g} s; send it again, faster or in parts"
            raise HttpProblem(408, "slow_body", text, {"connection": "close"}) from None
        except ClientDisconnect:
            raise HttpProblem(400, "cut_body", "the body was cut off; send it again") from None


def _check_length(length: int, most: int) -> None:
    if length > most:
        text = f"this takes a body of at most {most / (1 << 20):.3g} MiB; send it in parts"
        raise HttpProblem(413, "large_body", text, {"connection": "close"})


def json_of(body: bytes, headers: Headers) -> Any:
    """The value of a JSON body; that of an empty one is an empty object.

    Raises:
        HttpProblem: 415 where it is said to be something else, 400 where it is no JSON.
    """
    if not body:
        return {}
    require_kind(headers, "application/json")
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise HttpProblem(400, "invalid_json", f"the body is no JSON: {error}"[:300]) from None


def require_kind(headers: Headers, wanted: str) -> None:
    """See that a body is said to be of the kind that is wanted.

    Raises:
        HttpProblem: 415.
    """
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != wanted:
        raise HttpProblem(
            415, "content_type", f"the body is said to be {ascii(kind)[:80]}; send it as {wanted}"
        )
    if headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise HttpProblem(415, "content_encoding", "the body is packed; send it as it is")


def _announced_length(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0
