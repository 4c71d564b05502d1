"""Literals of code in prose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.literals import literals, stands_in

NAME = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=8)
LITERALS = st.one_of(
    st.builds("--{}-{}".format, NAME, NAME),
    st.builds("--{}={}".format, NAME, NAME),
    st.builds("-{}".format, st.sampled_from("abcdexyzXYZ")),
    st.builds("@{}".format, NAME),
    st.builds("#{}".format, NAME),
    st.builds("${}".format, NAME.map(str.upper)),
    st.builds("%{}".format, st.sampled_from("sdfrx")),
    st.builds("/{}/{}".format, NAME, NAME),
    st.builds("{}.{}()".format, NAME, NAME),
    st.builds("{}_{}".format, NAME, NAME),
    st.builds("{}::{}".format, NAME, NAME),
    st.builds("~/.{}".format, NAME),
)


@given(
    literal=LITERALS,
    frame=st.sampled_from(
        ["{}", "when do I need {}?", "what is `{}`", "was macht {}?", "“{}”, what for", "({})"]
    ),
)
def test_a_literal_is_found_wherever_it_stands(literal, frame):
    assert literals(frame.format(literal)) == (literal,)


@given(literal=LITERALS, frame=st.sampled_from(["Call it with {}.", "{}: see below", "'{}'", "a, {}, b"]))
def test_a_literal_stands_in_a_text_that_holds_it_and_in_no_longer_one(literal, frame):
    assert stands_in(literal, frame.format(literal))
    assert not stands_in(literal, frame.format(f"{literal}-more"))
    assert not stands_in(literal, frame.format(f"pre{literal}"))


@pytest.mark.parametrize(
    "text",
    [
        "What did well-known people say?", "tea and/or coffee", "Who's there? It's Ben's.", "at 10:30 on 3.5.",
        "e.g. this", "24/7 service", "50% off", "Mr. Smith went home.", "no - never", "Grünkohl, bitte!", "我的茶壶",
        "the U.S. office", "on YouTube", "with Node.js", "COVID-19", "-5 degrees", "$5 a day", "we met in Graz...",
        "x" * 500 + " --flag",
    ],
)  # fmt: skip
def test_words_are_no_literals(text):
    assert literals(text) == ()
