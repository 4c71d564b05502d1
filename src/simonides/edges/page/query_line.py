"""The line in which one asks: words, and filters among them, `type:decision after:last-week`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from simonides.domain.selection import FilterForm, filters_of
from simonides.values import dataclass

#: A filter as it is written: a name, a colon, and a word or something in quotes.
_WRITTEN: Final = re.compile(r'(?<!\S)([a-z]+(?:-[a-z]+)?):("[^"]*"|\S+)')
_YES: Final = frozenset({"yes", "true", "1"})
_NO: Final = frozenset({"no", "false", "0"})


def _names() -> dict[str, str]:
    """Names of filters in the line, as the options of commands have them, with those of keywords."""
    return {one.option.removeprefix("--"): name for name, one in filters_of().items() if one.option}


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter of the line.

    Attributes:
        text: As it is written.
        without: The line without it.
    """

    name: str
    value: str
    text: str
    without: str


@dataclass(frozen=True, slots=True)
class QueryLine:
    """A line that was read.

    Attributes:
        words: What is left without the filters.
        fields: Keywords of `Memory.search`.
    """

    text: str
    words: str
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    chips: tuple[FilterChip, ...] = ()

    def having(self, written: str) -> str:
        """The line with a further filter."""
        return self.text if written in self.text.split() else f"{self.text} {written}".strip()


def read_line(text: str) -> QueryLine:
    """Take a line apart. What looks like a filter and is none stays among the words."""
    text = " ".join(text.split())
    names, filters = _names(), filters_of()
    fields: dict[str, Any] = {}
    chips: list[FilterChip] = []
    words: list[str] = []
    end = 0
    for match in _WRITTEN.finditer(text):
        name = names.get(match[1])
        value = match[2].strip('"').strip()
        if name is None or not value:
            continue
        words.append(text[end : match.start()])
        end = match.end()
        without = " ".join((text[: match.start()] + text[match.end() :]).split())
        chips.append(FilterChip(match[1], value, match[0], without))
        match filters[name].form:
            case FilterForm.WORDS:
                fields[name] = [*fields.get(name, []), value]
            case FilterForm.FLAG:
                fields[name] = value.lower() in _YES if value.lower() in _YES | _NO else value
            case FilterForm.BOUND | FilterForm.TIME:
                # A time in words is one word in the line: last-week.
                fields[name] = (
                    value if value[:1].isdigit() and value[:4].isdigit() else value.replace("-", " ")
                )
            case _:
                fields[name] = value
    words.append(text[end:])
    return QueryLine(text, " ".join(" ".join(words).split()), fields, tuple(chips))
