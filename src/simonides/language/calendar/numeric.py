"""Dates in figures, which read alike in every language. A time of day behind one is read over."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from simonides.language.calendar.rule import Groups, TimeRule
from simonides.language.calendar.spans import Span, date, months

_ALONE = r"(?<!\d[-.])"
_NO_SLASH = r"(?<!\d/)"
_CLOCK = r"(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?)?"


def _number(group: str | None) -> int:
    """The figures of a group that took part."""
    return int(group or "")


def _year_month_day(groups: Groups, now: datetime) -> Span:
    return date(now, _number(groups[1]), _number(groups[2]), _number(groups[0]))


def _day_month_year(groups: Groups, now: datetime) -> Span:
    return date(now, _number(groups[1]), _number(groups[0]), _number(groups[2]))


def _slashed(groups: Groups, now: datetime) -> Span | None:
    """The day first or the month first: one of them must be impossible."""
    first, second, year = (_number(group) for group in groups)
    if first > 12:
        return date(now, second, first, year)
    return date(now, first, second, year) if second > 12 or first == second else None


NUMERIC: Final = (
    TimeRule(rf"{_ALONE}(\d{{4}})-(\d{{2}})-(\d{{2}}){_CLOCK}", _year_month_day),
    TimeRule(rf"{_ALONE}(\d{{4}})[/.](\d{{1,2}})[/.](\d{{1,2}})", _year_month_day),
    TimeRule(rf"{_ALONE}(\d{{1,2}})\.(\d{{1,2}})\.(\d{{4}})", _day_month_year),
    TimeRule(rf"{_ALONE}{_NO_SLASH}(\d{{1,2}})/(\d{{1,2}})/(\d{{4}})", _slashed),
    TimeRule(
        rf"{_ALONE}((?:19|20)\d\d)-(0[1-9]|1[0-2])(?!-?\d)",
        lambda groups, _: months(_number(groups[0]), _number(groups[1])),
    ),
)
