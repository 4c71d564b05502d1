"""The JSON object in what a model said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.errors import InvalidAnswer
from simonides.tasks.answer import MAX_BYTES, MAX_DEPTH, object_in

OBJECT = {"a": 'x } " ] { \\', "b": [1, {"c": None}]}
TEXT = json.dumps(OBJECT)


@pytest.mark.parametrize(
    "answer",
    [
        TEXT,
        f" \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"```json {TEXT}```",
        f"Here it is:\n```json\n{TEXT}\n```\nI hope it helps {{smile}}.",
        f"Sure! {TEXT} Anything else?",
        f'He said "yes" to the {{plan}}: {TEXT}',
        f'An unended quote: "{{ {TEXT}',
        f"A brace {{ that is not closed, then {TEXT}",
        f'<think>Perhaps {{}} or {{"a": 1}}?</think>\n{TEXT}',
        f'It began without a mark. {{"a": 1}}</think>{TEXT}',
        f"<thinking>hm</THINKING>```json\n{TEXT}\n```",
        f"{TEXT}\n\nOnce more: {TEXT}",
        f"[see below] {TEXT}",
        json.dumps(OBJECT, indent=4),
        "\ufeff" + TEXT,
    ],
)  # fmt: skip
def test_an_object_is_found_whatever_stands_around_it(answer):
    assert object_in(answer) == OBJECT


def test_what_looks_like_the_end_of_thoughts_within_the_object_is_part_of_it():
    assert object_in('{"a": "</think>"}') == {"a": "</think>"}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "no whole JSON object"),
        ("I would rather not.", "no whole JSON object"),
        ("null", "no whole JSON object"),
        ("5", "no whole JSON object"),
        (TEXT[:-1], "begun and not ended"),
        (f"{TEXT} and {TEXT[:-1]}", "begun and not ended"),
        (TEXT[:10], "begun and not ended"),
        ('{"a": {"b": 1},}', "no whole JSON object"),
        ("{'a': 1}", "no whole JSON object"),
        ('{"a": 1,}', "no whole JSON object"),
        ('{"a": ' + "1" * 5000 + "}", "no whole JSON object"),
        ('{"a":' * 10_000, "nested more than 64 deep"),
        ('{"a":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", "nested more than 64 deep"),
        ("[{}, {}]", "is a list"),
        ('[{"a": 1}, {"a"', "is a list"),
        (f"```json\n[{TEXT}]\n```", "is a list"),
        ('{"a": 1} {"a": 2}', "several JSON objects"),
        ('{"a": 1, "a": 2}', "a key stands twice"),
        ('{"a": {"b": 1, "b": 1}}', "a key stands twice"),
        ('{"a": NaN}', "not finite"),
        ('{"a": -Infinity}', "not finite"),
        ('{"a": 1e999}', "not finite"),
        ('{"a": "' + "x" * MAX_BYTES + '"}', "longer than 1,000,000 bytes"),
        ('{"a": "' + "я" * (MAX_BYTES // 2) + '"}', "longer than 1,000,000 bytes"),
    ],
)
def test_what_is_not_one_object_says_what_it_is(answer, problem):
    with pytest.raises(InvalidAnswer, match=problem):
        object_in(answer)


def test_the_deepest_and_the_longest_that_may_be_are_read():
    inner = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert object_in(f'{{"a":{inner}}}')
    long = '{"a": "' + "x" * (MAX_BYTES - 9) + '"}'
    assert len(object_in(long)["a"]) == MAX_BYTES - 9


@pytest.mark.parametrize(
    "unit", ["{", "}", '"', "{}", '{"', "\\", "`", "```\n", " \n", "<think>", "</think>", "[{"]
)
def test_a_megabyte_of_anything_is_read_to_its_end(unit):
    """Anything that grew with the square of the length would take hours."""
    many = unit * ((MAX_BYTES - 100) // len(unit))
    with pytest.raises(InvalidAnswer):
        object_in('{"a": ' + many)
    assert object_in(f"{TEXT}{many.replace('{', '(')}") == OBJECT


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.booleans())
def test_every_object_is_read_as_it_was_written(value, ascii_only):
    assert object_in(json.dumps(value, ensure_ascii=ascii_only)) == value


@given(st.text(alphabet=st.sampled_from('{}[]":,\\ntru1e-. `\n')))
def test_no_text_gets_past_the_one_error(text):
    try:
        assert isinstance(object_in(text), dict)
    except InvalidAnswer:
        return
