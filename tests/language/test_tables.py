"""Patterns in the words of all languages."""

import pytest

from simonides.language.tables import worded


def test_a_pattern_holds_the_words_of_every_language_that_has_the_table():
    said = worded("framing", r"\b{said}\b")
    assert all(
        said.search(text) for text in ("she said so", "Anna sagte das", "Анна сказала", "Anna ha scritto")
    )


def test_a_table_that_no_language_has_is_an_error_at_the_first_use_and_no_pattern_that_matches_everywhere():
    pattern = worded("framing", "{no_such_table}")
    with pytest.raises(KeyError, match="no_such_table"):
        pattern.search("any text")
