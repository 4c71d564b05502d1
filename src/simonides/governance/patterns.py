"""The one place that speaks to google-re2, which has no type stubs.

Matching runs on UTF-8 bytes: the engine works on them anyway, and str input would be
encoded once per pattern. The engine is linear in the text and lets other threads run
while it matches.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

import re2

from simonides.domain.pattern import later

T = TypeVar("T")


class _Match(Protocol):
    def span(self, group: int = 0, /) -> tuple[int, int]: ...


class _Regexp(Protocol):
    def finditer(self, text: bytes, pos: int, endpos: int, /) -> Iterator[_Match]: ...


class _Set(Protocol):
    def Add(self, pattern: bytes, /) -> int: ...  # noqa: N802
    def Compile(self) -> None: ...  # noqa: N802
    def Match(self, text: bytes, /) -> list[int] | None: ...  # noqa: N802


class _Sets(Protocol):
    def SearchSet(self, options: object, /) -> _Set: ...  # noqa: N802


class _Engine(Protocol):
    Set: _Sets
    error: type[Exception]

    def Options(self) -> Any: ...  # noqa: N802
    def compile(self, pattern: bytes, options: object, /) -> _Regexp: ...


_ENGINE = cast("_Engine", re2)
#: Raised for what is no pattern, also where another package has the engine compile it.
PatternError = _ENGINE.error
#: What may hold a bracket that opens nothing, and brackets that open a group that counts.
_GROUP = later(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\((?:\?P?<(\w+)>|(?!\?))", re.DOTALL)

# What the engine's states may take before it throws them away. Those of a set hold every
# combination of pending keywords: with the default of 8 MiB they are flushed over and over on
# mixed text, which is ten times slower than matching.
_SET_STATES_BYTES = 16 << 20
_PATTERN_STATES_BYTES = 8 << 20


#: Longest part of an expression that is repeated, such as a line of a key: of one that is cut where reading ends, the
#: match has nothing, and does not touch the end.
_LINE_BYTES: Final = 256


class Pattern:
    """One compiled expression; what a group named `value` holds, if there is one, is what it reports.

    Each of several alternatives may have such a group.
    """

    __slots__ = ("_groups", "_regexp")

    def __init__(self, source: str, *, ignore_case: bool) -> None:
        self._regexp = _ENGINE.compile(
            source.encode(), _options(ignore_case=ignore_case, states_bytes=_PATTERN_STATES_BYTES)
        )
        self._groups = _groups_named(source, "value")

    def read(
        self, data: bytes, start: int, end: int, value_of: Callable[[int, int], T | None]
    ) -> Iterator[T]:
        """Yield what the matches within `start` and `end` hold, in order.

        What closes a value may open the next: it is looked for right behind. What stands where a value would may hold
        the name of another, as in `key, secret: X` or `key: X|secret: Y`: the next is looked for in it, once.

        What stands outside counts as context: `^` is the start of `data`. A match that ends at
        `end`, or so near that a line of it is cut, is taken up to where it would end in the whole of `data`.

        Args:
            value_of: What a span of bytes holds; None where it is no value.
        """
        read_to = start
        while start <= end and (match := next(self._regexp.finditer(data, start, end), None)) is not None:
            first, last = match.span()
            cut = last > end - _LINE_BYTES and end < len(data)
            entire = next(self._regexp.finditer(data, first, len(data)), match) if cut else match
            groups = (span for group in self._groups if (span := entire.span(group))[0] >= 0)
            begun, over = next(groups, entire.span())
            value = value_of(begun, over)
            if value is not None:
                yield value
            may_name_one = first < begun >= read_to
            start = max(begun if may_name_one else over, first + 1)
            read_to = max(read_to, over)


class PatternSet:
    """Many expressions matched in one pass; says which occur, not where. Ignores case."""

    __slots__ = ("_set",)

    def __init__(self, sources: Sequence[str]) -> None:
        self._set = _ENGINE.Set.SearchSet(_options(ignore_case=True, states_bytes=_SET_STATES_BYTES))
        for source in sources:
            self._set.Add(source.encode())
        self._set.Compile()

    def match(self, data: bytes) -> Sequence[int]:
        """Indices, as in the constructor, of the expressions that occur; in no special order."""
        return self._set.Match(data) or ()


def _groups_named(source: str, name: str) -> tuple[int, ...]:
    """Numbers of the groups of a name: the engine tells only the first one's."""
    groups = [match[1] for match in _GROUP.finditer(source) if match[0].startswith("(")]
    return tuple(number for number, group in enumerate(groups, 1) if group == name)


def _options(*, ignore_case: bool, states_bytes: int) -> object:
    options = _ENGINE.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    options.max_mem = states_bytes
    return options
