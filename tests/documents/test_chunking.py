"""Cutting texts: along their structure, nothing lost, each piece under its lines."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.documents.chunking import cut

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
MARKS = st.sampled_from(
    [
        *("# A", "## B", "### C", "```", "", "", "word", "a longer line of words", "x" * 90),
        *("- one", "def f():", "    return 1", "class K:"),
    ]
)


@given(st.lists(MARKS, max_size=60), st.sampled_from(["markdown", "code", "text"]), st.integers(40, 400))
def test_every_line_that_is_not_blank_stands_in_a_piece_under_its_number(lines, kind, most):
    pieces = cut("\n".join(lines), kind, most)
    written = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    for number, line in written:
        holding = [piece for piece in pieces if piece.first <= number <= piece.last]
        assert any(line.rstrip()[:most] in piece.text for piece in holding), (number, line, pieces)
    assert [piece.first for piece in pieces] == sorted(piece.first for piece in pieces)


@given(st.lists(MARKS, max_size=60), st.sampled_from(["markdown", "code", "text"]), st.integers(40, 400))
def test_no_piece_is_longer_than_it_may_be_and_cutting_is_repeatable(lines, kind, most):
    text = "\n".join(lines)
    pieces = cut(text, kind, most)
    assert all(len(piece.text) <= most for piece in pieces)
    assert pieces == cut(text, kind, most)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pieces_of_a_page_are_what_stands_on_their_lines(page):
    lines = page.read_text("utf-8").split("\n")
    for piece in cut("\n".join(lines), "markdown"):
        if max(len(line) for line in lines[piece.first - 1 : piece.last]) < 1_000:
            joined = "\n".join(line.rstrip() for line in lines[piece.first - 1 : piece.last])
            assert piece.text.split() == joined.split()


def test_a_section_goes_under_its_headings():
    text = (
        "# Guide\n\nHow it works.\n\n## Install\n\n"
        + "Take the package. " * 40
        + "\n\n### Linux\n\n"
        + "Use apt. " * 60
    )
    found = {piece.heading for piece in cut(text, "markdown", 500)}
    assert ("Guide", "Install") in found
    assert ("Guide", "Install", "Linux") in found


def test_a_title_that_is_underlined_is_a_heading():
    page = (
        "Title\n=====\n\nBefore.\n\nPart\n----\n\nOf the part.\n\n### Below\n\nOf below.\n\n"
        "Second\n======\n\nOf the second.\n"
    )
    headings = {line: piece.heading for piece in cut(page, "markdown", 40) for line in piece.text.split("\n")}
    assert headings["Before."] == ("Title",)
    assert headings["Of the part."] == headings["Part"] == headings["----"] == ("Title", "Part")
    assert headings["Of below."] == ("Title", "Part", "Below")
    assert headings["Of the second."] == ("Second",)


@pytest.mark.parametrize(
    "page",
    [
        "---\ntitle: x\n---\n\nBody.\n",
        "One line\nand another\n---\n\nBody.\n",
        "- item\n---\n",
        "> said\n---\n",
        "| a |\n---\n",
        "Above.\n\n---\n\nBelow.\n",
        "```\nTitle\n=====\n```\n",
        "    code\n----\n",
        "a | b\n--- | ---\n1 | 2\n",
        "1. one\n---\n",
    ],
)
def test_a_rule_makes_no_heading_of_what_is_no_title(page):
    assert {piece.heading for piece in cut(page, "markdown")} == {()}


def test_what_looks_like_a_heading_in_a_block_of_code_is_none():
    text = "# A\n\n```\n# not a heading\n```\n"
    assert [piece.heading for piece in cut(text, "markdown")] == [("A",)]


def test_functions_stay_whole_under_their_class_with_what_is_written_above_them():
    body = "\n".join(f"        value_{n} = {n}" for n in range(12))
    methods = f"    def open(self):\n{body}\n\n    @property\n    def path(self):\n{body}\n"
    text = f"import os\n\n\nclass Store:\n{methods}\n\n# Makes one.\ndef make():\n    return Store()\n"
    pieces = cut(text, "code", 400)
    assert ("class Store", "def path") in {piece.heading for piece in pieces}
    [made] = [piece for piece in pieces if "return Store()" in piece.text]
    assert "# Makes one." in made.text
    [path] = [piece for piece in pieces if "def path" in piece.text]
    assert path.text.lstrip().startswith("@property")


def test_nothing_is_cut_of_nothing():
    assert cut("", "markdown") == cut("\n \n", "text") == []
