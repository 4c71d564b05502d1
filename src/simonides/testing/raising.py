"""Expecting an error without a test framework, so that fakes can be imported where there is none."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def raises(kind: type[Exception]) -> Generator[None]:
    """Fail unless the block raises an error of this kind."""
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")
