"""Proposals as models write them."""

import json

import pytest

from simonides.agent.proposals import Parsed, from_tool_call, parse
from simonides.agent.stream import CLOSING, MAX_BLOCK_CHARS, OPENING

FACT = {"content": "Ana ships on Fridays.", "why_store": "plans"}


def block(body, opening=OPENING, closing=CLOSING):
    return f"{opening}{body if isinstance(body, str) else json.dumps(body)}{closing}"


@pytest.mark.parametrize(
    "body",
    [
        [FACT],
        {"items": [FACT]},
        {"proposals": [FACT]},
        FACT,
        f"\n{json.dumps([FACT])}\n",
        f"```json\n{json.dumps([FACT])}\n```",
        f"\n```\n{json.dumps({'items': [FACT]}, indent=2)}\n```\n",
        f"~~~ JSON\n{json.dumps([FACT])}~~~",
    ],
)
def test_an_array_or_an_object_with_items_is_read_also_in_a_code_fence(body):
    assert parse(f"Noted.\n{block(body)}") == Parsed("Noted.", (FACT,))


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<memory_proposals_json>", "</memory_proposals_json>"),
        ("< Memory_Proposals_Json >", "</ MEMORY_PROPOSALS_JSON >"),
        ("<MEMORY_PROPOSALS_JSON\n>", "< / MEMORY_PROPOSALS_JSON>"),
    ],
)
def test_delimiters_may_differ_in_case_and_blanks(opening, closing):
    assert parse(f"Yes. {block([FACT], opening, closing)}").proposals == (FACT,)


def test_an_answer_without_a_block_stays_as_it_is():
    text = "  a < b && c > d\n<div>[/MEMORY]</div>\n\n"
    assert parse(text) == Parsed(text)


def test_text_before_and_behind_a_block_stays():
    assert parse(f"One. {block([])} Two.") == Parsed("One. Two.")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "not json",
        '[{"content": "cut',
        "[NaN]",
        "[1] [2]",
        "[" * 200 + "]" * 200,
        "3",
        '"text"',
        '{"items": 3}',
    ],
)
def test_what_is_no_list_of_proposals_is_taken_out_and_reported(body):
    found = parse(f"Noted.{block(body)}")
    assert (found.visible, found.proposals) == ("Noted.", ())
    assert len(found.problems) == 1


def test_of_two_blocks_neither_proposes():
    found = parse(f"A.{block([FACT])}B.{block([FACT])}C.")
    assert (found.visible, found.proposals) == ("A.B.C.", ())
    assert "two blocks" in found.problems[0]


def test_a_block_without_end_is_taken_out_and_reported():
    found = parse(f"Noted. {OPENING}{json.dumps([FACT])}")
    assert (found.visible, found.proposals) == ("Noted.", ())
    assert "no end" in found.problems[0]


def test_a_closing_delimiter_alone_is_taken_out_and_reported():
    found = parse(f"Noted.{CLOSING} Bye.")
    assert found.visible == "Noted. Bye."
    assert len(found.problems) == 1


def test_a_delimiter_within_a_proposal_is_text():
    odd = {"content": f"it begins with {OPENING}"}
    assert parse(block([odd])).proposals == (odd,)


def test_a_block_over_its_bound_is_reported():
    found = parse(block([{"content": "x" * MAX_BLOCK_CHARS}]))
    assert not found.proposals
    assert "longer than" in found.problems[0]


def test_a_block_over_its_bound_in_bytes_is_reported():
    found = parse(block(json.dumps([{"content": "日" * (MAX_BLOCK_CHARS // 2)}], ensure_ascii=False)))
    assert not found.proposals
    assert "longer than" in found.problems[0]


def test_bad_entries_stay_in_their_place():
    assert parse(block([FACT, 3, None, {}])).proposals == (FACT, 3, None, {})


@pytest.mark.parametrize("name", ["memory.propose", "memory_propose"])
@pytest.mark.parametrize(
    "arguments",
    [{"proposals": [FACT]}, json.dumps({"proposals": [FACT]}), {"items": [FACT]}, FACT, json.dumps(FACT)],
)
def test_a_call_of_the_tool_proposes_too(name, arguments):
    assert from_tool_call(name, arguments) == Parsed(proposals=(FACT,))


@pytest.mark.parametrize(
    "arguments", ["{", "[]", "{}", "null", {"proposals": "none"}, '{"a": "' + "x" * 70_000 + '"}']
)
def test_a_call_with_arguments_of_no_form_is_reported(arguments):
    found = from_tool_call("memory.propose", arguments)
    assert found is not None
    assert not found.proposals
    assert found.problems


@pytest.mark.parametrize("name", ["memory.search", "propose", "memory.proposed", ""])
def test_other_tools_propose_nothing(name):
    assert from_tool_call(name, {"proposals": [FACT]}) is None
