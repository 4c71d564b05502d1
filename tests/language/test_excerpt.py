from dataclasses import replace

import pytest

from simonides.domain.provenance import Origin
from simonides.language.excerpt import excerpt
from simonides.testing import an_item


def turn(text, **fields):
    return an_item(text, type="episode", **fields)


def test_the_sentences_are_quoted_word_for_word_in_their_order():
    turns = [
        turn("Hello! We painted the old boat on Saturday."),
        turn("Nice weather."),
        turn("The boat needs a new mast. The mast of the boat costs 400 euros."),
    ]
    found = excerpt(turns, 200)
    assert "boat" in found.text
    for sentence in ("We painted the old boat on Saturday.", "The mast of the boat costs 400 euros."):
        assert sentence in found.text
    assert set(found.turns) <= set(turns)


@pytest.mark.parametrize("limit", [40, 80, 200])
def test_it_is_never_longer_than_it_may_be(limit):
    turns = [turn(f"The boat number {n} lies in the old harbour of Graz and waits.") for n in range(20)]
    assert len(excerpt(turns, limit).text) <= limit


def test_what_is_stated_comes_before_what_is_asked_and_what_an_assistant_says():
    said = "The boat lies in the old harbour"
    turns = [turn(f"{said}?"), turn(f"{said}, they say.", origin=Origin.ASSISTANT_SAID), turn(f"{said} now.")]
    assert excerpt(turns, 200, most=1).text == f"{said} now."


def test_who_is_known_by_name_is_named():
    turns = [
        turn("The boat lies in the old harbour.", metadata={"sender": "Ana"}),
        turn("The harbour master wants forty crowns.", metadata={"sender": "Ben"}),
    ]
    assert excerpt(turns, 200).text.startswith("Ana: The boat lies in the old harbour. Ben: ")


def test_what_may_not_be_injected_is_not_quoted():
    turns = [replace(turn("The boat lies in the old harbour."), injectable=False)]
    assert excerpt(turns, 200) is None


def test_small_talk_and_code_say_nothing():
    assert excerpt([turn("ok"), turn("Hi!"), turn("```\nboat = harbour(old, boat)\n```")], 200) is None


def test_sentences_without_blanks_between_them_are_found():
    found = excerpt([turn("我们把旧船停在港口。桅杆要四百元。天气很好。")], 200, most=1)
    assert found.text.endswith("。")
    assert len(found.text) < 15


def test_what_was_typed_without_a_sign_does_not_run_on_into_the_next():
    turns = [turn("tom loves the old boat though"), turn("budget for the easter trip is 900 pounds")]
    assert (
        excerpt(turns, 200).text == "tom loves the old boat though. budget for the easter trip is 900 pounds"
    )
    turns = [turn("我们周六给旧船刷了漆"), turn("复活节旅行的预算是九百镑")]
    assert excerpt(turns, 200).text == "我们周六给旧船刷了漆。 复活节旅行的预算是九百镑"


def test_sentences_that_are_left_out_are_not_quoted():
    turns = [turn("The boat lies in the old harbour."), turn("The user paints the old boat blue.")]
    assert (
        excerpt(turns, 200, left_out=lambda _, said: "user" in said).text
        == "The boat lies in the old harbour."
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "We met Dr. Meier beside the old boat.",
        "1. Paint the old boat blue.",
        "The boat lies 3. in the row.",
    ],
)
def test_a_title_and_a_number_before_an_item_end_no_sentence(sentence):
    assert excerpt([turn(f"{sentence} It rains today in Leeds.")], 200, most=1).text == sentence
