"""Servers that speak OpenAI's API, asked over HTTP; every failure is an error of ours.

Their own SDK is not needed for two paths, and its versions part from each other in what they are built on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, cast

from simonides.domain.closing import Closing
from simonides.errors import InvalidSettings, NotInstalled, ProviderError
from simonides.models.provider import Provider
from simonides.models.retry import CHECK_EMBEDDING, refusal, retry_after, silence, unreadable

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_OPENAI: Final = "https://api.openai.com/v1"
#: Some servers without keys insist on one all the same.
_NO_KEY: Final = "none"
_DONE: Final = b"[DONE]"
#: Bytes of one line of a streamed answer; what a model says in one step is a few words.
_LONGEST_LINE: Final = 1_000_000


class RefusedError(Exception):
    """A request that was answered with a status of 300 or more. `OpenAIServer.request` makes an error of ours of it."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(_refusal(response))
        self.status = response.status_code
        self.after_s = retry_after(response.headers)


class Chunks(Closing):
    """A streamed answer, object by object. Close it, or use it in a `with` block."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._lines = _lines(response)

    def next(self) -> Any:
        """The next chunk; None after the last.

        Raises:
            ValueError: It is no JSON or without end, or the server tells of an error.
        """
        for line in self._lines:
            kind, _, data = line.partition(b":")
            if kind != b"data":
                continue
            if data.strip() == _DONE:
                return None
            chunk = json.loads(data)
            if error := chunk.get("error"):
                raise ValueError(_message(error))
            return chunk
        return None

    def close(self) -> None:
        self._response.close()


class OpenAIServer:
    """One such server. Making it reads the key and opens no connection. Safe to use from several threads."""

    def __init__(
        self, provider: Provider, *, extra: str, address: str | None = None, limited: bool = False
    ) -> None:
        """Prepare to ask `provider`.

        Without an address and `api_key`, OPENAI_BASE_URL and OPENAI_API_KEY of the environment are used; to
        another address only the `api_key` that is set is sent. Redirects are not followed.

        Args:
            provider: Names the server and says how long it is waited for.
            extra: The extra that brings the package.
            address: Takes the place of the provider's `base_url`.
            limited: Whether an answer is bounded in bytes and time.

        Raises:
            InvalidSettings: There is no key.
            ProviderUnavailable: The package `httpx` is not installed.
        """
        self._provider = provider
        self._client = _client(provider, extra, address or provider.base_url, limited=limited)

    def request(
        self,
        ask: Callable[[Self], T],
        *,
        wanted: str,
        not_found: str = "check `model` and `base_url` (most end in /v1)",
        otherwise: str = CHECK_EMBEDDING,
        allowed_s: float | None = None,
    ) -> T:
        """Make one request and read its answer, both by `ask`.

        Args:
            ask: Uses `post` or `stream`; may raise what these raise, and what reading an answer of no form raises.
            wanted: What the answer should hold, for errors.
            not_found: What to do about a 404.
            otherwise: What to do about a request that is refused for none of the usual reasons.
            allowed_s: As of `silence`.

        Raises:
            ProviderError: The server refused, is not there, or gave no such answer.
            BusyError: It may be asked again.
        """
        import httpx  # noqa: PLC0415 - not everybody's

        from simonides.models.http import broken  # noqa: PLC0415 - imports httpx

        try:
            return ask(self)
        except httpx.TimeoutException as error:
            raise silence(self._provider, allowed_s=allowed_s) from error
        except httpx.DecodingError as error:
            raise unreadable(self._provider, error, wanted=wanted) from error
        except httpx.HTTPError as error:
            raise broken(self._provider, error, address=self._client.base_url) from error
        except RefusedError as error:
            raise refusal(
                self._provider,
                error.status,
                str(error),
                not_found=not_found,
                otherwise=otherwise,
                after_s=error.after_s,
            ) from error
        # No answer is checked against a schema: what is missing shows when it is read.
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise unreadable(self._provider, error, wanted=wanted) from error

    def post(self, path: str, fields: Mapping[str, Any], *, timeout_s: float | None = None) -> Any:
        """Post a request and return the server's answer, read from JSON.

        Args:
            timeout_s: None for the provider's.

        Raises:
            RefusedError: It did not do it.
            httpx.HTTPError: There was no whole answer.
            ValueError: It is no JSON.
        """
        response = self._client.post(path, json=fields, timeout=timeout_s or self._provider.timeout_s)
        if not response.is_success:
            raise RefusedError(response)
        return response.json()

    def stream(self, path: str, fields: Mapping[str, Any]) -> Chunks:
        """An answer that comes in chunks; raises as `post` does."""
        response = self._client.send(self._client.build_request("POST", path, json=fields), stream=True)
        if not response.is_success:
            response.read()
            raise RefusedError(response)
        return Chunks(response)

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()


def _client(provider: Provider, extra: str, address: str | None, *, limited: bool) -> httpx.Client:
    try:
        import httpx  # noqa: PLC0415 - not everybody's

        from simonides.models.http import UNPACKED, bounded, certificates  # noqa: PLC0415 - imports httpx
    except ImportError as error:
        raise NotInstalled.of("httpx", extra=extra) from error
    key = provider.secret()
    headers: dict[str, str] = dict(UNPACKED) if limited else {}
    if address is None:
        address = os.environ.get("OPENAI_BASE_URL") or _OPENAI
        key = key or os.environ.get("OPENAI_API_KEY", "").strip()
        if not key:
            raise InvalidSettings(
                f"{provider.name} needs a key; set OPENAI_API_KEY, or api_key to a key or the name of its variable"
            )
        for name in ("organization", "project"):
            if chosen := os.environ.get(f"OPENAI_{'ORG' if name == 'organization' else 'PROJECT'}_ID"):
                headers[f"openai-{name}"] = chosen
    try:
        return httpx.Client(
            base_url=address,
            headers={"authorization": f"Bearer {key or _NO_KEY}", **headers},
            timeout=provider.timeout_s,
            verify=certificates(),
            follow_redirects=False,
            event_hooks={"response": [bounded(provider)]} if limited else None,
        )
    except (ValueError, httpx.InvalidURL) as error:
        raise ProviderError(
            f"{provider.name} has an invalid key or base_url; check both for stray characters"
        ) from error


def _lines(response: httpx.Response) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for data in response.iter_bytes():
        *ends, rest = data.split(b"\n")
        for end in ends:
            yield b"".join((*held, end))
            held, size = [], 0
        held.append(rest)
        size += len(rest)
        if size > _LONGEST_LINE:
            raise ValueError(f"a line of more than {_LONGEST_LINE:,} bytes")
    yield b"".join(held)


def _refusal(response: httpx.Response) -> str:
    """Words of a refusal: the message of an error as OpenAI's API words it, else all of it."""
    try:
        body: object = response.json()
    except (ValueError, RecursionError):
        return response.text
    error = cast("dict[str, object]", body).get("error") if isinstance(body, dict) else None
    return _message(error) if error else response.text


def _message(error: object) -> str:
    message = cast("dict[str, object]", error).get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else json.dumps(error)
