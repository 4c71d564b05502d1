"""The line in which one asks, and the small pure parts of the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.edges.page.query_line import read_line
from simonides.edges.page.score import GROUPS, bars
from simonides.edges.page.word_diff import word_diff
from simonides.edges.page.wording import ago
from simonides.recall.result import Hit
from simonides.testing import an_item

SECOND, DAY = 1_000_000, 86_400_000_000


def test_filters_are_taken_out_of_the_line():
    line = read_line('what did we decide type:decision type:fact after:last-week entity:"Miss Quill" ?')
    assert line.words == "what did we decide ?"
    assert line.fields == {"types": ["decision", "fact"], "after": "last week", "entity": "Miss Quill"}
    assert [chip.name for chip in line.chips] == ["type", "type", "after", "entity"]
    assert line.chips[2].without == 'what did we decide type:decision type:fact entity:"Miss Quill" ?'


def test_what_is_no_filter_stays_among_the_words():
    line = read_line("see https://example.org note: ratio 3:1 foo:bar")
    assert (line.words, line.fields) == ("see https://example.org note: ratio 3:1 foo:bar", {})


@pytest.mark.parametrize(("said", "meant"), [("yes", True), ("no", False), ("perhaps", "perhaps")])
def test_a_filter_of_two_values_is_said_in_words(said, meant):
    assert read_line(f"pinned:{said}").fields == {"pinned": meant}


@given(st.text(max_size=60))
def test_a_line_is_read_whatever_it_holds(text):
    line = read_line(text)
    assert set(line.words.split()) <= set(text.split()) | {""}
    assert read_line(line.having("type:fact")).fields["types"][-1] == "fact"


TEXTS = st.text(alphabet="ab c,日本é\n", max_size=40)


@given(before=TEXTS, after=TEXTS)
def test_a_diff_holds_both_texts(before, after):
    parts = word_diff(before, after)
    assert "".join(part.text for part in parts if part.kind != "come") == before
    assert "".join(part.text for part in parts if part.kind != "gone") == after
    assert all(part.text for part in parts)


def test_a_diff_is_by_words_and_by_characters_of_scripts_without_blanks():
    assert word_diff("opens at eight", "opens at nine") == [
        ("same", "opens at "),
        ("gone", "eight"),
        ("come", "nine"),
    ]
    assert [part.text for part in word_diff("我们八点开门", "我们九点开门") if part.kind == "gone"] == ["八"]


NAMES = st.sampled_from([*(name for _, names in GROUPS.values() for name in sorted(names)), "of-a-plugin"])


@given(st.lists(st.dictionaries(NAMES, st.floats(-9, 9), max_size=8), min_size=1, max_size=6))
def test_a_bar_holds_every_part_of_its_score_and_fits(signals):
    hits = [Hit(an_item(f"item {n}"), sum(one.values()), 0.5, one) for n, one in enumerate(signals)]
    for hit, bar in zip(hits, bars(hits), strict=True):
        drawn = sum(part.value for part in (*bar.stacked, *bar.against))
        assert drawn == pytest.approx(hit.score, abs=0.02)
        for row in (bar.stacked, bar.against):
            assert sum(part.length for part in row) <= 100.1
            assert all(part.length >= 0 for part in row)


@pytest.mark.parametrize(
    ("apart", "told"),
    [
        (0, "just now"),
        (30 * SECOND, "30 seconds ago"),
        (90 * SECOND, "1 minute ago"),
        (3 * DAY, "3 days ago"),
        (44 * DAY, "44 days ago"),
        (60 * DAY, "1 month ago"),
        (800 * DAY, "2 years ago"),
        (-2 * DAY, "in 2 days"),
    ],
)
def test_distances_of_time_are_told_in_words(apart, told):
    assert ago(1_800_000_000 * SECOND, 1_800_000_000 * SECOND + apart) == told
