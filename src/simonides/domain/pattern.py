"""Regular expressions that are compiled when they are first needed: compiling was a fifth of every start."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast


def later(pattern: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """A pattern to be used as if it were compiled; an error in it shows at its first use.

    For large ones that not every process needs; what it is asked for once costs nothing more afterwards.

    Args:
        pattern: The expression, or what makes it when it is first used.
    """
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: str | Callable[[], str], flags: int) -> None:
        self._given, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet comes here: a method that was asked for is kept beside the pattern.
        given = self._given
        value = getattr(re.compile(given if isinstance(given, str) else given(), self._flags), name)
        self.__dict__[name] = value
        return value
