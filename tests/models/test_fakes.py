"""The fakes for tests of other programs meet the contracts of what they stand for."""

import json

import pytest

from simonides.errors import ProviderError, ProviderUnavailable
from simonides.ports.model import Prompt
from simonides.testing import FakeReranker, LanguageModelContract, RerankerContract, ScriptedModel


def asked(model, task="greet", user="Hello"):
    return model.answer(Prompt(task=task, system="", user=user))


class TestFakeReranker(RerankerContract):
    def make_reranker(self):
        return FakeReranker()

    def make_failing_reranker(self):
        return FakeReranker(error=ProviderUnavailable())


class TestScriptedModel(LanguageModelContract):
    def make_model(self):
        return ScriptedModel({"greet": "Good morning."})

    def make_failing_model(self):
        return ScriptedModel({"greet": ProviderError("no")})


def test_a_fake_reranker_gives_the_scores_it_was_given_and_notes_what_it_was_asked():
    reranker = FakeReranker({"a": 0.5, "b": -2.0})
    assert reranker.rerank("q", ["b", "a", "c"]).tolist() == [-2.0, 0.5, 0.0]
    assert reranker.asked == [("q", ("b", "a", "c"))]


def test_a_fake_reranker_that_fails_notes_what_it_was_asked_too():
    reranker = FakeReranker(error=ProviderUnavailable("gone"))
    with pytest.raises(ProviderUnavailable, match="gone"):
        reranker.rerank("q", ["a"])
    assert reranker.asked == [("q", ("a",))]


def test_a_script_is_a_text_a_mapping_an_error_a_list_of_these_or_what_a_callable_makes_of_the_prompt():
    model = ScriptedModel(
        {
            "text": "yes",
            "json": {"ключ": [1]},
            "list": ["one", {"n": 2}, ProviderError("three")],
            "callable": lambda prompt: prompt.user.upper(),
        }
    )
    assert [asked(model, "text"), asked(model, "text")] == ["yes", "yes"]
    assert json.loads(asked(model, "json")) == {"ключ": [1]}
    assert [asked(model, "list"), asked(model, "list")] == ["one", '{"n": 2}']
    with pytest.raises(ProviderError, match="three"):
        asked(model, "list")
    assert asked(model, "callable", "loud") == "LOUD"
    assert [prompt.task for prompt in model.prompts] == ["text"] * 2 + ["json"] + ["list"] * 3 + ["callable"]


def test_a_task_without_a_script_or_beyond_its_end_is_a_mistake_of_the_test():
    model = ScriptedModel({"list": []})
    with pytest.raises(AssertionError, match="no script for the task 'other'"):
        asked(model, "other")
    with pytest.raises(AssertionError, match="0 answers to the task 'list'"):
        asked(model, "list")
