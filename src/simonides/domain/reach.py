"""Reach of an act: the scopes whose memories may change along with the one that it is about."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from simonides.domain.scope import Scope

_HOLDS: ContextVar[Callable[[Scope], bool] | None] = ContextVar("simonides_reach", default=None)


@contextmanager
def reaching(holds: Callable[[Scope], bool] | None) -> Generator[None]:
    """Bind what is done meanwhile to scopes: memories elsewhere stay as they are, whatever they were made from.

    Args:
        holds: True of the scopes; None for all of them.
    """
    before = _HOLDS.set(holds)
    try:
        yield
    finally:
        _HOLDS.reset(before)


def reach() -> Callable[[Scope], bool]:
    """Test of the scopes that what is done now may change: true of every one where nothing binds it."""
    return _HOLDS.get() or everywhere


def everywhere(scope: Scope) -> bool:
    """True of every scope."""
    del scope
    return True
