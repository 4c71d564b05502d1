"""Patterns that are compiled when they are first needed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.pattern import factored, later

#: Pieces of patterns, with what is hard to read in them: brackets in classes, escapes, quantifiers.
ATOMS = [
    "a",
    "b",
    r"\b",
    "^",
    "$",
    r"\s",
    r"\w",
    "[|)a]",
    "[^]b]",
    r"\(",
    r"\|",
    "a?",
    "b+",
    "(?=a)",
    r"(?<!\w)",
]
PIECES = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(
            st.sampled_from(["(?:", "(", "(?!", "(?-i:"]),
            st.lists(inner, min_size=1, max_size=4).map("|".join),
            st.sampled_from([")", ")?", "){0,2}"]),
        ).map("".join),
    ),
    max_leaves=12,
)


def test_it_is_used_as_if_it_were_compiled():
    found = later(r"(?P<word>h\w+)", re.IGNORECASE)
    assert found.search("a Heron")["word"] == "Heron"
    assert found.sub("owl", "a heron, a HEN") == "a owl, a owl"
    assert [match[0] for match in found.finditer("hen heron")] == ["hen", "heron"]
    assert found.flags & re.IGNORECASE


def test_an_error_shows_at_the_first_use():
    broken = later("(")
    with pytest.raises(re.error):
        broken.search("x")


def test_what_several_alternatives_begin_with_stands_before_them_once():
    assert factored(r"\bcat\b|(?:\bdog|^cow)s|(?:\bhen|\bowl)|^x|^y|z") == (
        r"\bcat\b|(?:\bdog|^cow)s|\b(?:hen|owl)|^(?:x|y)|z"
    )
    assert factored(r"\ba|\bb|(?:(?:\bc|\bd)|\be)f") == r"\b(?:a|b|(?:(?:(?:c|d)|e))f)"


@given(pattern=st.lists(PIECES, min_size=1, max_size=6).map("|".join), text=st.text("abA |(\n", max_size=12))
def test_a_pattern_whose_beginnings_were_drawn_together_matches_the_same(pattern, text):
    for flags in (re.IGNORECASE, re.IGNORECASE | re.MULTILINE):
        spans = [
            [match.regs for match in re.compile(one, flags).finditer(text)]
            for one in (pattern, factored(pattern))
        ]
        assert spans[0] == spans[1]
