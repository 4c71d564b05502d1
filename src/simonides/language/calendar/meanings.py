"""Meanings of the words for times: what the parts of a time, such as a day and a month, name together.

Every language words its times by its own rules (`data/`); what they mean is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from simonides.language.calendar import spans
from simonides.language.calendar.spans import Occurrence, PartOfTime, Span, Unit

#: The parts of a time that words named, by what they are: `month` 5, `unit` a `Unit`, `count` its fewest and most.
Named: TypeAlias = "Mapping[str, Any]"
Meaning: TypeAlias = "Callable[[Named, datetime], Span]"
_ONE: Final = (1, 1)


def meaning(name: str) -> Meaning:
    """The meaning of a rule; a part of the time that was named is taken of what the rest means."""
    read = _MEANINGS[name]

    def whole_or_part(named: Named, now: datetime) -> Span:
        span = read(named, now)
        return span.part(PartOfTime(named["part"])) if "part" in named else span

    return whole_or_part


def far_from(named: Named, span: Span, *, back: bool) -> Span:
    """The time so far before or behind another: "the week" reaches up to it, "two weeks" is one so far away."""
    if "whole" in named:
        start, last = spans.days(span.start).start, span.end - timedelta(microseconds=1)
        if named["whole"] is Unit.WEEKEND:
            return spans.weekend(start - timedelta(days=1) if back else last + timedelta(days=6))
        if back:
            return Span(spans.lately(start, named["whole"], 1).start, start)
        return Span(span.end, spans.ahead(last, named["whole"], 1).end)
    fewest, most = named.get("count", _ONE)
    if back:
        return spans.ago(span.start, named["unit"], fewest, most)
    return spans.ago(span.start, named["unit"], -most, -fewest)


def _year_of(named: Named, now: datetime) -> int | None:
    if "year" in named:
        return named["year"]
    return now.year + named["other_year"] if "other_year" in named else None


def _step_of(named: Named) -> Occurrence:
    return named.get("step", Occurrence.LATEST)


def _date(named: Named, now: datetime) -> Span:
    day = named["day"] if "day" in named else named["ordinal"]
    return spans.date(now, named["month"], day, _year_of(named, now))


def _days(named: Named, now: datetime) -> Span:
    end = spans.date(now, named["month"], named["last"], _year_of(named, now))
    return Span(spans.date(end.start, named["month"], named["first"]).start, end.end)


def _month(named: Named, now: datetime) -> Span:
    year = _year_of(named, now)
    if year is None:
        return spans.month(now, named["month"], _step_of(named))
    return spans.months(year, named["month"])


def _of_month(named: Named, now: datetime) -> Span:
    which = named["unit"] if "unit" in named else named["weekday"]
    return spans.in_month(_month(named, now), which, named["ordinal"])


def _week_of_date(named: Named, now: datetime) -> Span:
    return spans.unit(_date(named, now).start, named["unit"], 0)


def _year(named: Named, now: datetime) -> Span:
    return spans.months(_year_of(named, now) or now.year, 1, 12)


def _season(named: Named, now: datetime) -> Span:
    year = _year_of(named, now)
    if year is None:
        return spans.season(now, named["season"], _step_of(named))
    return spans.season_of(year, named["season"])


def _quarter(named: Named, now: datetime) -> Span:
    first = 3 * named["quarter"] - 2
    if "year" in named:
        return spans.months(named["year"], first, 3)
    start = spans.month(now, first).start
    return spans.months(start.year, start.month, 3)


def _weekday_of_week(named: Named, now: datetime) -> Span:
    monday = spans.stepped(now, Unit.WEEK, named["step"]).start
    return spans.days(monday + timedelta(days=named["weekday"]))


def _ago(named: Named, now: datetime) -> Span:
    fewest, most = named.get("count", _ONE)
    if "upto" in named:
        most = max(most, named["upto"][1])
    return spans.ago(now, named["unit"], min(fewest, most), most)


def _half_ago(named: Named, now: datetime) -> Span:
    fewest, most = named["count"]
    if fewest != most:
        raise ValueError("a few and a half")
    return spans.half_more_ago(now, named["unit"], fewest)


_MEANINGS: Final[Mapping[str, Meaning]] = {
    "date": _date,
    "days": _days,
    "day": lambda named, now: spans.unit(now, Unit.DAY, named["near"]),
    "day of month": lambda named, now: spans.day_of_month(now, named["day"], named.get("weekday")),
    "week of date": _week_of_date,
    "weekday": lambda named, now: spans.weekday(now, named["weekday"], _step_of(named)),
    "weekday of week": _weekday_of_week,
    "weekend": lambda named, now: spans.weekend(now, _step_of(named)),
    "of month": _of_month,
    "month": _month,
    "season": _season,
    "quarter": _quarter,
    "year": _year,
    "decade": lambda named, _: spans.months(named["year"], 1, 120),
    "step": lambda named, now: spans.stepped(now, named["unit"], named["step"]),
    "ago": _ago,
    "half ago": _half_ago,
    "lately": lambda named, now: spans.lately(now, named["unit"], named.get("count", _ONE)[1]),
    "ahead": lambda named, now: spans.ahead(now, named["unit"], named.get("count", _ONE)[1]),
}
