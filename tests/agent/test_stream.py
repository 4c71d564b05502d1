"""Text that streams to the user: everything but proposals, wherever the chunks are cut."""

import itertools
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.agent.proposals import parse
from simonides.agent.stream import CLOSING, MAX_BLOCK_CHARS, MAX_HELD_CHARS, OPENING, VisibleStream

ITEMS = json.dumps(
    [{"content": "Ana ships on Fridays."}, {"content": "a < b, </MEMORY_ , 日本 "}], ensure_ascii=False
)
#: What answers are made of here: delimiters, what nearly is one, blocks, and text.
PIECES = st.sampled_from(
    [
        OPENING,
        CLOSING,
        "< memory_proposals_json >",
        "</ Memory_Proposals_JSON\n>",
        "<MEMORY_PROPOSALS",
        "<MEMORY_PROPOSALS_JSON",
        "</",
        "<<",
        "<",
        ">",
        "<b>",
        " ",
        "\n\n",
        "            ",
        "plain words, ",
        "日本語",
        f"{OPENING}{ITEMS}{CLOSING}",
        f'{OPENING}\n```json\n{{"items": {ITEMS}}}\n```\n{CLOSING}',
        f"{OPENING}not json{CLOSING}",
        f"\n```json\n{OPENING}[]{CLOSING}\n```\n",
        f"\n~~~\n{OPENING}[]{CLOSING}\n~~~",
        "```",
        "\n```\n",
        "\n```python\nprint()\n```\n",
    ]
)
ANSWERS = st.lists(PIECES | st.text(max_size=8), max_size=8).map("".join)


def streamed(chunks):
    stream = VisibleStream()
    shown = [stream.feed(chunk) for chunk in chunks]
    return "".join([*shown, stream.end()]), stream


@st.composite
def cut_answers(draw):
    text = draw(ANSWERS)
    return draw(cuttings(text))


@st.composite
def cuttings(draw, text):
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=20)))
    bounds = [0, *places, len(text)]
    return text, [text[start:end] for start, end in itertools.pairwise(bounds)]


@settings(max_examples=150)
@given(cut_answers())
def test_any_cutting_gives_the_visible_text_and_the_proposals_of_the_whole(answer):
    text, chunks = answer
    visible, stream = streamed(chunks)
    assert visible == parse(text).visible
    assert parse(stream.raw) == parse(text)


@settings(max_examples=120)
@given(ANSWERS)
def test_one_character_at_a_time_is_a_cutting_too(text):
    assert streamed(text)[0] == parse(text).visible


@settings(max_examples=120)
@given(ANSWERS)
def test_outside_of_blocks_no_more_than_a_delimiter_is_held_back(text):
    stream, shown = VisibleStream(), 0
    inside = re.sub(r"(?is)\s*<\s*memory_proposals_json.*", "", text)
    for place, character in enumerate(inside, 1):
        shown += len(stream.feed(character))
        assert place - shown <= MAX_HELD_CHARS or stream.strays


@settings(max_examples=120)
@given(ANSWERS)
def test_no_delimiter_is_ever_shown_and_nothing_else_is_lost(text):
    visible = parse(text).visible
    kept = re.sub(
        r"(?is)<\s{0,2}memory_proposals_json\s{0,2}>.*?(<\s{0,2}/\s{0,2}memory_proposals_json\s{0,2}>|\Z)",
        "",
        text,
    )
    kept = re.sub(r"(?i)<\s{0,2}/\s{0,2}memory_proposals_json\s{0,2}>", "", kept)
    if "memory_proposals_json" not in kept.casefold():  # What is left may not join to a new one.
        # Nor are fences compared: one that holds a block alone goes with it.
        assert "".join(re.split(r"[\s`~]|json", visible)) == "".join(re.split(r"[\s`~]|json", kept))


CODE = st.lists(
    st.sampled_from(["\nNoted.", "\n```python\nprint(1)\n```", "\n~~~\nls\n~~~", "\nA `word`."]),
    min_size=1,
    max_size=4,
).map("".join)


@settings(max_examples=150)
@given(
    st.data(),
    CODE,
    st.sampled_from(["```", "```json", "``` json ", "````", "~~~", "~~~JSON\r"]),
    st.sampled_from(["", "\n", "\nBye.", "\n\n```sh\nls\n```\n"]),
)
def test_a_fence_that_holds_a_block_alone_goes_with_it_and_every_other_stays(data, before, opens, after):
    closes = opens[: len(opens) - len(opens.lstrip("`~"))]
    text = f"{before}\n{opens}\n{OPENING}{ITEMS}{CLOSING}\n{closes}{after}"
    visible, stream = streamed(data.draw(cuttings(text))[1])
    assert visible == before + after
    assert stream.raw == text
    # Behind code whose fence ends there, the block has no fence of its own.
    visible, _ = streamed(data.draw(cuttings(f"{before}\n{OPENING}{ITEMS}{CLOSING}{after}"))[1])
    assert visible == before + after


@settings(max_examples=100)
@given(st.data(), CODE)
def test_a_fence_that_holds_more_than_a_block_stays(data, before):
    text = f'{before}\n```json\n{OPENING}[]{CLOSING}\n{{"port": 80}}\n```\nBye.'
    assert streamed(data.draw(cuttings(text))[1])[0] == f'{before}\n```json\n\n{{"port": 80}}\n```\nBye.'


def test_text_that_only_begins_like_a_delimiter_is_passed_on_as_soon_as_it_cannot_be_one():
    stream = VisibleStream()
    assert stream.feed("see <MEMORY_PRO") == "see"
    assert stream.feed("B") == " <MEMORY_PROB"
    assert stream.feed("LEMS>") == "LEMS>"


def test_words_that_hold_no_bracket_are_never_held_back():
    stream = VisibleStream()
    assert [stream.feed(chunk) for chunk in ("One", " two", ",three")] == ["One", " two", ",three"]


def test_blanks_before_a_block_go_with_it():
    assert streamed(["Noted.", "\n", "\n", OPENING, "[]", CLOSING, "\nBye."])[0] == "Noted.\nBye."


def test_what_was_held_back_is_shown_at_the_end():
    assert streamed(["a ", "<memory"])[0] == "a <memory"


@pytest.mark.parametrize("size", [MAX_BLOCK_CHARS + 1, 10 * MAX_BLOCK_CHARS])
def test_of_a_huge_block_a_bounded_part_is_kept_and_it_is_reported(size):
    stream = VisibleStream()
    visible = stream.feed(f"Yes.{OPENING}[")
    for _ in range(size // 1000 + 1):
        visible += stream.feed('"' + "x" * 997 + '",')
        assert len(stream.raw) < MAX_BLOCK_CHARS + 200
    visible += stream.feed(f'"x"]{CLOSING} Bye.') + stream.end()
    assert visible == "Yes. Bye."
    found = parse(stream.raw)
    assert found.visible == visible
    assert not found.proposals
    assert "longer than" in found.problems[0]


def test_of_many_blocks_two_are_kept():
    stream = VisibleStream()
    for _ in range(50):
        stream.feed(f"{OPENING}{'x' * 1000}{CLOSING}")
    stream.end()
    assert len(stream.blocks) == 2
    assert len(stream.raw) < 5000
    assert "two blocks" in parse(stream.raw).problems[0]
