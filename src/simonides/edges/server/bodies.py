"""Bodies of requests: how long, how many at once, how slow."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request

from simonides.edges.server.problems import HttpProblem, busy


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on bodies.

    Attributes:
        most_bytes: Of one body.
        at_once_bytes: Of all bodies that are being read.
        whole_s: How long one may take to come.
    """

    most_bytes: int = 10 * 1024 * 1024
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
        self._check_length(_told(request.headers))
        try:
            async with asyncio.timeout(self._bounds.whole_s):
                async for part in request.stream():
                    length += len(part)
                    self._held += len(part)
                    parts.append(part)
                    self._check_length(length)
                    if self._held > self._bounds.at_once_bytes:
                        raise HttpProblem(
                            503, "busy", "too much is being sent at once; send it again later", busy()
                        )
        except TimeoutError:
            text = (
                f"the body did not come within {self._bounds.whole_s:g} s; send it again, faster or in parts"
            )
            raise HttpProblem(408, "slow_body", text, {"connection": "close"}) from None
        except ClientDisconnect:
            raise HttpProblem(400, "cut_body", "the body was cut off; send it again") from None
        finally:
            self._held -= length
        return b"".join(parts)

    def _check_length(self, length: int) -> None:
        if length > self._bounds.most_bytes:
            most = self._bounds.most_bytes // (1024 * 1024)
            text = f"a body has at most {most} MiB; send it in parts, or import it as lines"
            raise HttpProblem(413, "large_body", text, {"connection": "close"})


def json_of(body: bytes, headers: Headers) -> Any:
    """The value of a JSON body; that of an empty one is an empty object.

    Raises:
        HttpProblem: 415 where it is said to be something else, 400 where it is no JSON.
    """
    if not body:
        return {}
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        shown = ascii(kind)[:80]
        raise HttpProblem(415, "content_type", f"the body is said to be {shown}; send it as application/json")
    if headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise HttpProblem(415, "content_encoding", "the body is packed; send it as it is")
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise HttpProblem(400, "invalid_json", f"the body is no JSON: {error}"[:300]) from None


def _told(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0
