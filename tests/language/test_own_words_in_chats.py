"""A sad face makes no label of what stands before it, and who left something speaks of themselves."""

import pytest

from simonides.language.spoken import own_words


@pytest.mark.parametrize(
    "text",
    [
        "rufus died last night :(",
        "me and Amy broke up :(",
        "Greg's leaving at the end of the month :( going to Monzo",
        "bin ausgezogen :-(",
        "je quitte Lyon :'(",
        "съехал :(",
        "left Tesco, started at Aldi on monday",
        "Went vegan, love it",
        "laissé tomber, trop dur",
    ],
)
def test_it_is_their_own_word(text):
    assert own_words(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "said Tom, I hate walnuts",
        "wrote Ben: I live in Graz",
        "Tom: (I live in Graz)",
    ],
)
def test_what_others_said_is_not(text):
    assert own_words(text) != text
