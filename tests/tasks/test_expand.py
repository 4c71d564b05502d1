"""The task `expand`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.expand import Expansions, expand
from simonides.testing import ScriptedModel


def expanded(**answer):
    said = {"lexical": [], "semantic": [], "hypothetical": ""} | answer
    return expand(ScriptedModel({"expand": said}), "when do we ship?")


def test_a_question_gets_other_words_other_questions_and_an_answer():
    found = expanded(
        lexical=["release date", "rollout"], semantic=["What day?"], hypothetical="We ship on Fridays."
    )
    assert found == Expansions(("release date", "rollout"), ("What day?",), "We ship on Fridays.")


def test_the_question_is_all_that_the_model_is_given():
    model = ScriptedModel({"expand": {"lexical": [], "semantic": [], "hypothetical": ""}})
    expand(model, "when do we ship?")
    [prompt] = model.prompts
    assert prompt.user == 'Question: "when do we ship?"'
    assert prompt.schema["properties"]["lexical"]["maxItems"] == 3


def test_of_more_than_three_the_first_three_count():
    found = expanded(lexical=list("abcde"), semantic=list("fghi"))
    assert (found.lexical, found.semantic) == (("a", "b", "c"), ("f", "g", "h"))


def test_blank_ones_and_repetitions_do_not_count():
    found = expanded(lexical=["", "a", " A ", "b\n c", "\t", "d"])
    assert found.lexical == ("a", "b c", "d")


def test_texts_stand_on_one_line_and_are_not_long():
    found = expanded(
        lexical=["x" * 999], semantic=["y " * 999], hypothetical="one\ntwo \x00 \ud83d" + " z" * 999
    )
    assert [len(text) for text in (*found.lexical, *found.semantic, found.hypothetical)] == [200, 499, 499]
    assert found.hypothetical.startswith("one two \ufffd \ufffd z")


def test_nothing_to_add_is_an_answer_too():
    assert expanded() == Expansions((), (), "")


@pytest.mark.parametrize(
    "answer",
    [{"lexical": "a"}, {"lexical": None}, {"semantic": [1]}, {"hypothetical": None}, {"hypothetical": []}],
)
def test_wrong_types_are_invalid(answer):
    with pytest.raises(InvalidAnswer, match="must be of type"):
        expanded(**answer)
