"""Answers over HTTP that come to an end: bounded in bytes and time, not packed; certificates; broken connections.

Imports httpx, so whoever needs it imports this when it is needed.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import httpx

from simonides.errors import ProviderError, ProviderUnavailable
from simonides.models.provider import Provider
from simonides.models.retry import BusyError, one_line, silence

#: No answer with scores or a text comes near it.
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
#: A packed answer of a few kilobytes may be gigabytes when it is read.
UNPACKED: Final = {"accept-encoding": "identity"}


@cache
def certificates() -> ssl.SSLContext:
    """The certificates that servers are checked by. Each client would read them anew, which takes some 40 ms."""
    return httpx.create_ssl_context()


def bounded(provider: Provider) -> Callable[[httpx.Response], None]:
    """A response hook: the body that is read next is bounded by `MAX_ANSWER_BYTES`, and by the request's timeout.

    The hook, or the reading, raises `ProviderError` for a body that is packed or too long.
    """

    def bound(response: httpx.Response) -> None:
        packing = response.headers.get("content-encoding", "identity").strip().lower()
        if packing not in {"", "identity"}:
            raise ProviderError(
                f"{provider.name} gave an answer packed with {one_line(packing)}, which was not asked for; "
                "turn compression off there"
            )
        patience: float | None = response.request.extensions.get("timeout", {}).get("read")
        ends = None if patience is None else time.monotonic() + patience
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _Bounded(response.stream, provider, ends)

    return bound


def broken(provider: Provider, error: BaseException | None, *, address: object) -> ProviderError | BusyError:
    """Error to raise for a request that got no whole answer.

    Args:
        provider: Who was asked.
        error: What httpx, or a bound of ours, raised.
        address: Where the server was looked for.
    """
    match error:
        case ProviderError():
            return error
        case httpx.TimeoutException():
            return silence(provider)
        case httpx.ConnectError():
            return ProviderUnavailable(
                f"{provider.name} cannot be reached at {address} ({one_line(str(error))}); "
                "check base_url and that the server runs"
            )
        case _:
            return BusyError(f"the connection to {provider.name} broke ({one_line(str(error))})")


class _Bounded(httpx.SyncByteStream):
    """A body that ends with an error where it becomes too long or takes too long."""

    def __init__(self, stream: httpx.SyncByteStream, provider: Provider, ends: float | None) -> None:
        self._stream = stream
        self._provider = provider
        self._ends = ends

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for chunk in self._stream:
            read += len(chunk)
            if read > MAX_ANSWER_BYTES:
                raise ProviderError(
                    f"{self._provider.name} gave an answer of more than {MAX_ANSWER_BYTES:,} bytes; "
                    "nothing of it was used"
                )
            if self._ends is not None and time.monotonic() > self._ends:
                raise httpx.ReadTimeout("the answer did not end in time")
            yield chunk

    def close(self) -> None:
        self._stream.close()
