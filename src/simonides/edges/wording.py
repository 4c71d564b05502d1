"""Texts, times and counts as pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.domain.run import in_order
from simonides.domain.text import cleaned_text
from simonides.edges.cli.output import shown

#: A sentence in a list is not longer.
_LONGEST_LINE: Final = 280


def fit(value: Any) -> Any:
    """Text that no control character or turned writing direction can steer; anything else as it is."""
    if type(value) is str:
        return shown(cleaned_text(value))
    return value


def moment(at: int) -> str:
    """An instant to the minute, in UTC."""
    text = iso(at)
    return f"{text[:10]} {text[11:16]}"


def day(at: int) -> str:
    """The day of an instant, in UTC."""
    return iso(at)[:10]


def line(text: str, most: int = _LONGEST_LINE) -> str:
    """A text in one line, cut where it is long."""
    one = " ".join(text.split())
    return one if len(one) <= most else one[: most - 1].rstrip() + "…"


def counts(numbers: Mapping[str, int]) -> str:
    """Counts of a run, in words."""
    return ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in in_order(numbers).items())
