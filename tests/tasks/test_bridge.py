"""The task `bridge`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.bridge import word_subgoal
from simonides.testing import ScriptedModel


def worded(*answers, known=("Marrow Hill",)):
    model = ScriptedModel({"bridge": list(answers)})
    return word_subgoal(model, "Who lit the lamp?", "the keeper", known), model


def test_a_gap_becomes_a_query():
    query, model = worded({"query": " Who keeps\nMarrow Hill? "})
    assert query == "Who keeps Marrow Hill?"
    assert model.prompts[0].user.splitlines() == [
        'Question: "Who lit the lamp?"',
        'Missing: "the keeper"',
        'Known: ["Marrow Hill"]',
    ]


def test_without_names_to_go_on_from_the_list_is_empty():
    _, model = worded({"query": "x"}, known=())
    assert model.prompts[0].user.endswith("Known: []")


def test_a_query_is_not_long():
    query, _ = worded({"query": "key " * 100})
    assert len(query) == 199


def test_a_blank_query_is_asked_for_again_and_then_invalid():
    assert worded({"query": " "}, {"query": "x"})[0] == "x"
    with pytest.raises(InvalidAnswer, match="query is blank"):
        worded({"query": " "}, {"query": "\n"})
