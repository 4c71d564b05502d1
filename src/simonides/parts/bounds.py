"""Numbers, names, lists and actors of callers: checked where they come in, before anything is read or written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from simonides.domain.actor import is_model, valid_actor
from simonides.domain.text import valid_text
from simonides.errors import InvalidInput, NeedsApproval

#: Rows that may be passed over: far more than a file holds, and a number that SQLite can add to.
_FURTHEST: Final = 1 << 53


def count(value: int, name: str, most: int = 1_000_000) -> int:
    """A number of things to be told, from 1 to `most`."""
    return whole(value, name, 1, most)


def offset(value: int) -> int:
    """A number of rows to pass over; below 0 it is none."""
    return max(0, whole(value, "offset", -_FURTHEST, _FURTHEST))


def whole(value: int, name: str, least: int, most: int) -> int:
    """The number itself.

    Raises:
        InvalidInput: It is no whole number from `least` to `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from {least} to {most}, got {_shown(value)}")
    return value


def in_charge(actor: object) -> str:
    """The actor, where it is a person or the engine itself.

    Raises:
        InvalidInput: It cannot be named in an audit log.
        NeedsApproval: It is a model: what this does is for people.
    """
    name = valid_actor(actor)
    if is_model(name):
        raise NeedsApproval(f"this is done by people, not by {name}; ask one of them")
    return name


def finite(value: float, name: str) -> float:
    """The number as a float.

    Raises:
        InvalidInput: It is no number, or not finite.
    """
    try:
        if not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise InvalidInput(f"{name} must be a finite number, got {_shown(value)}")


def word(value: str | None, name: str) -> str | None:
    """A text to look for, or None for any.

    Raises:
        InvalidText: It is no text, blank, or no store can hold it.
    """
    return None if value is None else valid_text(value, name=name)


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """The members of a list that a caller gives.

    Raises:
        InvalidInput: It is no list, but a text or a mapping, say.
    """
    given: object = values
    if isinstance(given, str | bytes | bytearray | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput(f"{name} must be a list, not {type(values).__name__}")
    return list(values)


def words(values: Iterable[str], name: str) -> list[str]:
    """A list of texts.

    Raises:
        InvalidInput: It is no list, or one of its members is no text that a store can hold.
    """
    return [valid_text(value, name=f"each of {name}") for value in listed(values, name)]


def _shown(value: object) -> str:
    try:
        return f"{value!r:.60}"
    except ValueError:  # An integer of thousands of digits is not written out.
        return type(value).__name__
