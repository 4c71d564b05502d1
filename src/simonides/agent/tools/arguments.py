"""Arguments of a call, as models send them: an object or its JSON text, and anything else that is neither."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeVar, cast

from pydantic import ValidationError

from simonides.agent.tools.tool import Input
from simonides.domain.fault import faults_of
from simonides.domain.item import canonical_json, is_deeper
from simonides.domain.text import cleaned_text
from simonides.errors import InvalidInput

MAX_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 64
_ARGUMENTS: Final = "the arguments"
#: Names that other memories and tools have for a field; taken where a tool has the field and the call gives it by no
#: other name.
_OTHER_NAMES: Final = (
    ("items", "proposals"),
    ("item_id", "id"),
    ("memory_id", "id"),
    ("id", "target"),
    ("item_id", "target"),
    ("memory_id", "target"),
    ("query", "target"),
    ("question", "query"),
    ("src_id", "src"),
    ("dst_id", "dst"),
    ("relation", "rel"),
    ("text", "content"),
    ("top_k", "k"),
    ("limit", "k"),
    ("top_k", "limit"),
    ("k", "limit"),
)
_PLACES: Final = ("domain", "room", "shelf")

I = TypeVar("I", bound=Input)  # noqa: E741 - the input of a tool


class InvalidArguments(InvalidInput):
    """The arguments of a tool cannot be used."""

    code = "invalid_arguments"

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


def read(arguments: Mapping[str, Any] | str) -> dict[str, Any]:
    """Arguments as plain JSON values.

    Raises:
        InvalidArguments: They are no object, too long, too deep, or not JSON.
    """
    text = arguments if isinstance(arguments, str) else _written(arguments)
    values = loaded(text or "{}", _ARGUMENTS)
    if not isinstance(values, dict):
        raise InvalidArguments(f"{_ARGUMENTS} must be a JSON object")
    return cast("dict[str, Any]", values)


def loaded(text: str, what: str) -> object:
    """JSON that a model wrote.

    Args:
        what: It is called so in errors.

    Raises:
        InvalidArguments: It is too long, too deep, or not JSON.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise InvalidArguments(f"{what}: longer than {MAX_BYTES} bytes")
    try:
        value: object = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InvalidArguments(f"{what}: not JSON: {why}") from None
    if is_deeper(value, MAX_DEPTH):
        raise InvalidArguments(f"{what}: nested deeper than {MAX_DEPTH} levels")
    return value


def parse(model: type[I], given: Mapping[str, Any], offered: Collection[str] = ()) -> I:
    """The input of a tool.

    Args:
        offered: Names that an unknown field may mean; without them all that the tool has.

    Raises:
        InvalidArguments: A field is missing, unknown or cannot be used; it names each and says why.
    """
    known = {
        name: value
        for name, value in _renamed(given, model.model_fields.keys()).items()
        if value is not None or name not in model.model_fields
    }
    try:
        return model.model_validate(known)
    except ValidationError as error:
        fields = {
            _path(fault.at): fault.why for fault in faults_of(error, known, offered or model.model_fields)
        }
        message = "; ".join(f"{name}: {why}" for name, why in fields.items())
        raise InvalidArguments(message, fields) from None


def _renamed(given: Mapping[str, Any], known: AbstractSet[str]) -> dict[str, Any]:
    """The fields of a call by the names that its tool has for them.

    A `patch` holds fields of its own, a `path` is domain/room/shelf. What is given by both names stays as it is, and
    is then refused as unknown.
    """
    renamed = dict(given)
    if "patch" not in known and isinstance(patch := renamed.get("patch"), Mapping):
        fields = cast("Mapping[str, Any]", patch)
        if not fields.keys() & renamed.keys():
            renamed = {name: value for name, value in renamed.items() if name != "patch"} | dict(fields)
    if "path" not in known and "domain" in known and isinstance(path := renamed.get("path"), str):
        places = dict(zip(_PLACES, path.split("/"), strict=False))
        if path.count("/") < len(_PLACES) and not places.keys() & renamed.keys():
            renamed = {name: value for name, value in renamed.items() if name != "path"} | places
    for other, name in _OTHER_NAMES:
        if other in renamed and other not in known and name in known and name not in renamed:
            renamed[name] = renamed.pop(other)
    return renamed


def _written(arguments: object) -> str:
    if not isinstance(arguments, Mapping):
        raise InvalidArguments("the arguments must be a JSON object, or its text")
    try:
        return canonical_json(dict(cast("Mapping[str, Any]", arguments)))
    except InvalidInput as error:
        raise InvalidArguments(str(error)) from None


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits[:40])


def _path(location: tuple[object, ...]) -> str:
    return cleaned_text(".".join(str(step)[:80] for step in location)) or "arguments"
