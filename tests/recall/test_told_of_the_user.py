"""Questions in the first person over statements that call their user by name, or "the user"."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

#: With {who} for whoever has the memory, and {whose} for theirs.
STATEMENTS = (
    "{who} plays bass in a cover band.",
    "{whose} phone broke in July and was replaced with a Pixel 8.",
    "{who} lives in Rotterdam.",
    "{whose} landlord is Mr. de Groot.",
    "{who} keeps the passport in the blue folder.",
    "{who} works as a baker.",
    "{who} drinks no milk.",
    "{whose} sister Mia drives a Volvo.",
    "{who} hates surprise parties.",
    "{who} prefers the window seat.",
)
QUESTIONS = {
    "Which instrument do I play?": "bass",
    "What phone do I have?": "Pixel",
    "Where do I live?": "Rotterdam",
    "Who is my landlord?": "Groot",
    "Where is my passport?": "folder",
    "What is my job?": "baker",
    "Do I drink milk?": "milk",
}


def stored(path, who: str, whose: str, scope: str) -> Memory:
    memory = Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z"))
    memory.add([{"content": text.format(who=who, whose=whose), "scope": scope} for text in STATEMENTS])
    return memory


@pytest.mark.parametrize(
    "asks", [lambda question: question, lambda question: question.replace(" I ", " the user ")]
)
@pytest.mark.parametrize(
    ("who", "whose", "scope"),
    [
        ("User", "User's", "global"),
        ("The user", "The user's", "global"),
        ("Sander", "Sander's", "global"),
        ("Sander", "Sander's", "user:sander"),
    ],
)
def test_whatever_the_user_is_called_their_questions_find_what_is_theirs(path, who, whose, scope, asks):
    if who == "Sander" and asks("do I do") != "do I do":
        pytest.skip("a name is not known to be the user's where questions do not say so")
    with stored(path, who, whose, scope) as memory:
        best = {
            question: memory.search(asks(question), scope=scope).hits[0].item.content
            for question in QUESTIONS
        }
    assert [question for question, told in QUESTIONS.items() if told not in best[question]] == []


def test_one_of_many_who_are_named_is_not_taken_for_the_user(path):
    others = [
        f"{name} plays the {what}." for name, what in (("Tom", "cello"), ("Ida", "harp"), ("Ben", "flute"))
    ]
    with Memory(path, clock=FrozenClock("2026-06-01T00:00:00Z")) as memory:
        memory.add([*others, "I live in Lille.", "I keep four hens."])
        assert memory.search("Which instrument do I play?").abstained


def test_what_is_told_of_the_users_sister_is_not_theirs(path):
    with stored(path, "User", "User's", "global") as memory:
        assert "Volvo" not in memory.search("Which car do I drive?").hits[0].item.content
