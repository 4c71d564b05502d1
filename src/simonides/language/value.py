"""Values that statements give: numbers, dates and times, and which of them may be the same."""

from __future__ import annotations

import datetime as dt
import math
from enum import StrEnum
from typing import Final

from simonides.values import dataclass

_TOLERANCE: Final = 1e-6


class ValueKind(StrEnum):
    """Kinds of values; of all but the first two there is none that can be compared.

    A size is a number that may tell how tall or wide something is, a mass one that may tell how heavy, a phone one to
    call; mail is an address.
    """

    NUMBER = "number"
    DATE = "date"
    FREQUENCY = "frequency"
    COLOUR = "colour"
    SIZE = "size"
    MASS = "mass"
    PHONE = "phone"
    MAIL = "mail"
    NAME = "name"


#: Kinds that are asked for by a word for them, and told by no other value.
NAMED_KINDS: Final = frozenset(
    {ValueKind.COLOUR, ValueKind.SIZE, ValueKind.MASS, ValueKind.PHONE, ValueKind.MAIL}
)


@dataclass(frozen=True, slots=True)
class Day:
    """As much of a date as is said; None is not said. Months from 1, weekdays from 0 for Monday."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    quarter: int | None = None

    def agrees(self, other: Day) -> bool:
        """True if both may be one day."""
        mine, theirs = self._full(), other._full()
        pairs = (
            (mine.year, theirs.year), (mine.month, theirs.month), (mine.day, theirs.day),
            (mine.weekday, theirs.weekday), (mine.quarter, theirs.quarter),
        )  # fmt: skip
        return all(one is None or another is None or one == another for one, another in pairs)

    def within(self, other: Day) -> bool:
        """True if this says more of which day it is than another does."""
        mine, theirs = self._full(), other._full()
        return any(
            getattr(mine, part) is not None and getattr(theirs, part) is None
            for part in ("year", "month", "day", "weekday", "quarter")
        )

    def _full(self) -> Day:
        """With what follows from what is said."""
        quarter = self.quarter if self.month is None else (self.month + 2) // 3
        weekday = self.weekday
        if self.year is not None and self.month is not None and self.day is not None:
            weekday = dt.date(self.year, self.month, self.day).weekday()
        return Day(self.year, self.month, self.day, weekday, quarter)


@dataclass(frozen=True, slots=True)
class Value:
    """A number, date or time of a text.

    Attributes:
        key: What is counted or measured: a dimension (`u:mass`, `money`, `time`, `day`), a noun (`n:cat`), a label
            (`l:room`), or nothing.
        low, high: Bounds of the number, in the dimension's own unit, minutes for a time; equal where exact.
        others: Further exact readings: 3 o'clock is 3 or 15.
        currency: Of money, where it is named.
        days: Readings of a date: 3/4 is two.
        words: As it stands in the text.
        noun: Stem of what is counted.
    """

    kind: ValueKind
    key: str
    words: str
    low: float = 0.0
    high: float = 0.0
    others: tuple[float, ...] = ()
    currency: str = ""
    days: tuple[Day, ...] = ()
    noun: str = ""

    def comparable(self, other: Value) -> bool:
        """True if both say how much or when of the same."""
        if self.kind is not other.kind:
            return False
        if self.key == other.key:
            return True
        # A bare number may leave out its unit, not what it counts.
        return self.kind is ValueKind.NUMBER and any(
            not one.key and another.key.startswith(("u:", "money"))
            for one, another in ((self, other), (other, self))
        )

    @property
    def is_a_year(self) -> bool:
        """True if it is a date of which but the year is said."""
        return bool(self.days) and all(day == Day(year=day.year) for day in self.days)

    @property
    def is_a_weekday(self) -> bool:
        """True if it is a day of which but the place in the week is said."""
        return bool(self.days) and all(
            day.weekday is not None and (day.year, day.month, day.day) == (None, None, None)
            for day in self.days
        )

    def tells_no_more(self, other: Value) -> bool:
        """True if this restricts to no fewer days than another does; only asked of comparable ones."""
        return not self.days or any(not one.within(another) for one in self.days for another in other.days)

    def agrees(self, other: Value) -> bool:
        """True if both may be the same; only asked of comparable ones."""
        if self.kind is ValueKind.DATE and self.key == "day":
            return any(one.agrees(another) for one in self.days for another in other.days)
        if self.currency and other.currency and self.currency != other.currency:
            return False
        mine = [(self.low, self.high), *((value, value) for value in self.others)]
        theirs = [(other.low, other.high), *((value, value) for value in other.others)]
        return any(_meet(one, another) for one in mine for another in theirs)


def _meet(one: tuple[float, float], other: tuple[float, float]) -> bool:
    slack = _TOLERANCE * max(1.0, *(abs(end) for end in (*one, *other) if math.isfinite(end)), 1.0)
    return one[0] <= other[1] + slack and other[0] <= one[1] + slack


#: A value, and the token behind its last.
Found = tuple[int, Value] | None
