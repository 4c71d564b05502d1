"""Embeddings of a model run in this process by sentence-transformers."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import NotInstalled, ProviderError, ProviderUnavailable
from simonides.models.provider import EmbeddingRequests, Provider, RequestingEmbedder
from simonides.models.retry import one_line

_PACKAGE = "sentence_transformers"


class SentenceTransformersEmbedder(RequestingEmbedder):
    """Meets the `Embedder` port with a model of sentence-transformers, by the path or name of its files.

    Making one is cheap. The package is imported and the model loaded when `identity` is first read or a
    text first embedded: that takes seconds. A name is looked for among the files that are already here, and
    fetched from the Hugging Face Hub only if it is not among them; `api_key` is the Hub's token. A dimension
    that is set cuts the vectors to it. `base_url` and `timeout_s` have no meaning here.

    Safe to use from several threads, one at a time: tokenizers bear no more. A text's vector differs in its
    last bits with the length of its neighbours in the batch.
    """

    def __init__(self, provider: Provider) -> None:
        """Prepare to load the model of `provider`.

        Raises:
            InvalidSettings: There is no model.
            ProviderUnavailable: The package is not installed.
        """
        self._provider = provider
        require_package(provider)
        self._one_at_a_time = threading.RLock()
        self._requests = EmbeddingRequests(self._encode, provider=provider, dimension=None)

    @property
    def identity(self) -> EmbedderIdentity:
        """Name, fingerprint and dimension. The fingerprint is a digest of all weights and the settings.

        Where the files lie does not matter to it. Costs some 3 s per GB of weights, once, beside loading.

        Raises:
            ProviderError: The model cannot be loaded.
        """
        with self._one_at_a_time:
            return self._identity

    @cached_property
    def _identity(self) -> EmbedderIdentity:
        dimension = self._requests.dimension()
        return EmbedderIdentity(self._provider.name, f"{_digest(self._model)}:{dimension}", dimension)

    @cached_property
    def _model(self) -> Any:
        return loaded("SentenceTransformer", self._provider, truncate_dim=self._provider.dimension)

    def _encode(self, texts: Sequence[str]) -> object:
        with self._one_at_a_time:
            model = self._model
            try:
                return model.encode(list(texts), batch_size=len(texts), show_progress_bar=False)
            except (RuntimeError, ValueError) as error:
                raise ProviderError(
                    f"{self._provider.name} failed ({one_line(str(error))}); a smaller batch_size needs less memory"
                ) from error


def require_package(provider: Provider) -> None:
    """See that a model of sentence-transformers is named and the package there, without importing it.

    Raises:
        InvalidSettings: There is no model.
        ProviderUnavailable: The package is not installed.
    """
    provider.required_model()
    if importlib.util.find_spec(_PACKAGE) is None:
        raise NotInstalled.of("sentence-transformers", extra="sentence-transformers")


def loaded(kind: str, provider: Provider, **options: Any) -> Any:
    """A model of one of the package's classes, from the files that are here or else from the Hub.

    Args:
        kind: The class, such as `SentenceTransformer`.
        provider: Which model.
        **options: What else the class is to be told.

    Raises:
        ProviderUnavailable: The package cannot be imported, or the model not be loaded.
    """
    try:
        package: Any = importlib.import_module(_PACKAGE)
    except ImportError as error:
        raise ProviderUnavailable(
            f"sentence-transformers cannot be imported ({one_line(str(error))}); install it anew"
        ) from error
    load, name_or_path, token = getattr(package, kind), provider.required_model(), provider.secret()
    try:
        try:
            return load(name_or_path, local_files_only=True, token=token, **options)
        except OSError:
            return load(name_or_path, token=token, **options)
    except (OSError, ValueError, RuntimeError) as error:
        raise ProviderUnavailable(
            f"{provider.name} cannot be loaded ({one_line(str(error))}); "
            "check its path, or that its name exists and can be downloaded"
        ) from error


def _digest(model: Any) -> str:
    """SHA-256 of what decides its vectors: every weight by name, and how it pools, cuts and prompts.

    The first part's own settings are left out: they say how to run it, and their names change with releases.
    """
    torch: Any = importlib.import_module("torch")
    settings = {
        "parts": [type(part).__name__ for part in model],
        "settings": [part.get_config_dict() for part in list(model)[1:] if hasattr(part, "get_config_dict")],
        "tokens": model.max_seq_length,
        "prompt": model.prompts.get(model.default_prompt_name, ""),
    }
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
