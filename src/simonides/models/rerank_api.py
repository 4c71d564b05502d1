"""Rerankers behind `/rerank`: of Cohere, Jina and TEI, and of the many servers that answer like one of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.batches import batches
from simonides.errors import InvalidSettings, NotInstalled, ProviderError
from simonides.models.provider import Provider, finite_scores, sendable
from simonides.models.retry import Allowance, refusal, repeated, retry_after, silence, unreadable
from simonides.values import dataclass

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class _Form:
    """Form of a request.

    Attributes:
        texts: Under which name the texts are sent.
        extra: What else is sent.
        base_url: Where the service is; None for servers of one's own.
        whole: Whether all texts go into one request, with the model's name and how many scores are wanted.
            Some of these models compare the texts with each other, and some services charge by request.
    """

    texts: str = "documents"
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    base_url: str | None = None
    whole: bool = True


_FORMS: Final[Mapping[str, _Form]] = MappingProxyType(
    {
        "cohere": _Form(base_url="https://api.cohere.com/v2"),
        "jina": _Form(base_url="https://api.jina.ai/v1", extra={"return_documents": False}),
        "rerank": _Form(),
        # It refuses what is longer than its model reads, unless it may cut, and more texts than it was started for.
        "tei": _Form(texts="texts", extra={"truncate": True}, whole=False),
    }
)


class RerankApi:
    """Meets the `Reranker` port by `POST {base_url}/rerank`. Safe to use from several threads.

    The provider's name decides what is sent: `cohere`, `jina`, and `rerank` for servers that are asked like
    them (vLLM, llama.cpp, Infinity, LocalAI), `tei` for Text Embeddings Inference. Either form of answer is
    understood. To `tei`, `batch_size` texts are sent at a time; the others get all at once.

    All requests of one call together take no longer than `timeout_s`. Each is made three times at most, with
    short pauses or those that the server asks for, if it is busy (408, 429, 5xx) or hangs up. Redirects are
    not followed. Of each text the beginning is sent, `provider.MAX_TEXT_BYTES`.
    """

    def __init__(self, provider: Provider, *, pause: Callable[[float], object] = time.sleep) -> None:
        """Prepare to ask `provider`; opens no connection.

        Args:
            provider: Its name is one of the four. `base_url` may be left out for `cohere` and `jina`, which
                need a model then, and a key.
            pause: Waits for so many seconds between requests.

        Raises:
            InvalidSettings: Something is missing.
            ProviderUnavailable: The package `httpx` is not installed.
        """
        self._provider = provider
        self._form = _FORMS[provider.provider]
        self._url = f"{_address(provider, self._form)}/rerank"
        self._pause = pause
        self._http = _client(provider)

    @property
    def name(self) -> str:
        return self._provider.name

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros(0, np.float32)
        deadline = Allowance(self._provider.timeout_s)
        try:
            return deadline.hold(lambda: self._scores(question, texts, deadline))
        except TimeoutError as error:
            raise silence(self._provider) from error

    def _scores(self, question: str, texts: Sequence[str], deadline: Allowance) -> NDArray[np.float32]:
        step = len(texts) if self._form.whole else self._provider.batch_size
        return np.concatenate([self._batch(question, batch, deadline) for batch in batches(texts, step)])

    def _batch(self, question: str, texts: Sequence[str], deadline: Allowance) -> NDArray[np.float32]:
        body: dict[str, Any] = {"query": sendable(question), **self._form.extra}
        body[self._form.texts] = [sendable(text) for text in texts]
        if self._form.whole:
            body["top_n"] = len(texts)
            if self._provider.model:
                body["model"] = self._provider.model
        answer = repeated(
            lambda: self._asked(body, deadline),
            longest_pause_s=self._provider.timeout_s,
            pause=self._pause,
            deadline=deadline,
        )
        scores = _by_index(answer, len(texts), self._provider.name)
        return finite_scores(scores, count=len(texts), name=self._provider.name)

    def _asked(self, body: Mapping[str, Any], deadline: Allowance) -> object:
        import httpx  # noqa: PLC0415 - not everybody's

        from simonides.models.http import broken  # noqa: PLC0415 - imports httpx

        if not deadline.left_s:
            raise TimeoutError
        try:
            response = self._http.post(self._url, json=body, timeout=deadline.left_s)
        except httpx.HTTPError as error:
            raise broken(self._provider, error, address=self._url) from error
        if not response.is_success:
            raise refusal(
                self._provider,
                response.status_code,
                response.text,
                not_found="check base_url: /rerank is added to it",
                otherwise="check `model`, and that the provider's name suits the server",
                after_s=retry_after(response.headers),
            )
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError) as error:
            raise unreadable(self._provider, error, wanted="scores") from error


def _by_index(answer: object, count: int, name: str) -> list[object]:
    """The scores of either form of answer, in the order of the texts.

    Raises:
        ProviderError: It is neither, or not one score for each text.
    """
    rows = _fields(answer).get("results", answer)
    if not isinstance(rows, list):
        raise ProviderError(
            f"{name} gave an answer without a list of scores; check base_url and the provider's name"
        )
    scores: dict[int, object] = {}
    for row in cast("list[object]", rows):
        fields = _fields(row)
        index, score = fields.get("index"), fields.get("relevance_score", fields.get("score"))
        # A bool is an int to Python.
        if type(index) is not int or type(score) not in {int, float}:
            raise ProviderError(f"{name} gave a result without index and score; none of them was used")
        if not 0 <= index < count:
            raise ProviderError(f"{name} gave a score for text {index} of {count}; none of them was used")
        if index in scores:
            raise ProviderError(f"{name} gave two scores for text {index}; none of them was used")
        scores[index] = score
    if len(scores) != count:
        raise ProviderError(f"{name} gave {len(scores)} scores for {count} texts; none of them was used")
    return [scores[index] for index in range(count)]


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _address(provider: Provider, form: _Form) -> str:
    if provider.base_url is not None:
        return provider.base_url.rstrip("/")
    if form.base_url is None:
        raise InvalidSettings(
            f"{provider.provider} needs a base_url, such as http://localhost:8080; /rerank is added to it"
        )
    provider.required_model()
    if provider.api_key is None:
        variable = f"{provider.provider.upper()}_API_KEY"
        raise InvalidSettings(f'{provider.name} needs a key; set api_key, such as "${{{variable}}}"')
    return form.base_url


def _client(provider: Provider) -> httpx.Client:
    try:
        import httpx  # noqa: PLC0415 - not everybody's

        from simonides.models.http import UNPACKED, bounded, certificates  # noqa: PLC0415 - imports httpx
    except ImportError as error:
        raise NotInstalled.of("httpx", extra="rerank") from error
    key = provider.secret()
    headers = UNPACKED | ({} if key is None else {"authorization": f"Bearer {key}"})
    return httpx.Client(
        headers=headers,
        verify=certificates(),
        follow_redirects=False,
        event_hooks={"response": [bounded(provider)]},
    )
