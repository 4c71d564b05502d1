"""The contracts of rerankers and of language models."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

import numpy as np

from simonides.errors import (
    ProviderError,
)
from simonides.ports.model import LanguageModel, Prompt
from simonides.ports.reranker import Reranker
from simonides.testing.raising import raises


class RerankerContract:
    """The contract of every `ports.reranker.Reranker`. Inherit, override the two methods, and let pytest run it."""

    QUESTION: Final = "Where is the spare key?"
    TEXTS: Final = (
        "Interest rates rose again in March.",
        "The spare key is under the blue pot.",
        "Запасной ключ лежит под горшком, 备用钥匙在花盆下面。",
        "A turn that goes on and on. " * 1000,
        "half \ud83d of a pair, \x00 and NUL",
    )

    def make_reranker(self) -> Reranker:
        """One that answers."""
        raise NotImplementedError

    def make_failing_reranker(self) -> Reranker:
        """One whose provider does not answer usefully."""
        raise NotImplementedError

    def test_a_reranker_has_a_name(self) -> None:
        assert self.make_reranker().name.strip()

    def test_each_text_has_a_finite_score(self) -> None:
        scores = self.make_reranker().rerank(self.QUESTION, self.TEXTS)
        assert scores.dtype == np.float32
        assert scores.shape == (len(self.TEXTS),)
        assert np.isfinite(scores).all()

    def test_without_texts_there_are_no_scores(self) -> None:
        scores = self.make_reranker().rerank(self.QUESTION, [])
        assert (scores.dtype, scores.shape) == (np.float32, (0,))

    def test_what_answers_the_question_stands_above_what_does_not_wherever_it_stands(self) -> None:
        reranker, texts = self.make_reranker(), self.TEXTS[:2]
        away, near = reranker.rerank(self.QUESTION, texts)
        assert near > away
        assert np.allclose(reranker.rerank(self.QUESTION, texts[::-1]), [near, away], atol=1e-4)

    def test_the_same_question_has_the_same_answer_in_every_thread(self) -> None:
        reranker = self.make_reranker()
        expected = reranker.rerank(self.QUESTION, self.TEXTS)
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(reranker.rerank, self.QUESTION, self.TEXTS) for _ in range(8)]
            assert all(np.allclose(scores.result(), expected, atol=1e-4) for scores in asked)

    def test_a_reranker_that_fails_raises_a_provider_error(self) -> None:
        with raises(ProviderError):
            self.make_failing_reranker().rerank(self.QUESTION, self.TEXTS)


class LanguageModelContract:
    """The contract of every `ports.model.LanguageModel`. Inherit, override the two methods, and let pytest run it."""

    PROMPT: Final = Prompt(
        task="greet",
        system="You are polite. Answer in one sentence.",
        user="Say good morning to Ana. Не забудь её кота. 早上好。 \ud83d \x00",
        max_tokens=100,
    )
    SCHEMA: Final[Mapping[str, Any]] = {
        "type": "object",
        "properties": {"greeting": {"type": "string"}},
        "required": ["greeting"],
        "additionalProperties": False,
    }

    def make_model(self) -> LanguageModel:
        """One that answers."""
        raise NotImplementedError

    def make_failing_model(self) -> LanguageModel:
        """One whose provider does not answer, or refuses."""
        raise NotImplementedError

    def test_a_model_has_a_name(self) -> None:
        assert self.make_model().name.strip()

    def test_a_prompt_is_answered_with_a_text(self) -> None:
        answer = self.make_model().answer(self.PROMPT)
        assert isinstance(answer, str)
        assert answer.strip()

    def test_a_prompt_with_a_schema_is_answered_with_a_text_too(self) -> None:
        answer = self.make_model().answer(replace(self.PROMPT, schema=self.SCHEMA))
        assert isinstance(answer, str)
        assert answer.strip()

    def test_several_threads_may_ask_at_once(self) -> None:
        model = self.make_model()
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(model.answer, self.PROMPT) for _ in range(8)]
            assert all(answer.result().strip() for answer in asked)

    def test_a_model_that_fails_raises_a_provider_error(self) -> None:
        with raises(ProviderError):
            self.make_failing_model().answer(self.PROMPT)


_NEVER: Final = np.iinfo(np.int64).max
