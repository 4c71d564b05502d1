"""Embeddings of an Ollama server."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import InvalidSettings, NotInstalled, ProviderUnavailable
from simonides.models.provider import EmbeddingRequests, Provider, RequestingEmbedder
from simonides.models.retry import BusyError, one_line, refusal, repeated, silence, unreadable

if TYPE_CHECKING:
    import ollama

T = TypeVar("T")


class OllamaEmbedder(RequestingEmbedder):
    """Meets the `Embedder` port by `/api/embed`. Safe to use from several threads.

    Making one opens no connection. The model's digest, asked for once when `identity` is first read, is its
    fingerprint, so `ollama pull` of a changed model is noticed at the next start. A dimension that is set is
    part of each request; else the first answer tells it.

    A request is made three times at most, with short pauses, if the server is busy (408, 429, 5xx) or hangs
    up. One that is refused or times out is not repeated.
    """

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`.

        Without `base_url`, OLLAMA_HOST of the environment is used, or this machine's port 11434.

        Args:
            provider: Its model is required.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: There is no model, or OLLAMA_HOST is no address.
            ProviderUnavailable: The package `ollama` is not installed.
        """
        self._provider = provider
        self._model = provider.required_model()
        self._client = _client(provider)
        self._pause = pause
        self._requests = EmbeddingRequests(self._ask, provider=provider, dimension=provider.dimension)
        self._identity: EmbedderIdentity | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension; makes one or two requests the first time.

        Raises:
            ProviderError: They failed, or the server does not have the model.
        """
        if self._identity is None:
            digest, dimension = self._digest(), self._requests.dimension()
            self._identity = EmbedderIdentity(self._provider.name, f"{digest}:{dimension}", dimension)
        return self._identity

    def _ask(self, texts: Sequence[str]) -> object:
        return self._request(
            lambda: (
                self._client.embed(
                    model=self._model, input=list(texts), dimensions=self._provider.dimension
                ).embeddings
            )
        )

    def _digest(self) -> str:
        # A model without a tag is the one tagged "latest".
        names = {self._model, f"{self._model}:latest"}
        for model in self._request(lambda: self._client.list().models):
            if model.model in names and model.digest:
                return model.digest
        raise ProviderUnavailable(f"the Ollama server does not have {self._model}; {self._pull()}")

    def _pull(self) -> str:
        return f"run: ollama pull {self._model}"

    def _request(self, request: Callable[[], T]) -> T:
        return repeated(
            lambda: self._request_once(request), longest_pause_s=self._provider.timeout_s, pause=self._pause
        )

    def _request_once(self, request: Callable[[], T]) -> T:
        import httpx  # noqa: PLC0415 - comes with ollama
        import ollama  # noqa: PLC0415 - not everybody's

        try:
            return request()
        except httpx.TimeoutException as error:
            raise silence(self._provider) from error
        except ConnectionError as error:
            raise ProviderUnavailable(
                f"no Ollama server answers at {self._provider.base_url or 'its usual address'}; "
                "run `ollama serve`, or check base_url"
            ) from error
        except httpx.TransportError as error:
            broke = f"the connection to {self._provider.name} broke ({one_line(str(error))})"
            raise BusyError(broke) from error
        except ollama.ResponseError as error:
            raise refusal(
                self._provider, error.status_code, str(error.error), not_found=self._pull()
            ) from error
        # The SDK builds its types from whatever JSON came, an error's text too.
        except (httpx.HTTPError, AttributeError, TypeError, ValueError) as error:
            raise unreadable(self._provider, error) from error


def _client(provider: Provider) -> ollama.Client:
    try:
        import ollama  # noqa: PLC0415 - not everybody's
    except ImportError as error:
        raise NotInstalled.of("ollama", extra="ollama") from error
    key = provider.secret()
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    try:
        return ollama.Client(host=provider.base_url, timeout=provider.timeout_s, headers=headers)
    except ValueError as error:
        raise InvalidSettings(f"OLLAMA_HOST is no address ({error}); unset it or set base_url") from error
