"""Values and the forms that schemas describe."""

import pytest

from simonides.tasks.schema import first_problem

PERSON = {
    "type": "object",
    "description": "somebody",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "age": {"type": ["integer", "null"], "minimum": 0, "maximum": 150},
        "share": {"type": "number", "minimum": 0.0, "maximum": 1.0},
        "type": {"enum": ["cat", "dog"]},
        "known": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
    },
    "required": ["name"],
    "additionalProperties": False,
}
ANA = {"name": "Ana", "age": 40, "share": 0.5, "type": "cat", "known": True, "tags": ["a", "b"]}


@pytest.mark.parametrize(
    "changes",
    [{}, {"age": None}, {"age": 0}, {"share": 1}, {"share": 0.0}, {"unknown": object()}, {"name": "Beate"}],
)
def test_what_has_the_form_has_no_problem(changes):
    assert first_problem(ANA | changes, PERSON) is None


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": 5}, "name must be of type string, not integer"),
        ({"name": None}, "name must be of type string, not null"),
        ({"name": ""}, "name must be at least 1 characters long"),
        ({"name": "Johanna"}, "name must be at most 5 characters long"),
        ({"age": "40"}, "age must be of type integer or null, not string"),
        ({"age": 40.0}, "age must be of type integer or null, not number"),
        ({"age": True}, "age must be of type integer or null, not boolean"),
        ({"age": -1}, "age must be at least 0"),
        ({"age": 151}, "age must be at most 150"),
        ({"share": 1.5}, "share must be at most 1.0"),
        ({"share": float("nan")}, "share must be at least 0.0"),
        ({"share": True}, "share must be of type number, not boolean"),
        ({"type": "fox"}, "type must be one of cat, dog"),
        ({"known": 1}, "known must be of type boolean, not integer"),
        ({"tags": "a"}, "tags must be of type array, not string"),
        ({"tags": []}, "tags must be at least 1 entries long"),
        ({"tags": ["a", "b", "c"]}, "tags must be at most 2 entries long"),
        ({"tags": ["a", {}]}, "tags[1] must be of type string, not object"),
    ],
)
def test_the_first_problem_is_said_in_words(changes, problem):
    assert first_problem(ANA | changes, PERSON) == problem


def test_what_is_missing_is_named():
    assert first_problem({}, PERSON) == "name is missing in the answer"
    nested = {"type": "array", "items": PERSON}
    assert first_problem([ANA, {}], nested) == "name is missing in the answer[1]"


def test_another_type_than_an_object_is_named():
    assert first_problem([], PERSON) == "the answer must be of type object, not array"


def test_a_keyword_that_is_not_held_is_a_mistake():
    with pytest.raises(KeyError, match="pattern"):
        first_problem("x", {"type": "string", "pattern": "^y"})
