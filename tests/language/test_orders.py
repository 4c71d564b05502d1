"""Orders to an agent are told from what somebody says, in every language that has words for it."""

import pytest

from simonides.texts import orders


@pytest.mark.parametrize(
    "message",
    [
        "Add a test for the parser.",
        "please now run the tests",
        "In src/app.py: rename the class.",
        "src/app.py, fix the import",
        "and then push it",
        "Füge einen Test hinzu.",
        "Bitte benenne die Klasse um.",
        "Añade una prueba.",
        "Ajoute un test.",
        "Пожалуйста, добавь тест.",
    ],
)
def test_an_order_begins_with_what_is_to_be_done(message):
    assert orders(message)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "please",
        "We decided to use PostgreSQL.",
        "I prefer tabs to spaces.",
        "Our tests run in two minutes.",
        "In Graz we have an office.",
        "Wir verwenden PostgreSQL.",
        "Ich mache das lieber mit Tabs.",
        "Usamos PostgreSQL.",
        "Nous utilisons PostgreSQL.",
        "Мы используем PostgreSQL.",
        "...",
    ],
)
def test_what_somebody_says_is_no_order(message):
    assert not orders(message)


def test_a_long_row_of_such_words_is_read_once():
    assert not orders("please " * 100_000)
    assert not orders("a/b" * 100_000)
