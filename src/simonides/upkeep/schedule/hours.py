"""Timetable of the jobs: their hours, and the settings that say so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from simonides.domain.pattern import later
from simonides.errors import InvalidSettings
from simonides.values import dataclass

NEVER: Final = "none"
_EXPRESSION: Final = later(r"[0-9A-Za-z*,/-]+(?: +[0-9A-Za-z*,/-]+){4}")
_NUMBER: Final = later("[0-9]+")
#: Fields of an expression, in their order.
_RANGES: Final = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 7)}
#: Jobs with hours of their own; every other one runs daily.
_WEEKLY: Final = frozenset({"week", "profile"})
_PRUNE: Final = "prune"


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """Hours of upkeep that nobody asks for: cron expressions (minute, hour, day, month, weekday), or `none`.

    Attributes:
        daily: For every job but those below.
        weekly: For `week` and `profile`.
        prune: For `prune`.
        zone: Whose clock the hours are read from, such as `Europe/Berlin`; empty for the computer's own.
        look_s: How often `simonides schedule` looks whether something else is due, in seconds, 0.05 to 86400.
    """

    daily: str = "0 3 * * *"
    weekly: str = "0 4 * * mon"
    prune: str = "0 4 * * *"
    zone: str = ""
    look_s: float = 60.0

    def __post_init__(self) -> None:
        for name in ("daily", "weekly", "prune"):
            text = getattr(self, name)
            if text != NEVER and not _EXPRESSION.fullmatch(text.strip()):
                raise InvalidSettings(
                    f"schedule.{name} is {text!r}; a cron expression has five fields: "
                    f"minute, hour, day, month and weekday, such as '0 3 * * *'; or it is '{NEVER}'"
                )
            _require_in_range(f"schedule.{name}", text)
        _require_zone(self.zone)
        if not (math.isfinite(self.look_s) and 0.05 <= self.look_s <= 86_400):
            raise InvalidSettings(f"schedule.look_s lies in [0.05, 86400], got {self.look_s}")


def _require_in_range(name: str, expression: str) -> None:
    """Refuse a cron expression with a number that no clock and no calendar has."""
    for (field, (least, most)), text in zip(_RANGES.items(), expression.split(), strict=False):
        bounds = " ".join(part.partition("/")[0] for part in text.split(","))
        for number in map(int, _NUMBER.findall(bounds)):
            if not least <= number <= most:
                raise InvalidSettings(
                    f"{name} is {expression!r}; its {field} is a number from {least} to {most}, got {number}"
                )


def _require_zone(named: str) -> None:
    """Refuse a zone that nobody knows."""
    try:
        if named:
            from zoneinfo import ZoneInfo  # noqa: PLC0415 - most settings name none

            ZoneInfo(named)
    except (ValueError, OSError, LookupError) as error:
        raise InvalidSettings(
            f"schedule.zone {named!r} is not known: name one such as Europe/Berlin in schedule.zone ({error})"
        ) from error


class Hours(Protocol):
    """The instants at which something is to be done."""

    def after(self, at: int) -> int | None:
        """The first one after an instant; None if there is none any more."""
        ...


@dataclass(frozen=True, slots=True)
class Hour:
    """Hours of one job.

    Attributes:
        setting: The setting that says so.
        expression: What it says.
        hours: None for never.
    """

    job: str
    setting: str
    expression: str
    hours: Hours | None


def setting_of(job: str) -> str:
    """The setting that says when a job runs."""
    return "weekly" if job in _WEEKLY else "prune" if job == _PRUNE else "daily"


def timetable(
    jobs: Iterable[str], settings: ScheduleSettings, hours: Mapping[str, Hours]
) -> tuple[Hour, ...]:
    """Hours of each of some jobs.

    Args:
        hours: By expression, as `cron.hours_of` reads them.
    """
    timed: list[Hour] = []
    for job in jobs:
        setting = setting_of(job)
        expression: str = getattr(settings, setting).strip()
        timed.append(Hour(job, f"schedule.{setting}", expression, hours.get(expression)))
    return tuple(timed)
