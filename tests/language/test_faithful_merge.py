"""Words that a model may write in place of several items."""

import pytest

from simonides.language.faithfulness import unfaithful_merge

SOURCES = [
    ("", "Ana moved the review of Apollo to 9:30 on Monday."),
    ("Review", "The review of Apollo was moved to 9:30 on Monday by Ana."),
]
GOOD = "Ana moved the review of Apollo to 9:30 on Monday."


def problem(content, title=""):
    return unfaithful_merge(title, content, SOURCES)


def test_the_words_of_the_notes_may_stand_for_them():
    assert problem(GOOD) is None
    assert problem("The review of Apollo is moved to 9:30 on Monday by Ana.", "Review of Apollo") is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (GOOD * 4, "longer"),
        ("Ana moved the review of Apollo to 10:30 on Monday.", "no note has"),
        ("Ana moved the review of Apollo to 9:30 on Monday, room 4.", "no note has"),
        ("Ana moved the review of Apollo on Monday.", "leaves out a number"),
        ("Ana and Ben moved the review of Apollo to 9:30 on Monday.", "name that no note has"),
        ("Ana moved the review to 9:30 on Monday.", "leaves out a name"),
        ("Ana did not move the review of Apollo to 9:30 on Monday.", "something else"),
        ("Ana hat den Termin für Apollo, Monday, auf 9:30 verlegt", "no note has"),
    ],
)
def test_what_is_invented_partial_longer_or_otherwise_may_not(content, why):
    assert why in (problem(content) or "")


@pytest.mark.parametrize(
    "content",
    ["ana bevorzugt morgens grünen tee", "анна пьет зеленый чай по утрам", "安娜早上喜欢喝绿茶"],
)
def test_another_language_may_not(content):
    sources = [("", "ana prefers green tea"), ("", "ana really prefers green tea in the morning")]
    assert "another language" in (unfaithful_merge("", content, sources) or "")


def test_half_of_what_the_notes_agree_in_may_not():
    sources = [("", "ana prefers green tea in the morning"), ("", "in the morning ana prefers green tea")]
    assert "agree in" in (unfaithful_merge("", "ana, in the morning", sources) or "")


def test_a_title_is_held_to_the_same():
    assert "name that no note has" in problem(GOOD, "Review by Berta")


def test_a_problem_quotes_nothing_of_the_notes():
    for content in ("Ana.", "Ben 7", GOOD * 9):
        assert not any(word in (problem(content) or "") for word in ("Ana", "Apollo", "9:30"))
