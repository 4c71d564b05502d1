"""Providers: the settings that reach one, and what every text sent and every number received must keep to."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from simonides.domain.text import cleaned_text
from simonides.errors import InvalidSettings, ProviderError
from simonides.values import dataclass

#: Of a text, these first bytes of UTF-8 are sent. OpenAI refuses a whole request for one text of more than
#: 8191 tokens, and no token is shorter than a byte; most models read less and cut by themselves.
MAX_TEXT_BYTES: Final = 8191

_ENVIRONMENT: Final = re.compile(r"\$\{([^{}]*)\}")
#: The provider that comes along.
BUNDLED: Final = "bundled"
#: The same, with nothing beside it that reads statements closely.
STATIC: Final = "bundled-static"
_PROBE: Final = "dimension"


@dataclass(frozen=True, slots=True)
class Provider:
    """Access to a model: the provider block of the settings.

    Attributes:
        provider: Its name, such as `ollama`.
        base_url: Where its server listens, http:// or https://; None for the provider's usual place.
        api_key: Sent with each request. "${NAME}" in it stands for the environment's variable NAME, read
            when an embedder or model is made. Never shown by repr().
        model: The model's name there, or the path of its files.
        dimension: Length of the vectors to ask for; None for the model's own.
        timeout_s: Longest silence of the server within one request, > 0; for a reranker, longest wait for
            all its scores.
        batch_size: Texts per request, >= 1.

    Raises:
        InvalidSettings: A value is out of its range.
    """

    provider: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    model: str | None = None
    dimension: int | None = None
    timeout_s: float = 30.0
    batch_size: int = 16

    def __post_init__(self) -> None:
        if not self.provider:
            raise InvalidSettings("provider is empty; name one, such as `ollama`")
        for name in ("model", "base_url", "api_key") if self.provider in {BUNDLED, STATIC} else ():
            if getattr(self, name) is not None:
                raise InvalidSettings(
                    f"the bundled embedder has one model and asks no server; leave {name} out, or name its provider"
                )
        if self.base_url is not None and not is_web_address(self.base_url):
            raise InvalidSettings(
                f"base_url is {self.base_url!r}; it must be an address like http://localhost:11434"
            )
        if self.dimension is not None and self.dimension < 1:
            raise InvalidSettings(f"dimension is {self.dimension}; it must be at least 1, or left out")
        if not (self.timeout_s > 0 and math.isfinite(self.timeout_s)):
            raise InvalidSettings(f"timeout_s is {self.timeout_s}; it must be a number above 0")
        if self.batch_size < 1:
            raise InvalidSettings(f"batch_size is {self.batch_size}; it must be at least 1")

    @property
    def name(self) -> str:
        """The provider and its model as users write them: `ollama:nomic-embed-text`."""
        return f"{self.provider}:{self.model}" if self.model else self.provider

    def required_model(self) -> str:
        """The model's name.

        Raises:
            InvalidSettings: There is none.
        """
        if not self.model:
            raise InvalidSettings(f"{self.provider} needs a model; write {self.provider}:MODEL")
        return self.model

    def secret(self) -> str | None:
        """The key itself, with variables of the environment filled in; None if none is set.

        Raises:
            InvalidSettings: A variable is not set, or the key holds what no key holds.
        """
        if self.api_key is None:
            return None
        key = _ENVIRONMENT.sub(self._variable, self.api_key).strip()
        # Anything else could not be a header, and would be shown in the error that says so.
        if not key or not key.isascii() or not key.isprintable():
            raise InvalidSettings(f"api_key of {self.provider} is empty or not plain ASCII; check it")
        return key

    def _variable(self, match: re.Match[str]) -> str:
        value = os.environ.get(match[1])
        if value is None:
            raise InvalidSettings(
                f"api_key of {self.provider} names the environment variable {match[1]!r}, which is not set; "
                "set it or change api_key"
            )
        return value


class EmbeddingRequests:
    """Asks for vectors in batches and lets only usable answers through.

    Safe to use from several threads if what it asks is.
    """

    def __init__(
        self, ask: Callable[[Sequence[str]], object], *, provider: Provider, dimension: int | None
    ) -> None:
        """Ask by `ask`, which is given 1 to `provider.batch_size` texts and returns a row of numbers for each.

        `ask` reports what goes wrong as `ProviderError`; its answer may be anything.
        If `dimension` is None, the first answer decides it.
        """
        self._ask = ask
        self._provider = provider
        self._dimension = dimension

    def dimension(self) -> int:
        """Length of the vectors. If nothing has told it yet, one word is embedded to see.

        Raises:
            ProviderError: Asking failed.
        """
        return self._rows([_PROBE]).shape[1] if self._dimension is None else self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed as the `Embedder` port says; blank texts are not sent, their rows are zeros."""
        sent = [row for row, text in enumerate(texts) if text.strip()]
        step = self._provider.batch_size
        batches = [sent[start : start + step] for start in range(0, len(sent), step)]
        answers = [self._rows([sendable(texts[row]) for row in batch]) for batch in batches]
        vectors = np.zeros((len(texts), self.dimension()), np.float32)
        for batch, rows in zip(batches, answers, strict=True):
            vectors[batch] = rows
        return vectors

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = _unit_rows(self._ask(texts), count=len(texts), name=self._provider.name)
        dimension = rows.shape[1]
        if self._dimension is None:
            self._dimension = dimension
        if dimension != self._dimension:
            raise ProviderError(
                f"{self._provider.name} gave vectors of {dimension} numbers, not {self._dimension}; "
                f"leave `dimension` out or set it to {dimension}, and start again if the model was changed"
            )
        if not rows.any():
            self._require_sense(texts)
        return rows

    def _require_sense(self, texts: Sequence[str]) -> None:
        """See that zeros alone come of the texts, such as dots, and not of a model that gives them for a word, too."""
        if list(texts) == [_PROBE]:
            raise ProviderError(
                f"{self._provider.name} gave a vector of zeros for a plain word; check that the model is loaded and "
                "makes embeddings"
            )
        self._rows([_PROBE])


class RequestingEmbedder:
    """Shared part of embedders that ask for vectors in batches: of any language, and not in this process."""

    _requests: EmbeddingRequests

    @property
    def multilingual(self) -> bool:
        return True

    @property
    def local(self) -> bool:
        return False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._requests.embed(texts)


def sendable(text: str) -> str:
    """The beginning of a text, `MAX_TEXT_BYTES` of UTF-8 at most, without blanks around it and in valid Unicode."""
    # A character is one byte at least, so the cut by characters only spares work on huge texts.
    head = cleaned_text(text.strip()[:MAX_TEXT_BYTES]).encode()
    return head[:MAX_TEXT_BYTES].decode(errors="ignore")


def finite_scores(answer: object, *, count: int, name: str) -> NDArray[np.float32]:
    """A reranker's answer as `count` scores.

    Raises:
        ProviderError: It is not that many numbers, or one is not finite as float32.
    """
    try:
        scores = np.asarray(answer, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProviderError(
            f"{name} gave scores that are no numbers; check that the model reranks"
        ) from error
    if scores.ndim != 1:
        raise ProviderError(f"{name} gave no single score for each text; check that the model reranks")
    if len(scores) != count:
        raise ProviderError(f"{name} gave {len(scores)} scores for {count} texts; none of them was used")
    with np.errstate(over="ignore"):
        scores = scores.astype(np.float32)
    if not np.isfinite(scores).all():
        raise ProviderError(f"{name} gave a score that is no finite number; none of them was used")
    return scores


def _unit_rows(answer: object, *, count: int, name: str) -> NDArray[np.float32]:
    """The answer as `count` rows of length 1 or 0.

    Raises:
        ProviderError: It is not that many rows of one length, or holds NaN or infinity.
    """
    try:
        rows = np.asarray(answer, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProviderError(
            f"{name} gave no table of numbers; check that the model makes embeddings"
        ) from error
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ProviderError(f"{name} gave no vectors; check that the model makes embeddings")
    if len(rows) != count:
        raise ProviderError(f"{name} gave {len(rows)} vectors for {count} texts; nothing of them was used")
    if not np.isfinite(rows).all():
        raise ProviderError(f"{name} gave a vector with NaN or infinity; nothing of the answer was used")
    # Scaled by the largest number first: squares of large numbers would overflow, of tiny ones vanish.
    rows = _divided(rows, np.abs(rows).max(axis=1))
    return _divided(rows, np.linalg.norm(rows, axis=1)).astype(np.float32)


def _divided(rows: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row divided by its number; where that is 0, zeros."""
    return np.divide(rows, by[:, None], out=np.zeros_like(rows), where=by[:, None] > 0)


def is_web_address(url: str) -> bool:
    """True for http:// or https:// with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
