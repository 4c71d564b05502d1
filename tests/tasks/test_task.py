"""Steps of every task: ask, read what comes, ask once more, give up."""

from dataclasses import dataclass

import pytest

from simonides.errors import InvalidAnswer, ProviderError, ProviderUnavailable
from simonides.tasks.bridge import BRIDGE
from simonides.tasks.expand import EXPAND
from simonides.tasks.task import Task
from simonides.testing import ScriptedModel

GOOD = {"query": "Who keeps the light?"}
VALUES = {"question": "Who lit the lamp?", "subgoal": "the keeper", "known": ["Marrow Hill"]}


@dataclass(frozen=True)
class Word:
    text: str


def worded(answer):
    if answer["query"] == "no":
        raise InvalidAnswer("query says no")
    return Word(answer["query"])


WORD = Task[Word](name="bridge", schema=BRIDGE.schema, read=worded)


def test_a_good_answer_is_asked_for_once_and_read():
    model = ScriptedModel({"bridge": GOOD})
    assert WORD.run(model, **VALUES) == Word("Who keeps the light?")
    [prompt] = model.prompts
    assert (prompt.task, prompt.schema, prompt.max_tokens, prompt.timeout_s) == (
        "bridge",
        WORD.schema,
        1000,
        30,
    )
    assert '"Who lit the lamp?"' in prompt.user


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("I am sorry.", "there is no whole JSON object in the answer"),
        ({"other": "x"}, "query is missing in the answer"),
        ({"query": 5}, "query must be of type string, not integer"),
        ({"query": None}, "query must be of type string, not null"),
        ({"query": "no"}, "query says no"),
    ],
)
def test_the_model_is_told_once_what_was_wrong(bad, problem):
    model = ScriptedModel({"bridge": [bad, GOOD]})
    assert WORD.run(model, **VALUES) == Word("Who keeps the light?")
    first, second = model.prompts
    assert second.user == (
        f'{first.user}\n\nYour last answer could not be used: "{problem}". '
        "Answer the same once more, with the one JSON object and nothing else."
    )
    assert (second.system, second.schema) == (first.system, first.schema)
    assert 0 < second.timeout_s <= first.timeout_s


def test_after_the_second_bad_answer_it_says_who_failed_in_what_and_why():
    model = ScriptedModel({"bridge": ["no", {"query": []}]}, name="ollama:small")
    with pytest.raises(
        InvalidAnswer,
        match=r"^ollama:small gave no usable answer to the task bridge: query must be of type string",
    ):
        WORD.run(model, **VALUES)
    assert len(model.prompts) == 2


def test_without_time_for_a_second_answer_the_first_one_counts():
    model = ScriptedModel({"bridge": ["no", GOOD]})
    hurried = Task[Word](name="bridge", schema=BRIDGE.schema, read=worded, timeout_s=0)
    with pytest.raises(InvalidAnswer, match="scripted gave no usable answer to the task bridge"):
        # Nothing is left of no time at all, however quick the model was.
        hurried.run(model, **VALUES)
    assert len(model.prompts) == 1


@pytest.mark.parametrize("error", [ProviderError("it refused"), ProviderUnavailable("it is gone")])
def test_a_model_that_does_not_answer_is_not_asked_again(error):
    model = ScriptedModel({"bridge": [error]})
    with pytest.raises(type(error), match=str(error)):
        WORD.run(model, **VALUES)
    assert len(model.prompts) == 1


def test_what_is_good_enough_may_be_wider_than_what_is_asked_for():
    loose = {"type": "object", "required": ["query"]}
    task = Task(name="bridge", schema=BRIDGE.schema, accepted=loose, read=lambda answer: answer["query"])
    assert task.parse('{"query": 5}') == 5
    with pytest.raises(InvalidAnswer, match="query is missing"):
        task.parse("{}")


def test_keys_that_were_not_asked_for_are_passed_over():
    assert WORD.parse('{"query": "x", "confidence": 0.9, "notes": null}') == Word("x")


@pytest.mark.parametrize("task", [EXPAND, BRIDGE], ids=lambda task: task.name)
def test_schemas_are_as_strict_servers_want_them(task):
    schema = task.schema
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert sorted(schema["required"]) == sorted(schema["properties"])
