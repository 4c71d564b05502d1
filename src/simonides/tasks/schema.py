"""Check of a value against a JSON Schema, as far as tasks use it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

#: The types that schemas of tasks name, and how a model is told of a value of another.
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def exact_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these properties and no others, in the form that strict servers want."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def first_problem(value: object, schema: Mapping[str, Any], where: str = "the answer") -> str | None:
    """Describe what is wrong with a value, in words for a model; None if it has the form.

    Keys that no property describes are passed over, even where the schema says that there should be none.

    Args:
        value: As `json.loads` gives it.
        schema: Of `type` (one or several), `properties`, `required`, `items`, `enum`, `minItems`, `maxItems`,
            `minLength`, `maxLength`, `minimum`, `maximum`, and `description` and `additionalProperties`, which
            only the model is told. Any other keyword raises KeyError: it would not be held.
        where: What to call the value.
    """
    for keyword, wanted in schema.items():
        if problem := _CHECKS[keyword](value, wanted, where):
            return problem
    return None


def type_name(value: object) -> str:
    """Name of a value's type in JSON."""
    return next(name for name, kinds in _TYPES.items() if type(value) in kinds)


def _of_type(value: object, wanted: str | Sequence[str], where: str) -> str | None:
    names = [wanted] if isinstance(wanted, str) else wanted
    # `type() in`, since to Python true is an int.
    if any(type(value) in _TYPES[name] for name in names):
        return None
    return f"{where} must be of type {' or '.join(names)}, not {type_name(value)}"


def _properties(value: object, wanted: Mapping[str, Mapping[str, Any]], _where: str) -> str | None:
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, object]", value)
    problems = (first_problem(fields[key], schema, key) for key, schema in wanted.items() if key in fields)
    return next((problem for problem in problems if problem), None)


def _required(value: object, wanted: Sequence[str], where: str) -> str | None:
    missing = [key for key in wanted if key not in value] if isinstance(value, dict) else []
    return f"{missing[0]} is missing in {where}" if missing else None


def _items(value: object, wanted: Mapping[str, Any], where: str) -> str | None:
    if not isinstance(value, list):
        return None
    entries = cast("list[object]", value)
    problems = (first_problem(entry, wanted, f"{where}[{n}]") for n, entry in enumerate(entries))
    return next((problem for problem in problems if problem), None)


def _enum(value: object, wanted: Sequence[object], where: str) -> str | None:
    return None if value in wanted else f"{where} must be one of {', '.join(map(str, wanted))}"


def _bound(kinds: tuple[type, ...], *, least: bool, unit: str) -> Callable[[Any, float, str], str | None]:
    """A check of a length or of a number itself."""

    def check(value: Any, wanted: float, where: str) -> str | None:
        if type(value) not in kinds:
            return None
        measured = value if kinds == _TYPES["number"] else len(value)
        if math.isfinite(measured) and (measured >= wanted if least else measured <= wanted):
            return None
        return f"{where} must be at {'least' if least else 'most'} {wanted}{unit}"

    return check


def _not_checked(_value: object, _wanted: object, _where: str) -> None:
    """For the model only."""


_CHECKS: Final[Mapping[str, Callable[[Any, Any, str], str | None]]] = {
    "type": _of_type,
    "properties": _properties,
    "required": _required,
    "items": _items,
    "enum": _enum,
    "minItems": _bound(_TYPES["array"], least=True, unit=" entries long"),
    "maxItems": _bound(_TYPES["array"], least=False, unit=" entries long"),
    "minLength": _bound(_TYPES["string"], least=True, unit=" characters long"),
    "maxLength": _bound(_TYPES["string"], least=False, unit=" characters long"),
    "minimum": _bound(_TYPES["number"], least=True, unit=""),
    "maximum": _bound(_TYPES["number"], least=False, unit=""),
    "description": _not_checked,
    "additionalProperties": _not_checked,
}
