import pytest

from simonides.language.faithfulness import in_another_language, left_out, unfaithful, unsaid

SOURCE = "Ana bought 3 kettles for the hall in Graz, and they are made of copper."


@pytest.mark.parametrize(
    "text",
    [
        "Ana bought 3 kettles in Graz.",
        "Ana has three copper kettles.",
        "Kettles of copper stand in the hall.",
    ],
)
def test_what_the_sources_say_may_be_said(text):
    assert unfaithful(text, [SOURCE], 200) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" ", "blank"),
        ("Ana bought kettles. " * 20, "longer than 200"),
        ("Ana bought 4 kettles.", "numbers or names"),
        ("Zoltan bought 3 kettles.", "numbers or names"),
        ("Ana bought 3 kettles in Vienna.", "numbers or names"),
        ("Ana a acheté les 3 bouilloires pour une maison qui est dans Graz.", "another language"),
        ("Ана купила 3 чайника.", "another language"),
        ("安娜买了3个水壶。", "another language"),
    ],
)
def test_what_they_do_not_say_may_not(text, why):
    problem = unfaithful(text, [SOURCE], 200)
    assert problem is not None
    assert why in problem
    assert "Ana" not in problem
    assert "Zoltan" not in problem


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Ана купила чайник.", "Ана купила медный чайник для зала."),
        ("安娜买了水壶。", "安娜昨天买了三个水壶。"),
        ("Ana a un chat.", "Ana a adopté un chat."),
        ("OK", "ok then"),
        ("Ana trinkt Tee.", "Ana trinkt am Morgen Tee."),
    ],
)
def test_the_language_of_the_sources_is_no_other_language(text, source):
    assert not in_another_language(text, [source])


def test_numbers_and_names_that_are_missing_are_counted():
    assert left_out("Ana bought 3 kettles in Graz.", [SOURCE]) == 0
    assert left_out("She bought kettles.", [SOURCE]) == 3


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The user lives in Graz.", "I live in Graz."),
        ("Пользователь живёт в Граце.", "Я живу в Граце."),
        ("L'utilisatrice habite à Graz.", "J'habite à Graz."),
        ("Der Nutzer wohnt in Graz.", "Ich wohne in Graz."),
        ("La usuaria vive en Graz.", "Vivo en Graz."),
    ],
)
def test_the_word_for_whoever_spoke_is_no_name(text, source):
    assert unsaid(text, [source]) == ()
