"""Faults of fields, in words."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simonides.domain.fault import faults_of


class Inner(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    name: Annotated[str, Field(min_length=1, max_length=9)]


class Asked(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    query: Annotated[str, Field(min_length=1)]
    k: Annotated[int, Field(ge=1, le=9)] | Literal["auto"] = 1
    share: float = 0.5
    flag: bool = False
    by: Literal["day", "week"] = "day"
    tags: list[str] = []
    content: Annotated[str, Field(min_length=1)] | Inner | list[str | Inner] = "x"


def told(sent):
    with pytest.raises(ValidationError) as raised:
        Asked.model_validate(sent)
    return {
        "/".join(map(str, at)): why for at, why, _ in faults_of(raised.value, sent, [*Asked.model_fields])
    }


@pytest.mark.parametrize(
    ("sent", "faults"),
    [
        ({}, {"query": "is required"}),
        ({"query": ""}, {"query": "is empty; give a word at least"}),
        ({"query": 5}, {"query": "must be text"}),
        ({"query": "x", "k": "many"}, {"k": "must be a whole number or 'auto'"}),
        ({"query": "x", "k": 0}, {"k": "must be greater than or equal to 1"}),
        ({"query": "x", "share": "half"}, {"share": "must be a number"}),
        ({"query": "x", "flag": 1}, {"flag": "must be true or false"}),
        ({"query": "x", "by": "year"}, {"by": "must be 'day' or 'week'"}),
        ({"query": "x", "tags": "a"}, {"tags": "must be a list"}),
        ({"query": "x", "tags": ["a", 1]}, {"tags/1": "must be text"}),
        ({"query": "x", "content": 5}, {"content": "must be text, an object or a list"}),
        ({"query": "x", "content": ""}, {"content": "is empty; give a word at least"}),
        ("x", {"": "must be an object"}),
    ],
)
def test_a_field_is_told_once_with_what_it_has_to_be(sent, faults):
    assert told(sent) == faults


def test_an_unknown_field_is_told_with_those_that_may_be_meant():
    assert told({"query": "x", "tag": "a"})["tag"].startswith(
        "unknown field; did you mean 'tags'? Known are "
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats(allow_nan=True) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "x", "0"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*Asked.model_fields, "quary"]), VALUES) | VALUES)
def test_whatever_is_sent_each_place_is_one_that_was_sent_or_is_missing_and_no_type_of_ours_is_named(
    sent: Any,
):
    try:
        Asked.model_validate(sent)
    except ValidationError as error:
        faults = faults_of(error, sent, [*Asked.model_fields])
        assert faults
        assert len({fault.at for fault in faults}) == len(faults)
        for at, why, _ in faults:
            here = sent
            for step in at if why != "is required" else at[:-1]:
                here = here[step]
            assert why
            assert not any(word in why for word in ("Input", "Asked", "Inner", "should", "dictionary"))
