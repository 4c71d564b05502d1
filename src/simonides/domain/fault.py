"""Faults of the fields of a request, in words: each field once, by its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from simonides.domain.text import known_names

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

#: What a field has to be, by what pydantic calls a value of another type.
_KINDS: Final[Mapping[str, str]] = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
#: How pydantic begins its other messages: "String should have at least 1 character".
_SHOULD: Final = re.compile(r"\w+ should ")


class FieldFault(NamedTuple):
    """Fault of a field.

    Attributes:
        at: Steps that lead to it from the fields that were sent; none for these as a whole.
        why: What it has to be, to be read behind its name.
        is_unknown: There is no such field.
    """

    at: tuple[object, ...]
    why: str
    is_unknown: bool = False


def faults_of(error: ValidationError, sent: object, known: Collection[str] = ()) -> list[FieldFault]:
    """List what is wrong, in the order in which it was seen.

    A field that may be of several types is told once: with what is wrong with its value where one of them fits,
    else with the types.

    Args:
        sent: The fields; without them a place tells of types, too.
        known: Names that they may have, to tell which one an unknown name may mean.
    """
    by_place: dict[tuple[object, ...], list[ErrorDetails]] = {}
    for one in error.errors(include_url=False, include_input=False):
        by_place.setdefault(_place(one, sent), []).append(one)
    return [
        FieldFault(at, _why(at, ones, known), any(one["type"] == "extra_forbidden" for one in ones))
        for at, ones in by_place.items()
    ]


def _place(error: ErrorDetails, sent: object) -> tuple[object, ...]:
    """Steps from the fields that were sent to the one of an error, without names of the types that it may have."""
    if sent is None:
        return tuple(error["loc"])
    steps: list[object] = []
    for step in error["loc"]:
        try:
            sent = cast("Any", sent)[step]
        except (LookupError, TypeError):
            continue
        steps.append(step)
    if error["type"] == "missing":
        steps.append(error["loc"][-1])
    return tuple(steps)


def _why(at: tuple[object, ...], errors: list[ErrorDetails], known: Collection[str]) -> str:
    kinds = [_kind(one) for one in errors]
    if all(kinds):
        first, *others = dict.fromkeys(filter(None, kinds))
        return f"must be {', '.join([first, *others[:-1]])}{f' or {others[-1]}' if others else ''}"
    problem = next(one for one, kind in zip(errors, kinds, strict=True) if kind is None)
    match problem["type"]:
        case "missing":
            return "is required"
        case "extra_forbidden":
            return (
                f"unknown field; {known_names(str(at[-1]), known)}"
                if known and len(at) == 1
                else "unknown field"
            )
        case "string_too_short" if problem.get("ctx", {}).get("min_length") == 1:
            return "is empty; give a word at least"
        case _:
            return _SHOULD.sub("must ", problem["msg"].removeprefix("Value error, "), count=1)


def _kind(error: ErrorDetails) -> str | None:
    """Type that a field has to have, where its value is of another type; None for any other error."""
    if error["type"] in {"literal_error", "enum"}:
        return str(error.get("ctx", {}).get("expected"))
    return _KINDS.get(error["type"])
