"""Cron expressions, read by APScheduler (extra `schedule`), on the clock of a time zone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from simonides.domain.instant import instant, to_datetime
from simonides.errors import InvalidInput, InvalidSettings, NotInstalled
from simonides.upkeep.schedule.hours import NEVER, Hours, ScheduleSettings

#: No zone turns its clocks by more.
_TURNED: Final = timedelta(hours=3)
_WEEKDAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_TICK: Final = timedelta(microseconds=1)


class Cron:
    """The hours of a cron expression, each of them once a day.

    Where clocks are turned back, the first of two equal hours is meant; where they are turned forward, what falls
    into the hour that is left out comes an hour later.

    APScheduler by itself runs twice what falls into the hour that comes twice, counts weekdays from Monday, and asks
    for both where day and weekday are given, which cron takes as either.

    Args:
        expression: Minute, hour, day, month and weekday, which is 0 or 7 on Sundays, or a name.
        zone: Whose clock it speaks of.

    Raises:
        ValueError: It is no such expression.
    """

    def __init__(self, expression: str, zone: tzinfo) -> None:
        minute, hour, day, month, weekday = expression.lower().split()
        weekday = _weekdays(weekday)
        either = not day.startswith("*") and weekday != "*"
        pairs = ((day, "*"), ("*", weekday)) if either else ((day, weekday),)
        make: Any = import_module("apscheduler.triggers.cron").CronTrigger
        # The face of the clock is taken for UTC, which is never turned.
        self._triggers: tuple[Any, ...] = tuple(
            make(minute=minute, hour=hour, day=some, month=month, day_of_week=weekdays, timezone=UTC)
            for some, weekdays in pairs
        )
        self._zone = zone

    def after(self, at: int) -> int | None:
        """The first instant after one that the expression names; None if there is none any more."""
        try:
            face = to_datetime(at).astimezone(self._zone).replace(tzinfo=UTC) - _TURNED
            while (fire := self._next(face)) is not None:
                next_at = instant(fire.replace(tzinfo=self._zone))
                if next_at > at:
                    return next_at
                face = fire + _TICK
        except (OverflowError, InvalidInput):  # No year has more than four digits.
            return None
        return None

    def _next(self, face: datetime) -> datetime | None:
        times = (trigger.get_next_fire_time(None, face) for trigger in self._triggers)
        return min((fire for fire in times if fire is not None), default=None)


@lru_cache(maxsize=8)
def hours_of(settings: ScheduleSettings) -> Mapping[str, Hours]:
    """The hours of each expression of the settings, by the expression; those that are `none` are left out.

    Raises:
        ProviderUnavailable: APScheduler is not installed.
        InvalidSettings: An expression, or the zone, cannot be read.
    """
    zone = zone_of(settings)
    hours: dict[str, Hours] = {}
    for name in ("daily", "weekly", "prune"):
        expression: str = getattr(settings, name).strip()
        if expression == NEVER:
            continue
        try:
            cron = Cron(expression, zone)
        except ValueError as error:
            raise InvalidSettings(f"schedule.{name} {expression!r} cannot be read: {error}") from error
        if cron.after(instant(datetime(2000, 1, 1, tzinfo=UTC))) is None:
            raise InvalidSettings(f"schedule.{name} {expression!r} names no day that ever comes")
        hours[expression] = cron
    return hours


def zone_of(settings: ScheduleSettings) -> tzinfo:
    """Time zone that the hours are read in.

    Raises:
        ProviderUnavailable: APScheduler is not installed.
        InvalidSettings: The zone is not known.
    """
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - where hours are kept

    named = settings.zone
    try:
        import_module("apscheduler.triggers.cron")
        return ZoneInfo(named) if named else import_module("tzlocal").get_localzone()
    except ModuleNotFoundError as error:
        raise NotInstalled.of("apscheduler", extra="schedule") from error
    except (ValueError, OSError, LookupError) as error:
        what = f"schedule.zone {named!r} is not known" if named else "the computer's time zone is not known"
        raise InvalidSettings(f"{what}: name one such as Europe/Berlin in schedule.zone ({error})") from error


def _weekdays(field: str) -> str:
    """Weekdays by names, as they mean the same to everybody."""
    if field == "*":
        return field
    chosen: set[int] = set()
    for part in field.split(","):
        days, _, step = part.partition("/")
        first, _, last = ("0", "", "6") if days == "*" else days.partition("-")
        begin, end = _weekday(first), _weekday(last or ("6" if step else first))
        if end < begin:  # `fri-mon`, and `fri-sun` where Sunday is 0.
            end += 7
        try:
            chosen |= {day % 7 for day in range(begin, end + 1, int(step) if step else 1)}
        except ValueError:
            raise ValueError(f"{part!r} is no range of weekdays") from None
    return ",".join(_WEEKDAYS[day] for day in sorted(chosen))


def _weekday(name: str) -> int:
    if name in _WEEKDAYS:
        return _WEEKDAYS.index(name)
    if name.isdecimal() and int(name) <= len(_WEEKDAYS):
        return int(name)
    raise ValueError(f"{name!r} is no weekday; use mon to sun, or 0 to 7")
