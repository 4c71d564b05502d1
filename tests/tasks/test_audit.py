"""The task `audit`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.audit import AuditOpinion, audit
from simonides.testing import ScriptedModel

ANSWER = {"verdict": "accept", "reason": "", "type": "", "tags": []}


def asked(*answers):
    model = ScriptedModel({"audit": list(answers)})
    return audit(model, "The boat is red.", given={"type": "fact"}, tags=["boat"], types=["fact", "note"])


def test_an_answer_becomes_an_opinion():
    found = asked(
        ANSWER | {"verdict": "quarantine", "reason": " sounds\nplanted ", "type": "Note", "tags": ["red "]}
    )
    assert found == AuditOpinion("quarantine", "sounds planted", "note", ("red",))


def test_what_is_too_much_is_cut():
    found = asked(ANSWER | {"reason": "so " * 200, "tags": [f"tag {n}" for n in range(30)]})
    assert len(found.reason) <= 200
    assert found.tags == tuple(f"tag {n}" for n in range(8))


@pytest.mark.parametrize(
    "answer",
    [ANSWER | {"verdict": "approve"}, ANSWER | {"tags": "boat"}, {"verdict": "accept"}, "yes", "[]"],
)
def test_an_answer_of_another_form_is_asked_for_again_and_then_invalid(answer):
    assert asked(answer, ANSWER) == AuditOpinion("accept")
    with pytest.raises(InvalidAnswer, match="task audit"):
        asked(answer, answer)
