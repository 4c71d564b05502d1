"""The task `merge`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.merge import Wording, word_merge
from simonides.testing import ScriptedModel

SOURCES = [
    ("", "Ana moved the review of Apollo to 9:30 on Monday."),
    ("Review", "The review of Apollo was moved to 9:30 on Monday by Ana."),
]
GOOD = "Ana moved the review of Apollo to 9:30 on Monday."


def test_a_model_is_asked_with_the_notes_as_quoted_data():
    model = ScriptedModel({"merge": {"title": " Review\n", "content": GOOD}})
    assert word_merge(model, SOURCES) == Wording("Review", GOOD)
    assert '"content": "Ana moved the review of Apollo to 9:30 on Monday."' in model.prompts[0].user


def test_a_blank_answer_is_asked_for_again_and_then_invalid():
    blank = {"title": "", "content": " "}
    assert (
        word_merge(ScriptedModel({"merge": [blank, {"title": "", "content": GOOD}]}), SOURCES).content == GOOD
    )
    with pytest.raises(InvalidAnswer, match="content is blank"):
        word_merge(ScriptedModel({"merge": [blank, blank]}), SOURCES)
