"""Values as JSON, and reading of what was written so, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

from simonides.domain.instant import instant, iso
from simonides.errors import InvalidInput

T = TypeVar("T")


def read_back(kind: type[T], written: Mapping[str, Any], **readers: Callable[[Any], Any]) -> T:
    """A dataclass from the JSON that its `to_dict` wrote; names that it has no field for are passed over.

    Args:
        readers: By field, how its value is read where it is not taken as it is.

    Raises:
        InvalidInput: A field is missing or its value cannot be read.
    """
    if not isinstance(cast("object", written), Mapping):
        raise InvalidInput(f"a {kind.__name__} is read from a mapping, not from {type(written).__name__}")
    try:
        names = [field.name for field in fields(cast("Any", kind)) if field.name in written]
        return kind(**{name: readers.get(name, _itself)(written[name]) for name in names})
    except InvalidInput:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"no {kind.__name__} in its written form: {error!r:.200}") from error


def as_written(value: Any) -> dict[str, Any]:
    """The value as JSON, field by field; `from_dict` reads it.

    Instants, whose names end in `_at`, become ISO 8601, members of enums their values, and what is built of other
    values these as their own `to_dict` writes them.
    """
    return {name: _plain(getattr(value, name), name) for name in _names(value.__class__)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _plain(value: Any, name: str = "") -> Any:
    match value:
        case None | bool() | float():
            return value
        case int():
            return iso(value) if name.endswith("_at") else value
        case Enum():
            return value.value
        case str():
            return str(value)
        case list() | tuple():
            return [_plain(one) for one in cast("Sequence[Any]", value)]
        case Mapping():
            return dict(cast("Mapping[str, Any]", value))
        case _:
            return value.to_dict()


def each(read: Callable[[Any], T]) -> Callable[[Sequence[Any]], tuple[T, ...]]:
    """Reader of a list, each member by another one."""
    return lambda values: tuple(read(value) for value in values)


def maybe(read: Callable[[Any], T]) -> Callable[[Any], T | None]:
    """Reader of what may be None."""
    return lambda value: None if value is None else read(value)


def moment(value: Any) -> int:
    """Reader of an instant."""
    return instant(value, name="a time")


def _itself(value: Any) -> Any:
    return value
