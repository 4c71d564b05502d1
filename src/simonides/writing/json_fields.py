"""Fields of a JSON record, each read as what it has to be."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

from simonides.domain.ids import is_id
from simonides.domain.instant import instant
from simonides.domain.text import valid_text
from simonides.errors import InvalidInput

Fields: TypeAlias = Mapping[str, Any]
#: Whole numbers that every reader of JSON keeps as they are.
_MOST: Final = 1 << 53


def fields_of(value: object, name: str) -> Fields:
    """A JSON object.

    Raises:
        InvalidInput: It is none; so do all that follow, where a value is not what it has to be.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is an object, not {_kind(value)}")
    return cast("Fields", value)


def list_of(value: object, name: str) -> list[Any]:
    """A JSON array."""
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{name} is a list, not {_kind(value)}")
    return list(cast("list[Any]", value))


def text_of(value: object, name: str) -> str:
    """A text, which may be empty."""
    return valid_text(value, name=name) if not isinstance(value, str) or value.strip() else value


def text_or_none(given: Fields, name: str) -> str | None:
    """A text, which may be empty; None where there is none."""
    return None if given.get(name) is None else text_of(given[name], name)


def texts_of(value: object, name: str) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text_of(text, name) for text in list_of(value, name))


def whole(value: object, name: str, least: int = 0) -> int:
    """A whole number from `least` on."""
    if type(value) is not int or not least <= value < _MOST:
        raise InvalidInput(f"{name} is a whole number from {least} to 2^53, not {value!r:.80}")
    return value


def number(value: object, name: str) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise InvalidInput(f"{name} is a number, not {value!r:.80}")
    return float(value)


def instant_or_none(given: Fields, name: str) -> int | None:
    """Microseconds; None where no time is given."""
    return None if given.get(name) is None else instant(given[name], name=name)


def id_of(value: object, name: str) -> str:
    """An id of the form that the engine gives."""
    if not is_id(value):
        raise InvalidInput(f"{name} has not the form of an id: {value!r:.80}")
    return cast("str", value)


def id_or_none(given: Fields, name: str) -> str | None:
    """An id; None where there is none."""
    return None if given.get(name) is None else id_of(given[name], name)


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
