"""Patterns of the package that are compiled when they are first needed: compiling was a fifth of every start.

Large alternations are searched faster where what several begin with stands before them once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, cast

from simonides.packaged import compiled

#: What alternatives may begin with that fails at most places of a text, and may stand before several of them.
_LEADS: Final = ("\\b", "^", r"(?<!\S)", r"(?<!\w)")
#: What tells where an alternative ends; a bracket within a class is none.
_PUNCTUATION: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)


def later(pattern: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """A pattern to be used as if it were compiled; an error in it shows at its first use.

    For large ones that not every process needs; what it is asked for once costs nothing more afterwards.

    Args:
        pattern: The expression, or what makes it when it is first used: the package's own, no text of a user.
    """
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: str | Callable[[], str], flags: int) -> None:
        self._given, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet comes here: a method that was asked for is kept beside the pattern.
        if name != "_pattern":
            value = getattr(self._pattern, name)
        else:
            given = self._given
            value = compiled(given if isinstance(given, str) else given(), self._flags)
        self.__dict__[name] = value
        return value


def factored(pattern: str, *, in_order: bool = True) -> str:
    r"""The same pattern with what neighbours begin with once before them: `\b(?:a|b)` for `\ba|\bb`.

    At most places of a text one test then tells that none of them matches. It matches the same, in the same order.

    Args:
        in_order: Whether which alternative matches counts, and not only where one does.
    """
    alternatives = _alternatives(pattern)
    return "|".join(_led_once(alternatives if in_order else sorted(alternatives, key=_lead)))


def _led_once(alternatives: Iterable[str]) -> Iterator[str]:
    for lead, run in groupby(alternatives, _lead):
        same = list(run)
        if lead and len(same) > 1:
            yield f"{lead}(?:{'|'.join(one[len(lead) :] for one in same)})"
        else:
            yield from same


def _lead(alternative: str) -> str:
    return next(filter(alternative.startswith, _LEADS), "")


def _alternatives(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern, with those of a group that is one of them in its place."""
    start = depth = 0
    group_end = -1
    for mark in _PUNCTUATION.finditer(pattern):
        if mark[0] == "(":
            depth += 1
        elif mark[0] == ")":
            depth -= 1
            if depth == 0 and group_end < start:
                group_end = mark.end()
        elif mark[0] == "|" and depth == 0:
            yield from _flat(pattern[start : mark.start()], group_end - start)
            start = mark.end()
    yield from _flat(pattern[start:], group_end - start)


def _flat(alternative: str, group_end: int) -> Iterator[str]:
    """An alternative, or those of the group that it is or begins with.

    Args:
        group_end: Where the first group in it ends, if there is one.
    """
    if not alternative.startswith("(?:"):
        yield alternative
        return
    inner, rest = list(_led_once(_alternatives(alternative[3 : group_end - 1]))), alternative[group_end:]
    if not rest:
        yield from inner
        return
    lead = _lead(inner[0]) if len(inner) == 1 and rest[0] not in "?*+{" else ""
    yield f"{lead}(?:{'|'.join(inner)[len(lead) :]}){rest}"
