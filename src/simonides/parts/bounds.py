"""How many of something a caller may ask for."""

from __future__ import annotations

from simonides.errors import InvalidInput


def count(value: int, name: str, most: int = 1_000_000) -> int:
    """The number itself.

    Raises:
        InvalidInput: It is no whole number from 1 to `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most}, got {value!r}")
    return value
