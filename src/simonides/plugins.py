"""Entry points by which other packages offer providers, indexes and jobs."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from simonides.errors import ProviderUnavailable


def offered(group: str) -> frozenset[str]:
    """The names that packages offer in a group."""
    return frozenset(found.name for found in entry_points(group=group))


def plugin(group: str, name: str, *, kind: str) -> Any:
    """Load what an entry point leads to; None if no package offers the name.

    Args:
        kind: What it is, for the message.

    Raises:
        ProviderUnavailable: It cannot be imported.
    """
    found = next(iter(entry_points(group=group, name=name)), None)
    if found is None:
        return None
    try:
        return found.load()
    except (ImportError, AttributeError) as error:
        raise ProviderUnavailable(
            f"the {kind} {name!r} ({found.value}) cannot be imported ({error}); install its package anew"
        ) from error
