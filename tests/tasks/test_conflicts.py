"""The task `conflicts`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.conflicts import contradict
from simonides.testing import ScriptedModel


@pytest.mark.parametrize(("verdict", "expected"), [("contradict", True), ("compatible", False)])
def test_two_notes_contradict_each_other_or_do_not(verdict, expected):
    model = ScriptedModel({"conflicts": {"verdict": verdict}})
    assert contradict(model, "The limit is 5.", "The limit is 6.") is expected
    assert model.prompts[0].user.splitlines() == [
        'Recorded first: "The limit is 5."',
        'Recorded later: "The limit is 6."',
    ]


@pytest.mark.parametrize("answer", ["yes", {"verdict": "maybe"}, {}])
def test_any_other_answer_is_invalid(answer):
    with pytest.raises(InvalidAnswer):
        contradict(ScriptedModel({"conflicts": answer}), "a", "b")
