"""What a caller may ask for: how many of something, and what is for people only."""

from __future__ import annotations

from simonides.domain.actor import is_model, valid_actor
from simonides.errors import InvalidInput, NeedsApproval


def count(value: int, name: str, most: int = 1_000_000) -> int:
    """The number itself.

    Raises:
        InvalidInput: It is no whole number from 1 to `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most}, got {value!r}")
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
