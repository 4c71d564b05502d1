"""A reranker run in this process: a cross-encoder of sentence-transformers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simonides.errors import ProviderError
from simonides.models.provider import Provider, finite_scores, sendable
from simonides.models.retry import one_line
from simonides.models.sentence_transformers import loaded, require_package


class CrossEncoderReranker:
    """Meets the `Reranker` port with a cross-encoder, by the path or name of its files.

    Making one is cheap. The package is imported and the model loaded when it is first asked: that takes
    seconds. A name is looked for among the files that are already here, and fetched from the Hugging Face Hub
    only if it is not among them; `api_key` is the Hub's token. `batch_size` texts are read at a time.
    `base_url`, `dimension` and `timeout_s` have no meaning here. The scale of the scores is the model's.

    Safe to use from several threads, one at a time.
    """

    def __init__(self, provider: Provider) -> None:
        """Prepare to load the model of `provider`.

        Raises:
            InvalidSettings: There is no model.
            ProviderUnavailable: The package is not installed.
        """
        require_package(provider)
        self._provider = provider
        self._one_at_a_time = threading.Lock()

    @property
    def name(self) -> str:
        return self._provider.name

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros(0, np.float32)
        query = sendable(question)
        pairs = [(query, sendable(text)) for text in texts]
        with self._one_at_a_time:
            scores = self._predicted(pairs)
        return finite_scores(scores, count=len(texts), name=self.name)

    @cached_property
    def _model(self) -> Any:
        return loaded("CrossEncoder", self._provider)

    def _predicted(self, pairs: Sequence[tuple[str, str]]) -> object:
        model = self._model
        try:
            return model.predict(pairs, batch_size=self._provider.batch_size, show_progress_bar=False)
        except (RuntimeError, ValueError) as error:
            raise ProviderError(
                f"{self.name} failed ({one_line(str(error))}); a smaller batch_size needs less memory"
            ) from error
