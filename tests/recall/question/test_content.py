"""Content of a question beside a time, and questions that ask for a time alone."""

import pytest

from simonides.language.sentences import MAX_CHARS
from simonides.recall.question.analysis import analyse

ASKED = 1_772_366_400_000_000


@pytest.mark.parametrize(
    "text",
    [
        "what happened last week?", "What happened yesterday?", "what was happening last week?",
        "what occurred in March?", "What did we do last week?",
        "что случилось вчера?", "Что произошло на прошлой неделе?", "что было на прошлой неделе?",
        "que s'est-il passé hier ?", "Que s’est-il passé la semaine dernière ?",
        "Was ist gestern passiert?", "¿Qué pasó ayer?", "¿Qué ocurrió la semana pasada?",
        "上周发生了什么?", "昨天发生过什么",
    ],
)  # fmt: skip
def test_who_asks_what_happened_then_asks_for_the_time_alone(text):
    found = analyse(text, ASKED)
    assert found.window is not None
    assert found.content_terms == ()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("what happened to the kettle last week?", "kettle"),
        ("what happened at Acme yesterday?", "Acme"),
        ("что случилось с чайником вчера?", "чайником"),
        ("que s'est-il passé à Graz hier ?", "Graz"),
        ("上周水壶发生了什么?", "水壶"),
    ],
)
def test_what_happened_to_something_is_about_it(text, word):
    assert word in analyse(text, ASKED).content_terms


def test_without_a_time_it_is_a_word_like_others():
    assert analyse("what happened?", ASKED).content_terms == ("happened",)


def test_of_a_long_message_the_middle_counts_too():
    text = "what happened last week? " + " " * MAX_CHARS + "kettle " + " " * MAX_CHARS + "last week"
    assert analyse(text, ASKED).content_terms
