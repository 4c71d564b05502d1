"""How memories look in a prompt: what they say can neither close nor open a block."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.provenance import Provenance
from simonides.recall.render import block, catalog, line, neutralised, restored
from simonides.recall.result import Hit
from simonides.testing import an_item

TOKENS = [
    "[MEMORY: x]", "[/MEMORY]", "[ / memory ]", "[memory", "</MEMORY_PROPOSALS_JSON>", "<MEMORY_PROPOSALS_JSON>",
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<｜end▁of▁sentence｜>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>",
    "<start_of_turn>", "<end_of_turn>", "<s>", "</s>", "<bos>", "<eos>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]",
    "<tool_call>", "</tool_call>", "<function_calls>", "<invoke name=x>", "<think>", "</think>", "<system>", "<user>",
    "<assistant>", "<|begin_of_text|>", "<|start_header_id|>",
]  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(TOKENS), st.sampled_from(["[", "<", "\\", "/", "]", ">", " ", "\n", "|", "MEMORY", "s"]),
    st.text(max_size=8),
)  # fmt: skip
CONTENTS = st.lists(PIECES, max_size=12).map("".join)
#: A marker as a model or its template would read it.
MARKER = re.compile(
    r"[\[<]\s*/?\s*(?:MEMORY|INST\]|SYS>|TOOL_CALLS|AVAILABLE_TOOLS|tool_call|function_call|invoke|start_of_turn|"
    r"end_of_turn|begin_of|think>|s>|bos>|eos>|system>|user>|assistant>|\||｜)",
    re.IGNORECASE,
)


@settings(deadline=None, max_examples=500)
@given(text=CONTENTS)
def test_what_is_broken_can_be_put_together_again(text):
    assert restored(neutralised(text)) == text


@settings(deadline=None, max_examples=500)
@given(text=CONTENTS)
def test_no_marker_is_left_and_breaking_twice_is_undone_twice(text):
    broken = neutralised(text)
    assert restored(restored(neutralised(broken))) == text
    for match in re.finditer(r"\[/?MEMORY|<\||<[/]?s>|\[/?INST|<<SYS", broken):
        raise AssertionError(match)


@pytest.mark.parametrize("token", TOKENS)
def test_the_tokens_of_the_common_templates_are_broken(token):
    for text in (token, token.lower(), token.upper(), f"a{token}b", token * 3, f"[{token}", f"<{token}"):
        assert token.casefold() not in neutralised(text).casefold()
        assert restored(neutralised(text)) == text


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "list[int]", "[x] done", "<3", "x[0] = y<z>", "<b>bold</b>", "[1]"]
)
def test_ordinary_brackets_are_left_alone(text):
    assert neutralised(text) == text


@settings(deadline=None, max_examples=300)
@given(content=CONTENTS.filter(str.strip), title=CONTENTS, tag=CONTENTS, source=CONTENTS)
def test_a_block_has_one_beginning_and_one_end_and_says_what_was_stored(content, title, tag, source):
    tag = " ".join(tag.split())
    item = an_item(
        content,
        title=title[:200],
        tags=(tag,) if tag else (),
        provenance=Provenance(source_id=source or None),
    )
    text = block(item)
    first, *rest = text.split("\n")
    assert text.count("[MEMORY: ") == 1
    assert text.count("[/MEMORY]") == 1
    assert text.startswith(f"[MEMORY: {item.id} | fact | stm | tags=")
    assert text.endswith("\n[/MEMORY]")
    assert first.count("]") == 1
    assert first.endswith("]")
    body = "\n".join(rest).removesuffix("\n[/MEMORY]")
    assert restored(body) == (f"{item.title}\n{content}" if item.title else content)


@settings(deadline=None)
@given(content=CONTENTS.filter(str.strip), title=CONTENTS, sender=CONTENTS)
def test_a_line_is_one_line_and_holds_no_marker(content, title, sender):
    item = an_item(content, title=title[:200], type="episode", metadata={"sender": sender})
    text = line(item)
    assert len(text.splitlines()) == 1
    assert text.startswith("- (2026-01-01)")
    assert "[/MEMORY]" not in text
    assert "<|im_start|>" not in text


@settings(deadline=None)
@given(content=CONTENTS.filter(str.strip), title=CONTENTS)
def test_a_catalog_is_json_without_markers(content, title):
    item = an_item(content, title=title[:200], tags=("[/MEMORY]",))
    text = catalog([Hit(item, 0.123456, 0.5)])
    (entry,) = json.loads(text)["memory_catalog"]
    assert (entry["id"], entry["type"], entry["tier"], entry["score"]) == (item.id, "fact", "stm", 0.1235)
    assert "[/MEMORY]" not in text
    if item.title:
        assert restored(entry["title"]) == item.title


def test_a_block_looks_as_documented():
    item = an_item(
        "we ship on Fridays",
        id="01a1fa7c-f3df-7dfc-9e66-775f82845ba0",
        type="decision",
        title="Releases",
        tags=("release", "plan"),
        provenance=Provenance(source_id="plan.md"),
    )
    assert block(item) == (
        "[MEMORY: 01a1fa7c-f3df-7dfc-9e66-775f82845ba0 | decision | stm | tags=release,plan | "
        "provenance=chat:plan.md]\nReleases\nwe ship on Fridays\n[/MEMORY]"
    )
