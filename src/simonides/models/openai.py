"""Embeddings of OpenAI, and of servers that speak its API: vLLM, LM Studio, llama.cpp and others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from simonides.domain.embedding import EmbedderIdentity
from simonides.models.openai_api import OpenAIServer
from simonides.models.provider import EmbeddingRequests, Provider, RequestingEmbedder
from simonides.models.retry import repeated

#: Asked of OpenAI's own models if no dimension is set: they are trained so that a vector's beginning is a
#: vector by itself, and a store stays small.
DEFAULT_DIMENSION: Final = 256
_SHORTENED_BY_DEFAULT: Final = "text-embedding-3"


class OpenAIEmbedder(RequestingEmbedder):
    """Meets the `Embedder` port by `/v1/embeddings`. Safe to use from several threads.

    Making one reads the key and opens no connection. The dimension is part of each request if it is set,
    and for `text-embedding-3-…` anyway; for other models the first answer tells it. Its fingerprint is the
    model's name with that dimension: a server that serves something else by the same name cannot be
    noticed.

    A request is made three times at most, with short pauses, if the server is busy (408, 429, 5xx) or hangs
    up. One that is refused or times out is not repeated.
    """

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`.

        Without `base_url` and `api_key`, OPENAI_BASE_URL and OPENAI_API_KEY of the environment are used; to
        another `base_url` only the `api_key` that is set is sent.

        Args:
            provider: Its model is required.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: There is no model or no key.
            ProviderUnavailable: The package `httpx` is not installed.
        """
        self._provider = provider
        self._model = provider.required_model()
        self._server = OpenAIServer(provider, extra="openai")
        self._pause = pause
        self._asked_dimension = provider.dimension
        if provider.dimension is None and self._model.startswith(_SHORTENED_BY_DEFAULT):
            self._asked_dimension = DEFAULT_DIMENSION
        self._requests = EmbeddingRequests(self._ask, provider=provider, dimension=self._asked_dimension)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension; may make one request, the first time, to learn the dimension.

        Raises:
            ProviderError: That request failed.
        """
        dimension = self._requests.dimension()
        return EmbedderIdentity(self._provider.name, f"{self._model}:{dimension}", dimension)

    def _ask(self, texts: Sequence[str]) -> object:
        return repeated(
            lambda: self._ask_once(texts), longest_pause_s=self._provider.timeout_s, pause=self._pause
        )

    def _ask_once(self, texts: Sequence[str]) -> object:
        body: dict[str, Any] = {"input": list(texts), "model": self._model, "encoding_format": "float"}
        if self._asked_dimension is not None:
            body["dimensions"] = self._asked_dimension

        def rows(server: OpenAIServer) -> object:
            answer = server.post("/embeddings", body)
            # Some servers number all rows 0; sorting is stable and leaves those as they came.
            return [row["embedding"] for row in sorted(answer["data"], key=lambda row: row["index"])]

        return self._server.request(rows, wanted="vectors")
