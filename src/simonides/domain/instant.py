"""Instants: UTC microseconds inside, ISO 8601 outside."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final, TypeAlias

from simonides.errors import InvalidInput

SECOND_US: Final = 1_000_000
HOUR_US: Final = 3_600 * SECOND_US
DAY_US: Final = 24 * HOUR_US
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: What a datetime in UTC can say: an offset may lead past it, and then it could not be written again.
FIRST: Final = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
LAST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND

_LEAST_SECONDS: Final = 1e8

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
            value = datetime.fromisoformat(value.strip())
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


def instant_of_number(number: float, *, name: str = "the time") -> int:
    """Microseconds since 1970 of a number of seconds, milliseconds or microseconds since then, told by its size.

    Raises:
        InvalidInput: It is no such number, or lies outside of the years 1973 to 9999.
    """
    for unit, below in ((SECOND_US, 1e11), (1_000, 1e14), (1, LAST + 1)):
        # Fewer seconds are the time that something takes, or a place in a recording.
        if _LEAST_SECONDS <= number < below:
            return min(int(number * unit), LAST)
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
