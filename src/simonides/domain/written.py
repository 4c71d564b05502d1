"""Values as JSON, and reading of what was written so, field by field."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache, wraps
from typing import (
    Any,
    Concatenate,
    Final,
    ParamSpec,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from simonides.domain.instant import instant, iso
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput

T = TypeVar("T")
P = ParamSpec("P")

#: Metadata of a field that no JSON tells of.
INNER: Final = {"inner": True}
#: Fields that hold instants, beside those whose names end in `_at`.
_INSTANTS: Final = frozenset({"at", "start", "end", "valid_from", "valid_until"})


class Written:
    """A dataclass that is JSON outside.

    Instants are ISO 8601 there, members of enums their values, and what is built of other values holds these as they
    write themselves. What is unknown is null.
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The value as JSON, field by field; `from_dict` reads it."""
        return as_written(self)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Self:
        """The value that `to_dict` wrote; names that it has no field for are passed over.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(cls, written, **_readers(cls))


def refusing(
    read: Callable[Concatenate[type[T], Mapping[str, Any], P], T],
) -> Callable[Concatenate[type[T], Mapping[str, Any], P], T]:
    """Let what reads a value of a class say InvalidInput of what is none in its written form."""

    @wraps(read)
    def reading(kind: type[T], written: Mapping[str, Any], *args: P.args, **readers: P.kwargs) -> T:
        if not isinstance(cast("object", written), Mapping):
            raise InvalidInput(f"a {kind.__name__} is read from a mapping, not from {type(written).__name__}")
        try:
            return read(kind, written, *args, **readers)
        except InvalidInput:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"no {kind.__name__} in its written form: {error!r:.200}") from error

    return reading


@refusing
def read_back(kind: type[T], written: Mapping[str, Any], **readers: Callable[[Any], Any]) -> T:
    """A dataclass from the JSON that its `to_dict` wrote; names that it has no field for are passed over.

    Args:
        readers: By field, how its value is read where it is not taken as it is.

    Raises:
        InvalidInput: A field is missing or its value cannot be read.
    """
    names = [field.name for field in fields(cast("Any", kind)) if field.name in written]
    return kind(**{name: readers.get(name, _itself)(written[name]) for name in names})


def reader(hint: Any) -> Callable[[Any], Any]:
    """Reader of values of a type as they were written."""
    if isinstance(hint, type):
        if hasattr(hint, "from_dict"):
            return cast("Any", hint).from_dict
        if is_dataclass(hint):
            return lambda value: read_back(hint, value, **_readers(hint))
        return hint if issubclass(hint, Enum) or hint is Scope else _itself
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return maybe(reader(next(one for one in inner if one is not type(None))))
    return each(reader(inner[0])) if get_origin(hint) is tuple else _itself


@cache
def _readers(kind: Any) -> Mapping[str, Callable[[Any], Any]]:
    """Readers of the fields that are not taken as they are."""
    hints = get_type_hints(kind)
    readers = {
        field.name: (moment if hints[field.name] is int else maybe(moment))
        if is_instant(field.name)
        else reader(hints[field.name])
        for field in fields_written(kind)
    }
    return {name: read for name, read in readers.items() if read is not _itself}


def as_written(value: Any) -> dict[str, Any]:
    """The value as JSON, field by field; `from_dict` reads it."""
    return {
        field.name: _plain(getattr(value, field.name), field.name)
        for field in fields_written(value.__class__)
    }


@cache
def fields_written(kind: Any) -> tuple[Field[Any], ...]:
    """Fields of a class of which JSON tells."""
    return tuple(field for field in fields(kind) if not field.metadata.get("inner"))


def is_instant(name: str) -> bool:
    """True if a field of this name holds an instant."""
    return name.endswith("_at") or name in _INSTANTS


def _plain(value: Any, name: str = "") -> Any:
    match value:
        case None | bool() | float():
            return value
        case int():
            return iso(value) if is_instant(name) else value
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
