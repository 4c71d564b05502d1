"""The one place that speaks to google-re2, which has no type stubs.

Matching runs on UTF-8 bytes: the engine works on them anyway, and str input would be
encoded once per pattern. The engine is linear in the text and lets other threads run
while it matches.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs]


class _Match(Protocol):
    def span(self, group: int = 0, /) -> tuple[int, int]: ...


class _Regexp(Protocol):
    @property
    def groupindex(self) -> dict[bytes, int]: ...
    def finditer(self, text: bytes, pos: int, endpos: int, /) -> Iterator[_Match]: ...


class _Set(Protocol):
    def Add(self, pattern: bytes, /) -> int: ...
    def Compile(self) -> None: ...
    def Match(self, text: bytes, /) -> list[int] | None: ...


class Pattern:
    """One compiled expression; the group named `value`, if there is one, is what it reports."""

    __slots__ = ("_group", "_regexp")

    def __init__(self, source: str, *, ignore_case: bool) -> None:
        self._regexp = cast("_Regexp", re2.compile(source.encode(), _options(ignore_case=ignore_case)))
        self._group = self._regexp.groupindex.get(b"value", 0)

    def spans(self, data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Byte spans of the matches within `start` and `end`, in order, not overlapping.

        What stands outside counts as context: `^` is the start of `data`. A match that touches
        `end` is taken up to where it would end in the whole of `data`.
        """
        for match in self._regexp.finditer(data, start, end):
            if match.span()[1] == end < len(data):
                match = next(self._regexp.finditer(data, match.span()[0], len(data)), match)
            span = match.span(self._group)
            yield match.span() if span[0] < 0 else span


class PatternSet:
    """Many expressions matched in one pass; says which occur, not where. Ignores case."""

    __slots__ = ("_set",)

    def __init__(self, sources: Sequence[str]) -> None:
        self._set = cast("_Set", re2.Set.SearchSet(_options(ignore_case=True)))
        for source in sources:
            self._set.Add(source.encode())
        self._set.Compile()

    def match(self, data: bytes) -> Sequence[int]:
        """Indices, as in the constructor, of the expressions that occur; in no special order."""
        return self._set.Match(data) or ()


def _options(*, ignore_case: bool) -> object:
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    # The state cache of a set holds every combination of pending keywords: the default of
    # 8 MiB is flushed over and over on mixed text, which is ten times slower than matching.
    options.max_mem = 64 << 20
    return options
