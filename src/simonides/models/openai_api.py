"""Servers that speak OpenAI's API, asked through its SDK: the client, and every failure as an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.models.provider import Provider
from simonides.models.retry import CHECK_EMBEDDING, refusal, retry_after, silence, unreadable

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

#: For servers without keys: the SDK insists on one, and would else send the environment's OPENAI_API_KEY there.
_NO_KEY: Final = "none"


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
            extra: The extra that brings the SDK.
            address: Takes the place of the provider's `base_url`.
            limited: Whether an answer is bounded in bytes and time.

        Raises:
            InvalidSettings: There is no key.
            ProviderUnavailable: The package `openai` is not installed.
        """
        self._provider = provider
        self._client = _client(provider, extra, address or provider.base_url, limited=limited)

    def request(
        self,
        ask: Callable[[openai.OpenAI], T],
        *,
        wanted: str,
        not_found: str = "check `model` and `base_url` (most end in /v1)",
        otherwise: str = CHECK_EMBEDDING,
        allowed_s: float | None = None,
    ) -> T:
        """Make one request and read its answer, both by `ask`.

        Args:
            ask: May raise whatever the SDK raises, and what reading an answer of no form raises.
            wanted: What the answer should hold, for errors.
            not_found: What to do about a 404.
            otherwise: What to do about a request that is refused for none of the usual reasons.
            allowed_s: As of `silence`.

        Raises:
            ProviderError: The server refused, is not there, or gave no such answer.
            BusyError: It may be asked again.
        """
        import openai  # noqa: PLC0415 - half a second, and not everybody's

        from simonides.models.http import broken  # noqa: PLC0415 - httpx comes with openai

        try:
            return ask(self._client)
        except openai.APITimeoutError as error:
            raise silence(self._provider, allowed_s=allowed_s) from error
        except openai.APIConnectionError as error:
            raise broken(self._provider, error.__cause__ or error, address=self._client.base_url) from error
        except openai.APIStatusError as error:
            raise refusal(
                self._provider,
                error.status_code,
                error.message,
                not_found=not_found,
                otherwise=otherwise,
                after_s=retry_after(error.response.headers),
            ) from error
        # The SDK checks no answer against its types: what is missing shows when it is read.
        except (
            openai.OpenAIError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise unreadable(self._provider, error, wanted=wanted) from error

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()


def _client(provider: Provider, extra: str, address: str | None, *, limited: bool) -> openai.OpenAI:
    try:
        import openai  # noqa: PLC0415 - half a second, and not everybody's
    except ImportError as error:
        raise ProviderUnavailable.not_installed("openai", extra=extra) from error
    key = provider.secret()
    if key is None and address is not None:
        key = _NO_KEY
    options: dict[str, Any] = {"follow_redirects": False}
    if limited:
        from simonides.models.http import UNPACKED, bounded  # noqa: PLC0415 - httpx comes with openai

        options |= {"headers": UNPACKED, "event_hooks": {"response": [bounded(provider)]}}
    try:
        return openai.OpenAI(
            api_key=key,
            base_url=address,
            timeout=provider.timeout_s,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(timeout=provider.timeout_s, **options),
        )
    except openai.OpenAIError as error:
        raise InvalidSettings(
            f"{provider.name} needs a key; set OPENAI_API_KEY, or api_key to a key or the name of its variable"
        ) from error
