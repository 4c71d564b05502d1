"""Stretches of the calendar, on the clock of whoever asks: naive local times, half-open."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil, floor
from typing import Final

from simonides.values import dataclass

#: The bounds of the calendar, for what is open at one end.
BEGINNING: Final = datetime.min  # noqa: DTZ901 - local by intent
END: Final = datetime.max  # noqa: DTZ901 - local by intent
_DAY: Final = timedelta(days=1)


class Unit(StrEnum):
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Season(StrEnum):
    """Of the northern half of the earth, by whole months; a winter belongs to the year it begins in."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


class PartOfTime(StrEnum):
    """Of a day by the clock; of anything longer by thirds and halves."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"
    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    FIRST_HALF = "first half"
    SECOND_HALF = "second half"


class Occurrence(StrEnum):
    """Choice among those that have a name in common.

    LATEST is the last to have begun by now; LAST is over already, or lies before the present day.
    """

    LATEST = "latest"
    LAST = "last"
    THIS = "this"
    NEXT = "next"


#: First month of each.
_SEASONS: Final = {Season.SPRING: 3, Season.SUMMER: 6, Season.AUTUMN: 9, Season.WINTER: 12}
#: Hours at which they begin and end; what ends after 24 ends on the day after.
_HOURS: Final = {
    PartOfTime.MORNING: (5, 12),
    PartOfTime.AFTERNOON: (12, 18),
    PartOfTime.EVENING: (17, 24),
    PartOfTime.NIGHT: (18, 30),
}
_SHARES: Final = {
    PartOfTime.EARLY: (0.0, 1 / 3),
    PartOfTime.MIDDLE: (1 / 3, 2 / 3),
    PartOfTime.LATE: (2 / 3, 1.0),
    PartOfTime.FIRST_HALF: (0.0, 0.5),
    PartOfTime.SECOND_HALF: (0.5, 1.0),
}
_STEPS: Final = {Occurrence.LAST: -1, Occurrence.THIS: 0, Occurrence.LATEST: 0, Occurrence.NEXT: 1}
#: Who says "three weeks ago" need not mean the day: half of a unit on either side counts as well.
_SLACK: Final = {
    Unit.MINUTE: timedelta(minutes=1),
    Unit.HOUR: timedelta(minutes=30),
    Unit.WEEK: timedelta(days=3),
    Unit.MONTH: timedelta(days=15),
    Unit.QUARTER: timedelta(days=45),
    Unit.YEAR: timedelta(days=183),
}
#: In so many months each day of the month falls on each day of the week, 31 and 29 February aside.
_MONTHS_BACK: Final = 14
_SATURDAY: Final = 5
_MONTHS: Final = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to `end`, which is later.

    Functions of this module raise OverflowError or ValueError for what no calendar holds: 30 February,
    the year 0, ten thousand years ago.
    """

    start: datetime
    end: datetime

    def part(self, part: PartOfTime) -> Span:
        """A part of it. Of less than two days there is no early or late."""
        if part in _HOURS:
            first, last = _HOURS[part]
            return Span(self.start + timedelta(hours=first), self.start + timedelta(hours=last))
        days = (self.end - self.start) / _DAY
        if days < 2:
            return self
        first, last = _SHARES[part]
        return Span(self.start + floor(days * first) * _DAY, self.start + ceil(days * last) * _DAY)


def days(start: datetime, count: int = 1) -> Span:
    """Whole days, the first of them that of `start`."""
    first = datetime(start.year, start.month, start.day)  # noqa: DTZ001 - local by intent
    return Span(first, first + count * _DAY)


def months(year: int, month: int, count: int = 1) -> Span:
    """Whole months; a month below 1 or above 12 lies in another year."""
    return Span(_month(year, month), _month(year, month + count))


def date(now: datetime, month: int, day: int, year: int | None = None) -> Span:
    """A date; without a year the latest that is not after today."""
    if year is not None:
        return days(datetime(year, month, day))  # noqa: DTZ001 - local by intent
    for past in range(now.year, now.year - 9, -1):  # 29 February comes once in four or eight years.
        try:
            span = days(datetime(past, month, day))  # noqa: DTZ001 - local by intent
        except ValueError:
            continue
        if span.start <= now:
            return span
    raise ValueError(f"no {day}.{month}. in any year")


def month(now: datetime, number: int, step: Occurrence = Occurrence.LATEST) -> Span:
    """A month by its number, the year by `step`."""
    year = now.year
    if (step is Occurrence.LATEST and number > now.month) or (
        step is Occurrence.LAST and number >= now.month
    ):
        year -= 1
    elif step is Occurrence.NEXT and number <= now.month:
        year += 1
    return months(year, number)


def day_of_month(now: datetime, day: int, on: int | None = None) -> Span:
    """The latest day of that number that is not after today, and of that day of the week (0 = Monday) if given."""
    for back in range(_MONTHS_BACK):
        try:
            span = days(_month(now.year, now.month - back).replace(day=day))
        except ValueError:
            continue
        if span.start <= now and on in (None, span.start.weekday()):
            return span
    raise ValueError(f"no such day {day} in the last {_MONTHS_BACK} months")


def in_month(whole: Span, which: Unit | int, number: int) -> Span:
    """The day, week, weekend or day of the week (0 = Monday) of that number in a month, -1 for the last.

    Weeks are counted in sevens from its first day, the last one back from its end; a weekend by its Saturday.
    """
    if which is Unit.WEEK and number < 0:
        return Span(whole.end - 7 * _DAY, whole.end)
    first, step = whole.start, 1 if which is Unit.DAY else 7
    if which is Unit.WEEKEND or not isinstance(which, Unit):
        first += ((_SATURDAY if isinstance(which, Unit) else which) - first.weekday()) % 7 * _DAY
    starts = [first + n * step * _DAY for n in range(31) if first + n * step * _DAY < whole.end]
    if number > len(starts):
        raise ValueError(f"no {which} of number {number} in that month")
    length = {Unit.WEEK: 7, Unit.WEEKEND: 2}.get(which, 1) if isinstance(which, Unit) else 1
    return days(starts[number - 1 if number > 0 else -1], length)


def season(now: datetime, which: Season, step: Occurrence = Occurrence.LATEST) -> Span:
    """A season, the year by `step`. THIS winter is the one that lasts, or the next to begin."""
    span = season_of(now.year, which)
    if which is Season.WINTER and now.month < 3 and step is not Occurrence.NEXT:
        span = season_of(now.year - 1, which)
    over = {Occurrence.LATEST: span.start > now, Occurrence.LAST: span.end > now}.get(step, False)
    if over:
        return season_of(span.start.year - 1, which)
    if step is Occurrence.NEXT and span.start <= now:
        return season_of(span.start.year + 1, which)
    return span


def season_of(year: int, which: Season) -> Span:
    """A season of a year."""
    return months(year, _SEASONS[which], 3)


def weekday(now: datetime, number: int, step: Occurrence = Occurrence.LATEST) -> Span:
    """A day of the week, 0 = Monday: LAST is before today, NEXT after it, THIS in the present week."""
    today = days(now).start
    back = (today.weekday() - number) % 7
    match step:
        case Occurrence.LATEST:
            return days(today - back * _DAY)
        case Occurrence.LAST:
            return days(today - (back or 7) * _DAY)
        case Occurrence.THIS:
            return days(today + (number - today.weekday()) * _DAY)
        case Occurrence.NEXT:
            return days(today + (7 - back) * _DAY)


def week(now: datetime, step: int) -> Span:
    """Monday to Sunday, `step` weeks from the present one."""
    monday = days(now).start - now.weekday() * _DAY
    return days(monday + 7 * step * _DAY, 7)


def weekend(now: datetime, step: Occurrence = Occurrence.LATEST) -> Span:
    """Saturday and Sunday: of the present week, the one before or after it; LATEST has begun."""
    saturday = days(now).start + (5 - now.weekday()) * _DAY
    weeks = -1 if step is Occurrence.LATEST and now.weekday() < 5 else _STEPS[step]
    return days(saturday + 7 * weeks * _DAY, 2)


def unit(now: datetime, which: Unit, step: int) -> Span:
    """The day, week, weekend, month, quarter or year so many from the present one, whole."""
    match which:
        case Unit.MINUTE | Unit.HOUR:
            length = timedelta(hours=1) if which is Unit.HOUR else timedelta(minutes=1)
            start = now.replace(minute=now.minute if which is Unit.MINUTE else 0, second=0, microsecond=0)
            return Span(start + step * length, start + (step + 1) * length)
        case Unit.DAY:
            return days(days(now).start + step * _DAY)
        case Unit.WEEK:
            return week(now, step)
        case Unit.WEEKEND:
            return weekend(now + 7 * step * _DAY, Occurrence.THIS)
        case Unit.MONTH:
            return months(now.year, now.month + step)
        case Unit.QUARTER:
            return months(now.year, 3 * ((now.month - 1) // 3 + step) + 1, 3)
        case Unit.YEAR:
            return months(now.year + step, 1, 12)


def stepped(now: datetime, which: Unit, step: Occurrence | int) -> Span:
    """Last week, this month, next year; or so many of them from now."""
    return unit(now, which, _STEPS[step] if isinstance(step, Occurrence) else step)


def ago(now: datetime, which: Unit, fewest: int, most: int | None = None) -> Span:
    """So many units before now, or between `fewest` and `most`; below 0, after it.

    A day is exact, the rest give or take half of a unit.
    """
    latest, earliest = _back(now, which, fewest), _back(now, which, fewest if most is None else most)
    if which in (Unit.MINUTE, Unit.HOUR):
        return Span(earliest - _SLACK[which], latest + _SLACK[which])
    slack = _SLACK.get(which, timedelta())
    return Span(days(earliest).start - slack, days(latest).end + slack)


def half_more_ago(now: datetime, which: Unit, count: int) -> Span:
    """So many units and a half before now, give or take about half of that half.

    Raises:
        ValueError: Nobody counts halves of that unit.
    """
    match which:
        case Unit.YEAR:
            return ago(now, Unit.MONTH, 12 * count + 4, 12 * count + 8)
        case Unit.MONTH:
            return ago(now, Unit.DAY, 30 * count + 8, 30 * count + 22)
        case Unit.WEEK:
            return ago(now, Unit.DAY, 7 * count + 2, 7 * count + 5)
        case Unit.DAY:
            return ago(now, Unit.HOUR, 24 * count + 9, 24 * count + 15)
        case Unit.HOUR:
            return ago(now, Unit.MINUTE, 60 * count + 15, 60 * count + 45)
        case _:
            raise ValueError(f"no half of a {which}")


def lately(now: datetime, which: Unit, count: int) -> Span:
    """The time from so many units ago up to the end of today."""
    return Span(min(days(_back(now, which, count)).start, days(now).start), days(now).end)


def ahead(now: datetime, which: Unit, count: int) -> Span:
    """The time from today up to so many units ahead."""
    return Span(days(now).start, days(_back(now, which, -count)).end)


def _back(now: datetime, which: Unit, count: int) -> datetime:
    if which in _MONTHS:
        first = _month(now.year, now.month - count * _MONTHS[which])
        last = _month(first.year, first.month + 1) - _DAY
        return first.replace(day=min(now.day, last.day))
    length = {
        Unit.MINUTE: timedelta(minutes=1),
        Unit.HOUR: timedelta(hours=1),
        Unit.DAY: _DAY,
        Unit.WEEK: 7 * _DAY,
        Unit.WEEKEND: 7 * _DAY,
    }[which]
    return now - count * length


def _month(year: int, month: int) -> datetime:
    """The beginning of a month."""
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)  # noqa: DTZ001 - local by intent
