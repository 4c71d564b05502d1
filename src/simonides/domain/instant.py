"""Instants: UTC microseconds inside, ISO 8601 outside."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Final, TypeAlias, cast

from simonides.errors import InvalidInput

SECOND_US: Final = 1_000_000
HOUR_US: Final = 3_600 * SECOND_US
DAY_US: Final = 24 * HOUR_US
#: Clocks that share a store, or one that is set right, differ by so much: what begins sooner has begun. Else a
#: correction by a clock that is ahead would leave the others with neither statement.
CLOCKS_DIFFER_US: Final = 60 * SECOND_US
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: What a datetime in UTC can say: an offset may lead past it, and then it could not be written again.
FIRST: Final = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
LAST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND

#: Bounds that numbers since 1970 lie below, and how each such is multiplied and divided to microseconds.
_UNITS: Final = ((1e11, SECOND_US, 1), (1e14, 1_000, 1), (1e17, 1, 1), (1e20, 1, 1_000))
#: Fewer are the time that something takes, or a place in a recording.
_LEAST_SECONDS: Final = 1e8
#: Numbers that are the digits of a date, or of a date and a time: as a number since 1970 no one is likely.
_DATES: Final = (("%Y%m%d", 19000101, 21991231), ("%Y%m%d%H%M%S", 19000101000000, 21991231235959))
_DIGITS: Final = re.compile(r"\d{9,}|\d+\.\d*")
#: A date with a digit behind it, which Python would take for the `T`: 1771120412345 for a quarter to twelve in 1771.
_RUNS_ON: Final = re.compile(r"\d{9}|\d{4}-\d\d-\d{3}")
#: Names under which clients give the time of a message.
TIMES_OF_MESSAGES: Final = ("at", "timestamp", "created_at")

#: What callers may pass as an instant. A text or datetime without a zone is UTC, never local time.
Moment: TypeAlias = datetime | date | str


def instant(moment: Moment, *, name: str = "the time") -> int:
    """Microseconds since 1970 in UTC.

    Args:
        moment: ISO 8601 text, a datetime or a date (its midnight). Without a zone it is UTC.
        name: What the moment is, for the error.

    Raises:
        InvalidInput: The text is not ISO 8601, the value is no time at all, or lies outside of the
            years 1 to 9999 in UTC.
    """
    value: object = moment
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat("" if _RUNS_ON.match(text := value.strip()) else text)
        except ValueError:
            raise InvalidInput(
                f"{name} {moment!r:.80} is not ISO 8601; write it like 2026-03-01T09:30:00Z or 2026-03-01"
            ) from None
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, datetime):
        raise InvalidInput(f"{name} must be ISO 8601 text or a datetime, not {type(moment).__name__}")
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    at = (value - _EPOCH) // _MICROSECOND
    if not FIRST <= at <= LAST:
        raise InvalidInput(f"{name} {moment!r:.80} lies outside of the years 1 to 9999 in UTC")
    return at


def instant_as_written(moment: object, *, name: str = "the time") -> int:
    """Microseconds since 1970 of a moment as programs write it.

    Args:
        moment: What `instant` takes, or a number, or a text of one: since 1970 in seconds, milliseconds, microseconds
            or nanoseconds, told by its size; or the digits of a date or time, as 20260225 and 20260225061320 are.

    Raises:
        InvalidInput: It is no time, or lies outside of the years 1 to 9999; as a number since 1970, of 1973 to 5138.
    """
    given = moment.strip().removesuffix(" UTC") if isinstance(moment, str) else moment
    number = _number(given)
    return instant(cast("Any", given), name=name) if number is None else _instant_of(number, name)


def first_instant(fields: Mapping[str, object], *names: str) -> int | None:
    """Microseconds of the first of these fields that `instant_as_written` reads; None where it reads none."""
    for name in names:
        if fields.get(name) is not None:
            with suppress(InvalidInput):
                return instant_as_written(fields[name])
    return None


def _number(value: object) -> float | None:
    """A number of Python, NumPy or a database, or the digits of one, as one of Python; None of anything else."""
    with suppress(OverflowError, ValueError):  # Python reads no whole number of thousands of digits.
        match value:
            case bool():
                return None
            case Integral():
                return int(value)
            case Real() | Decimal():
                return float(value)
            case str() if _DIGITS.fullmatch(value):
                return int(value) if value.isdecimal() else float(value)
            case _:
                return None
    return math.inf


def _instant_of(number: float, name: str) -> int:
    for form, first, last in _DATES:
        if first <= number <= last and number == (whole := int(number)):
            with suppress(ValueError):
                return instant(datetime.strptime(str(whole), form))  # noqa: DTZ007 - without a zone it is UTC
    if number >= _LEAST_SECONDS:
        for below, times, per in _UNITS:
            if number < below:
                return round(number * times) // per
    # Python writes no whole number of thousands of digits.
    shown = "of over 40 digits" if isinstance(number, int) and abs(number) >= 10**40 else repr(number)
    raise InvalidInput(
        f"{name} {shown} is no number of seconds since 1970; write it like 2026-03-01T09:30:00Z"
    )


def to_datetime(at_us: int) -> datetime:
    """The instant as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=at_us)


def iso(at_us: int) -> str:
    """ISO 8601 in UTC with a Z; the fraction only where there is one."""
    return to_datetime(at_us).isoformat().replace("+00:00", "Z")


def days_between(earlier_us: int, later_us: int) -> float:
    """Days from one instant to another, never below 0: a clock set back makes nothing younger than new."""
    return max(0.0, (later_us - earlier_us) / DAY_US)
