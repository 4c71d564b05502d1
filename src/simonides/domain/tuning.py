"""Numbers that were chosen by measurement: fields of settings that code may give, files and variables may not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field
from typing import Any, Final, TypeVar

T = TypeVar("T")

#: Metadata of such a field.
TUNED: Final[Mapping[str, bool]] = {"tuned": True}


def tuned(default: T) -> T:
    """A field of a dataclass with such a number."""
    return field(default=default, metadata=TUNED)


def is_tuned(one: Field[Any]) -> bool:
    """True of a field that holds such a number, or a section of them."""
    return "tuned" in one.metadata
