"""Sentences of a text as they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.sentences import whole_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["We met Dr. Meier.", "It rained!", "Why?"],
        ["1. Open the lid.", "2. Wait..."],
        ["Am 3. Mai ziehen wir um.", "Ende."],
        ["If a != b, see https://example.org/?q=tea.", 'Mum said "go!" twice.'],
    ],
)
def test_each_has_its_marks_and_what_stands_within_a_word_ends_none(sentences):
    assert list(whole_sentences(" ".join(sentences))) == sentences


def test_chinese_sentences_have_no_blanks_between_them():
    assert list(whole_sentences("我吃素。你呢？\n好")) == ["我吃素。", "你呢？", "好"]


@given(st.text(alphabet="ab1 .!?…。\n\"'(", max_size=30))
def test_nothing_is_lost_and_none_is_blank(text):
    whole = list(whole_sentences(text))
    assert "".join("".join(whole).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in whole)
