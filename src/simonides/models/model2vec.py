"""Embeddings of a static model of model2vec: a table of token vectors, quick without a GPU."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import NotInstalled, ProviderError, ProviderUnavailable
from simonides.models.provider import EmbeddingRequests, Provider, RequestingEmbedder
from simonides.models.retry import one_line


class Model2VecEmbedder(RequestingEmbedder):
    """Meets the `Embedder` port with a model of model2vec, by the path or name of its files.

    Making one is cheap. The package is imported and the model loaded when `identity` is first read or a text
    first embedded. A name that is not among the files already here is fetched from the Hugging Face Hub;
    `api_key` is the Hub's token. A dimension that is set cuts the vectors to it. `base_url` and `timeout_s`
    have no meaning here. Safe to use from several threads, one at a time.
    """

    def __init__(self, provider: Provider) -> None:
        """Prepare to load the model of `provider`.

        Raises:
            InvalidSettings: There is no model.
            ProviderUnavailable: The package is not installed.
        """
        self._provider = provider
        self._name_or_path = provider.required_model()
        if importlib.util.find_spec("model2vec") is None:
            raise NotInstalled.of("model2vec", extra="model2vec")
        self._one_at_a_time = threading.RLock()
        self._requests = EmbeddingRequests(self._encode, provider=provider, dimension=None)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is a digest of the whole table.

        Raises:
            ProviderError: The model cannot be loaded.
        """
        with self._one_at_a_time:
            return self._identity

    @property
    def local(self) -> bool:
        """True if its files are in a folder of this machine: a name may have to be downloaded first."""
        return Path(self._name_or_path).is_dir()

    @cached_property
    def _identity(self) -> EmbedderIdentity:
        dimension = self._requests.dimension()
        return EmbedderIdentity(self._provider.name, f"{_digest(self._model)}:{dimension}", dimension)

    @cached_property
    def _model(self) -> Any:
        try:
            package: Any = importlib.import_module("model2vec")
            return package.StaticModel.from_pretrained(
                self._name_or_path,
                dimensionality=self._provider.dimension,
                token=self._provider.secret(),
                force_download=False,
            )
        except (ImportError, OSError, ValueError, RuntimeError) as error:
            raise ProviderUnavailable(
                f"{self._provider.name} cannot be loaded ({one_line(str(error))}); "
                "check its path, or that its name exists and can be downloaded"
            ) from error

    def _encode(self, texts: Sequence[str]) -> object:
        with self._one_at_a_time:
            model = self._model
            try:
                return model.encode(list(texts))
            except (RuntimeError, ValueError) as error:
                raise ProviderError(f"{self._provider.name} failed ({one_line(str(error))})") from error


def _digest(model: Any) -> str:
    """SHA-256 of what decides its vectors: tokens, their vectors and weights, and how much of a text counts."""
    digest = hashlib.sha256(json.dumps([model.tokens, model.max_length]).encode())
    for table in (model.embedding, model.weights, model.token_mapping):
        if table is not None:
            digest.update(f"{table.shape} {table.dtype}\n".encode())
            digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()
