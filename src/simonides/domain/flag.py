"""Flags: True or False, and nothing that merely counts as one of them."""

from __future__ import annotations

from simonides.errors import InvalidInput


def flag(value: object, name: str) -> bool:
    """The flag itself.

    Raises:
        InvalidInput: It is neither True nor False: a text such as "no" would count as a yes.
    """
    if isinstance(value, bool):
        return value
    shown = repr(value[:40]) if isinstance(value, str) else "None" if value is None else type(value).__name__
    raise InvalidInput(f"{name} must be true or false, got {shown}")


def flag_or_none(value: object, name: str) -> bool | None:
    """The flag itself, or None where nothing is said.

    Raises:
        InvalidInput: It is neither True nor False nor None.
    """
    return None if value is None else flag(value, name)
