"""Numbers, dates and times in running text, in a form in which they can be compared.

`3 pm` is `15:00`, `two` is `2`, `1.5 km` is `1,500 m`, `мая` is `May`. What is said roughly is an interval.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from simonides.language.guess import language_of
from simonides.language.quantities import (
    ABOUT,
    AT_LEAST,
    AT_MOST,
    COUNTERS,
    CURRENCIES,
    GROUPED_BY_STOPS,
    HAN_DIGITS,
    HAN_UNITS,
    HAN_WEEKDAYS,
    HOURS,
    MONTHS,
    NUMERALS,
    SCALES,
    UNITS,
    WEEKDAYS,
    YEAR_WORDS,
)
from simonides.language.tables import han, languages, phrases, section, words
from simonides.language.tokens import Shape, Token, folded
from simonides.language.words import ADDING, ENDED, LIGHT, STOP

_TOLERANCE: Final = 1e-6
_ROUGHLY: Final = 0.1
#: Unit conversions round: a pound is 0.4536 kg, and people write 0.45.
_CONVERTED: Final = 0.01
#: Digits in threes behind a full stop: decimals in English, thousands in German.
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_words: Final = partial(words, among="values")


def _minutes(name: str) -> dict[tuple[str, ...], int]:
    """Minutes that words beside an hour add to it."""
    return {
        tuple(map(folded, said.split())): minutes
        for some in section("values")
        for said, minutes in some.get(name, {}).items()
    }


#: Stand before an hour: at three, um drei, a las tres.
_BEFORE_HOURS: Final = _words("before_hours")
_O_CLOCK: Final = _words("oclock")
#: Before an hour, half past; behind it, y media.
_MINUTES_BEFORE: Final = _minutes("minutes_before")
_MINUTES_BEHIND: Final = _minutes("minutes_behind")
_BEFORE_MINUTES: Final = _words("before_minutes")
#: Words for an hour, and what stands before one that is told with them: в 3 часа, à 3 heures.
_HOUR_WORDS: Final = _words("hours")
_BEFORE_HOUR_WORDS: Final = _words("before_hour_words")
_SPANISH_ARTICLE: Final = _words("before_hours", of="es")
_BEFORE_ARTICLE: Final = _words("before_article")
#: Tell which half of the day an hour is of, behind it.
_LATE: Final = _words("late")
_EARLY: Final = _words("early")
_BEFORE_PARTS: Final = _words("before_parts_of_day")
_ORDINAL_ENDINGS: Final = _words("ordinal_endings")
_INSIDE_DATES: Final = _words("inside_dates") | {"-"}
_CAPITAL_MONTHS: Final = _words("capital_months")
#: Of a month that is a word, too, what stands before it where it is the month.
_BEFORE_MONTHS: Final = {
    month: _words("before_months", of=code)
    for code in languages()
    for month in _words("months_or_words", of=code)
}
_BEFORE_YEARS: Final = _words("before_years")
_JOIN_NUMERALS: Final = _words("joins_numerals") | {"-"}
_HYPHENS: Final = frozenset("-–—~")
_UP_TO: Final = _words("up_to")
_FROM: Final = _words("from")
_BETWEEN: Final = _words("between")
_BETWEEN_JOINT: Final = _words("between_joint")
#: Phrases before a number that tell a bound.
BOUNDS: Final = {" ".join(phrase): name for name in ("at_least", "at_most") for phrase in phrases(name)}
_BOUND: Final = tuple(BOUNDS)
_HAN_WEEKDAY_HEADS: Final = tuple[str, ...](han("weekday_heads"))
_HAN_LATE: Final = frozenset[str](han("late"))
_HAN_PARTS: Final = _HAN_LATE.union(han("early"))
#: Behind a number with the sign of a day, of an hour: it is the number of a room, it tells of a rating.
_HAN_NOT_DAYS: Final = frozenset[str](han("not_days"))
_HAN_NOT_HOURS: Final = frozenset[str](han("not_hours"))
_HAN_ABOUT: Final = frozenset[str](han("about"))
_HAN_UP_TO: Final = frozenset[str](han("up_to"))
_BEGINNINGS: Final = frozenset(
    (*MONTHS, *WEEKDAYS, *HOURS, *NUMERALS, *(said[0] for said in _MINUTES_BEFORE))
)
_HAN_BEGINNINGS: Final = frozenset((*HAN_DIGITS, *(word[0] for word in (*_HAN_WEEKDAY_HEADS, *_HAN_PARTS))))


class ValueKind(StrEnum):
    """Kinds of values."""

    NUMBER = "number"
    DATE = "date"


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


def values(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Value]]:
    """Every value with the tokens that it takes up, from first to behind the last, in order."""
    at = 0
    tokens = _in_own_figures(tokens)
    while at < len(tokens):
        if not _may_begin(tokens[at]):
            at += 1
            continue
        found = _date(tokens, at) or _time(tokens, at) or _amount(tokens, at)
        if found is None:
            at += 1
            continue
        end, value = found
        yield at, end, value
        at = end


def _in_own_figures(tokens: Sequence[Token]) -> Sequence[Token]:
    """Tokens in which no full stop groups digits, as it does in languages where 1.500 is 1500."""
    grouped = [
        at
        for at, token in enumerate(tokens)
        if token.shape is Shape.NUMBER and _GROUPED.fullmatch(token.text)
    ]
    if not grouped or language_of(" ".join(token.text for token in tokens)) not in GROUPED_BY_STOPS:
        return tokens
    own = list(tokens)
    for at in grouped:
        own[at] = replace(own[at], fold=own[at].fold.replace(".", ""))
    return own


def _may_begin(token: Token) -> bool:
    """True if a value can begin here at all: most words are passed over at once."""
    if token.shape is Shape.WORD:
        return token.fold in _BEGINNINGS
    if token.shape is Shape.HAN:
        return token.text in _HAN_BEGINNINGS
    return token.shape is not Shape.MARK or token.text in CURRENCIES


Found = tuple[int, Value] | None


# Dates


def _date(tokens: Sequence[Token], at: int) -> Found:
    token = tokens[at]
    if token.shape is Shape.DATE:
        days = _written(token.text)
        return (at + 1, _day(tokens, at, at + 1, *days)) if days else None
    if token.shape is Shape.NUMBER:
        return _han_date(tokens, at) or _day_first(tokens, at) or _year_alone(tokens, at)
    if token.shape is Shape.HAN:
        return _han_weekday(tokens, at) or _han_date(tokens, at)
    if token.shape is Shape.IDENTIFIER and len(token.fold) == 2 and token.fold[0] == "q":
        if token.fold[1] in "1234":
            year, end = _year(tokens, at + 1)
            return end, _day(tokens, at, end, Day(year=year, quarter=int(token.fold[1])))
        return None
    if (weekday := WEEKDAYS.get(token.fold)) is not None and _is_weekday(tokens, at):
        return at + 1, _day(tokens, at, at + 1, Day(weekday=weekday))
    return _month_first(tokens, at)


def _day(tokens: Sequence[Token], start: int, end: int, *days: Day) -> Value:
    return Value(ValueKind.DATE, "day", _said(tokens, start, end), days=days)


def _written(text: str) -> tuple[Day, ...]:
    """Readings of a date in figures: year first, else day and month in either order."""
    parts = [int(part) for part in text.replace("/", "-").replace(".", "-").split("-")]
    if parts[0] > 31:
        tries = [(parts[0], parts[1], parts[2])]
    else:
        year = parts[2] if parts[2] > 99 else 2000 + parts[2]
        tries = [(year, parts[1], parts[0])]
        if "." not in text:
            tries.append((year, parts[0], parts[1]))
    return tuple(dict.fromkeys(Day(y, m, d) for y, m, d in tries if _exists(y, m, d)))


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        dt.date(year or 2000, month, day)
    except ValueError:
        return False
    return True


def _day_first(tokens: Sequence[Token], at: int) -> Found:
    """3 May 2024, 3rd of May, 3 мая, 1er mai."""
    number = _whole(tokens[at])
    after = at + 1
    if after < len(tokens) and tokens[after].fold in _ORDINAL_ENDINGS:
        after += 1
    while after < len(tokens) and tokens[after].fold in _INSIDE_DATES and after <= at + 3:
        after += 1
    if number is None or after >= len(tokens) or (month := _month(tokens, after, near=True)) is None:
        return None
    if not _exists(None, month, number) if 1 <= number <= 31 else True:
        return None
    year, end = _year(tokens, after + 1)
    if year is not None and not _exists(year, month, number):
        year = None
    return end, _day(tokens, at, end, Day(year, month, number))


def _month_first(tokens: Sequence[Token], at: int) -> Found:
    """May 3rd, 2024; May 2024; in May."""
    near = at + 1 < len(tokens) and tokens[at + 1].shape is Shape.NUMBER
    month = _month(tokens, at, near=near)
    if month is None:
        return None
    number = _whole(tokens[at + 1]) if near else None
    if number is not None and 1 <= number <= 31 and _exists(None, month, number):
        end = at + 2
        if end < len(tokens) and tokens[end].fold in _ORDINAL_ENDINGS:
            end += 1
        if end < len(tokens) and tokens[end].text == "," and _year(tokens, end + 1)[0] is not None:
            end += 1
        year, end = _year(tokens, end)
        return end, _day(
            tokens, at, end, Day(year if year and _exists(year, month, number) else None, month, number)
        )
    year, end = _year(tokens, at + 1)
    return end, _day(tokens, at, end, Day(year, month))


def _month(tokens: Sequence[Token], at: int, *, near: bool) -> int | None:
    """The month that a word names; one that is a word, too, needs company, and some a capital."""
    fold = tokens[at].fold
    month = MONTHS.get(fold)
    if month is None or (fold in _CAPITAL_MONTHS and not tokens[at].capital):
        return None
    company = _BEFORE_MONTHS.get(fold)
    return month if company is None or near or _before(tokens, at) & company else None


def _is_weekday(tokens: Sequence[Token], at: int) -> bool:
    """True if a word that may be short for a weekday is one."""
    short = len(tokens[at].fold) <= 4 and tokens[at].fold.isascii()
    return not short or (tokens[at].capital and at > 0)


def _year(tokens: Sequence[Token], at: int) -> tuple[int | None, int]:
    """A year that stands here, and what comes behind it."""
    number = _whole(tokens[at]) if at < len(tokens) else None
    if number is None or not 1900 <= number <= 2099 or len(tokens[at].text) != 4:
        return None, at
    end = at + 1
    if end < len(tokens) and tokens[end].fold in YEAR_WORDS:
        end += 1
    return number, end


def _year_alone(tokens: Sequence[Token], at: int) -> Found:
    year, end = _year(tokens, at)
    if year is None:
        return None
    known = end > at + 1 or bool(_before(tokens, at) & _BEFORE_YEARS)
    counts = end < len(tokens) and tokens[end].shape is Shape.WORD and tokens[end].fold not in STOP
    return (end, _day(tokens, at, end, Day(year=year))) if known and not counts else None


def _han_date(tokens: Sequence[Token], at: int) -> Found:
    """2024年5月3日, 5月3号, 五月三号, 5月."""
    parts: dict[str, int] = {}
    end = at
    for names in ("年", "月", "日号"):
        number, after = _han_number(tokens, end)
        if number is None or after >= len(tokens) or tokens[after].text not in names:
            continue
        parts[names[0]] = int(number)
        end = after + 1
    if not parts or ("年" in parts and not 1900 <= parts["年"] <= 2099):
        return None
    if set(parts) == {"日"} and end < len(tokens) and tokens[end].text in _HAN_NOT_DAYS:
        return None
    month, day = parts.get("月"), parts.get("日")
    if (month is not None and not 1 <= month <= 12) or (
        day is not None and not _exists(None, month or 1, day)
    ):
        return None
    return end, _day(tokens, at, end, Day(parts.get("年"), month, day))


def _han_weekday(tokens: Sequence[Token], at: int) -> Found:
    for name in _HAN_WEEKDAY_HEADS:
        end = at + len(name)
        if _han(tokens, at, end) == name and end < len(tokens):
            weekday = HAN_WEEKDAYS.get(tokens[end].text)
            if weekday is not None:
                return end + 1, _day(tokens, at, end + 1, Day(weekday=weekday))
    return None


# Times of day


def _time(tokens: Sequence[Token], at: int) -> Found:
    token = tokens[at]
    if token.shape is Shape.CLOCK:
        hour, minute = (int(part) for part in token.fold.replace(" ", "").replace("h", ":").split(":")[:2])
        if hour > 23:
            return None
        end = at + 1
        if end < len(tokens) and tokens[end].fold in _BEFORE_MINUTES:
            end += 1
        if (part := _part_of_day(tokens, end)) is not None and hour <= 12:
            return _clock(tokens, at, part[1], hour + 12 * (part[0] and hour < 12), minute, sure=True)
        return _clock(tokens, at, end, hour, minute, sure=hour > 8 or token.text.startswith("0"))
    if token.shape is Shape.HAN:
        return _han_time(tokens, at)
    if token.shape is Shape.WORD and (minutes := HOURS.get(token.fold)) is not None:
        return at + 1, Value(ValueKind.DATE, "time", token.text, low=minutes, high=minutes)
    if (found := _spoken(tokens, at)) is not None:
        return found
    number, end = _number_words(tokens, at)
    if token.shape is Shape.NUMBER:
        number, end = _whole(token), at + 1
        if tokens[end : end + 1] and tokens[end].shape is Shape.HAN:
            return _han_time(tokens, at)
    if number is None or number != int(number) or not 0 <= number <= 24:
        return None
    return _hour(tokens, at, end, int(number))


def _hour(tokens: Sequence[Token], at: int, end: int, hour: int) -> Found:
    """3 pm, 3 o'clock, at 3, в 3 часа дня, à 3 heures du soir; `end` is behind the number."""
    following = tokens[end].fold if end < len(tokens) else ""
    before = tokens[at - 1].fold if at else ""
    if following in {"am", "pm"} and 1 <= hour <= 12:
        return _half(tokens, at, end, hour, 0, following)
    if following in _O_CLOCK:
        return _clock(tokens, at, end + 1, hour, 0, sure=False)
    if following in _HOUR_WORDS and before in _BEFORE_HOUR_WORDS:
        return _with_hour_word(tokens, at, end, hour)
    if following in _BEFORE_MINUTES:
        minute = _whole(tokens[end + 1]) if end + 1 < len(tokens) else None
        counted = end + 2 < len(tokens) and tokens[end + 2].shape is Shape.WORD
        if minute is not None and minute < 60 and (not counted or tokens[end + 2].fold in STOP):
            return _clock(tokens, at, end + 2, hour, minute, sure=hour > 12)
        return _of_the_day(tokens, at, end + 1, hour, 0)
    if before in _SPANISH_ARTICLE:
        if at < 2 or tokens[at - 2].fold not in _BEFORE_ARTICLE:
            return None
        minute = _MINUTES_BEHIND.get(tuple(token.fold for token in tokens[end : end + 2]))
        if minute is not None:
            return _of_the_day(tokens, at, end + 2, hour, minute)
    if before in _BEFORE_HOURS and _part_of_day(tokens, end) is not None:
        return _of_the_day(tokens, at, end, hour, 0)
    counts = end < len(tokens) and tokens[end].shape in {Shape.WORD, Shape.HAN} and following not in STOP
    if (
        before in _BEFORE_HOURS
        and 1 <= hour <= 12
        and not counts
        and following not in {"%", "-", *CURRENCIES}
    ):
        return _clock(tokens, at, end, hour, 0, sure=False)
    return None


def _with_hour_word(tokens: Sequence[Token], at: int, end: int, hour: int) -> Found:
    """An hour with its word, by the part of the day behind it: в 3 часа дня, à 3 heures du soir."""
    behind = [token.fold for token in tokens[end + 1 : end + 4]]
    part = next((fold for fold in behind if fold in _LATE | _EARLY), "")
    late = part in _LATE and hour < 12
    end += 2 if part and behind[0] == part else 1
    return _clock(tokens, at, end, hour + 12 * late, 0, sure=bool(part))


def _of_the_day(tokens: Sequence[Token], at: int, end: int, hour: int, minute: int) -> Found:
    """An hour with the part of the day behind it, if one is there: drei Uhr nachmittags, las tres de la tarde."""
    sure = hour > 12
    if (part := _part_of_day(tokens, end)) is not None and hour <= 12:
        late, end = part
        hour, sure = hour % 12 + 12 * late, True
    hour, minute = divmod(hour * 60 + minute, 60)
    return _clock(tokens, at, end, hour, minute, sure=sure)


def _part_of_day(tokens: Sequence[Token], end: int) -> tuple[bool, int] | None:
    """Whether the half of the day behind an hour is the second, and what comes behind it; None if none is told."""
    place = end
    while place < min(end + 2, len(tokens)) and tokens[place].fold in _BEFORE_PARTS:
        place += 1
    part = tokens[place].fold if place < len(tokens) else ""
    return (part in _LATE, place + 1) if part in _LATE | _EARLY else None


def _spoken(tokens: Sequence[Token], at: int) -> Found:
    """Half past three, quarter to four, halb vier, Viertel vor vier."""
    for length in (1, 2):
        minutes = _MINUTES_BEFORE.get(tuple(token.fold for token in tokens[at : at + length]))
        first = at + length
        if minutes is None or first >= len(tokens):
            continue
        hour, end = _number_words(tokens, first)
        if tokens[first].shape is Shape.NUMBER:
            hour, end = _whole(tokens[first]), first + 1
        if hour is not None and 1 <= hour <= 12:
            return _of_the_day(tokens, at, end, int(hour), minutes)
    return None


def _clock(tokens: Sequence[Token], at: int, end: int, hour: int, minute: int, *, sure: bool) -> Found:
    half = tokens[end].fold if end < len(tokens) else ""
    if half in {"am", "pm"} and 1 <= hour <= 12:
        return _half(tokens, at, end, hour, minute, half)
    minutes = float(hour % 24 * 60 + minute)
    others = (minutes + 720,) if not sure and 1 <= hour < 12 else ()
    return end, Value(
        ValueKind.DATE, "time", _said(tokens, at, end), low=minutes, high=minutes, others=others
    )


def _half(tokens: Sequence[Token], at: int, end: int, hour: int, minute: int, half: str) -> Found:
    minutes = float((hour % 12 + 12 * (half == "pm")) * 60 + minute)
    return end + 1, Value(ValueKind.DATE, "time", _said(tokens, at, end + 1), low=minutes, high=minutes)


def _han_time(tokens: Sequence[Token], at: int) -> Found:
    """下午3点半, 三点, 15点30分."""
    part, start = "", at
    if (name := _han(tokens, at, at + 2)) in _HAN_PARTS:
        part, start = name, at + 2
    if start < len(tokens) and tokens[start].shape is Shape.CLOCK and part:
        found = _time(tokens, start)
        late = part in _HAN_LATE and found is not None and found[1].low < 720
        if found is not None:
            minutes = found[1].low + 720 * late
            return found[0], Value(
                ValueKind.DATE, "time", _said(tokens, at, found[0]), low=minutes, high=minutes
            )
    hour, end = _han_number(tokens, start)
    if hour is None or end >= len(tokens) or tokens[end].text not in "点點时" or not 0 <= hour <= 24:
        return None
    if tokens[end].text == "点" and end + 1 < len(tokens) and tokens[end + 1].text in _HAN_NOT_HOURS:
        return None
    end += 1
    minute = 0
    if end < len(tokens) and tokens[end].text == "半":
        minute, end = 30, end + 1
    else:
        said, after = _han_number(tokens, end)
        if said is not None and after < len(tokens) and tokens[after].text == "分":
            minute, end = int(said), after + 1
    late = part in _HAN_LATE and hour < 12
    return _clock(tokens, at, end, int(hour) + 12 * late, minute, sure=bool(part) or hour > 11)


# Numbers


def _amount(tokens: Sequence[Token], at: int) -> Found:
    start = at
    currency = CURRENCIES.get(tokens[at].fold, "") if tokens[at].shape is Shape.MARK else ""
    if currency:
        at += 1
    number, end = _number(tokens, at)
    if number is None:
        return None
    low = high = number
    lone = number == 1 and end == at + 1 and tokens[at].shape is Shape.WORD
    upper, after = _upper(tokens, start, end)
    if upper is not None and upper >= number:
        high, end = upper, after
    key, noun, factor = "", "", 1.0
    if currency:
        key = "money"
    elif end < len(tokens):
        key, noun, factor, currency, end = _unit(tokens, end)
    if not key and end == at + 1 and start > 0 and _labels(tokens[start - 1]):
        key = f"l:{tokens[start - 1].stem}"
    if lone and not key:
        return None  # "one of them"
    low, high = low * factor, high * factor
    if factor not in {0.0, 1.0} and math.log10(factor) % 1 and factor % 60 and factor % 12:
        low, high = low * (1 - _CONVERTED), high * (1 + _CONVERTED)
    low, high = _bounded(tokens, start, low, high)
    return end, Value(
        ValueKind.NUMBER, key, _said(tokens, start, end), low, high, currency=currency, noun=noun
    )


def _number(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """A number here with its scale, and what comes behind it."""
    if at >= len(tokens):
        return None, at
    if tokens[at].shape is Shape.NUMBER:
        number, end = _figure(tokens[at].fold), at + 1
        if end < len(tokens) and tokens[end].text in HAN_DIGITS and HAN_DIGITS[tokens[end].text] >= 1000:
            return number * HAN_DIGITS[tokens[end].text], end + 1
    elif tokens[at].shape is Shape.HAN:
        number, end = _han_number(tokens, at)
        if number is None or (end == at + 1 and not _counts(tokens, end)):
            return None, at
        return number, end
    else:
        number, end = _number_words(tokens, at)
    if number is not None and end < len(tokens):
        scale = SCALES.get(tokens[end].fold)
        # A lone m is metres; M is millions.
        if scale is not None and (tokens[end].fold != "m" or tokens[end].text == "M"):
            return number * scale, end + 1
    return number, end


def _figure(text: str) -> float:
    """1,500.5 and 1 500,5 and 1.500.000 alike."""
    text = text.replace(" ", "").replace("'", "")
    if text.count(".") > 1:
        text = text.replace(".", "")
    head, _, tail = text.rpartition(",")
    if head and "." not in tail and (len(tail) != 3 or "." in head):
        text = f"{head.replace(',', '')}.{tail}"
    return float(text.replace(",", ""))


def _whole(token: Token) -> int | None:
    return int(token.text) if token.shape is Shape.NUMBER and token.text.isdigit() else None


def _number_words(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """Numerals in words from here on: three hundred and twenty, twenty-one, двадцать пять, vingt-deux."""
    total = current = 0.0
    end, last = at, 0.0
    while end < len(tokens):
        fold = tokens[end].fold
        value = NUMERALS.get(fold)
        if value is None:
            joins = fold in _JOIN_NUMERALS and end > at and end + 1 < len(tokens)
            following = NUMERALS.get(tokens[end + 1].fold) if joins else None
            if following is None or not (following < last or following >= 100):
                break
            end += 1
            continue
        if value in {100.0, 1000.0, 1e6, 1e9} and end > at:
            current = (current or 1.0) * value
            if value >= 1000:
                total, current = total + current, 0.0
        elif end > at and value >= max(last, 1.0) and not (last >= 100 > value):
            break
        else:
            current += value
        last, end = value, end + 1
    return (total + current, end) if end > at else (None, at)


def _han_number(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """Figures, or a run of Chinese numerals."""
    if at < len(tokens) and tokens[at].shape is Shape.NUMBER:
        return _figure(tokens[at].text), at + 1
    total = section = digit = 0.0
    end = at
    plain: list[str] = []
    while end < len(tokens) and (value := HAN_DIGITS.get(tokens[end].text)) is not None:
        if value < 10:
            digit = value
            plain.append(str(int(value)))
        elif value >= 10_000:
            total, section, digit = (total + section + digit or 1.0) * value, 0.0, 0.0
        else:
            section, digit = section + (digit or 1.0) * value, 0.0
        end += 1
    if end == at:
        return None, at
    if len(plain) == end - at and len(plain) > 1:
        return float("".join(plain)), end
    return total + section + digit, end


def _upper(tokens: Sequence[Token], start: int, end: int) -> tuple[float | None, int]:
    """The upper end of a range: 5–7, 5 to 7, between 5 and 7."""
    if end + 1 >= len(tokens):
        return None, end
    joint = tokens[end].fold
    ranged = joint in _HYPHENS | _HAN_UP_TO or (joint in _UP_TO and not _is_change(tokens, start))
    between = joint in _BETWEEN_JOINT and bool(_before(tokens, start) & _BETWEEN)
    if not (ranged or between):
        return None, end
    upper, after = _number(tokens, end + 1)
    hours = after < len(tokens) and tokens[after].fold in _BEFORE_MINUTES  # "9 bis 17 Uhr" are times.
    return (None, end) if hours else (upper, after)


def _is_change(tokens: Sequence[Token], start: int) -> bool:
    """`from 5 to 7` behind a verb of change is no range."""
    return bool(_before(tokens, start) & _FROM)


def _unit(tokens: Sequence[Token], at: int) -> tuple[str, str, float, str, int]:
    """Key, noun, factor and currency by what stands behind a number, and what comes behind that."""
    token = tokens[at]
    if token.shape is Shape.HAN:
        return _han_unit(tokens, at)
    if (currency := CURRENCIES.get(token.fold)) is not None:
        return "money", "", 1.0, currency, at + 1
    if token.shape is Shape.MARK:
        if token.text == "%":
            return "u:percent", "", 1.0, "", at + 1
        if token.text == "°":
            return "u:degrees", "", 1.0, "", at + 2 if at + 1 < len(tokens) else at + 1
        return "", "", 1.0, "", at
    unit = UNITS.get(token.fold)
    if unit is not None:
        return f"u:{unit[0]}", "", unit[1], "", at + 1
    if token.shape is Shape.WORD and token.fold not in STOP and token.fold not in LIGHT:
        # What is counted stays a word of the sentence.
        return f"n:{token.stem}", token.stem, 1.0, "", at
    return "", "", 1.0, "", at


def _han_unit(tokens: Sequence[Token], at: int) -> tuple[str, str, float, str, int]:
    for length in (3, 2, 1):
        name = _han(tokens, at, at + length)
        if len(name) == length and name in HAN_UNITS:
            dimension, factor, currency = HAN_UNITS[name]
            return dimension, "", factor, currency, at + length
    if tokens[at].text in COUNTERS and at + 1 < len(tokens) and tokens[at + 1].shape is Shape.HAN:
        return f"n:{tokens[at + 1].text}", "", 1.0, "", at + 1
    return ("n:" + tokens[at].text if tokens[at].text in COUNTERS else ""), "", 1.0, "", at


def _counts(tokens: Sequence[Token], at: int) -> bool:
    """True if one Chinese numeral is meant as a number: by what stands behind it."""
    if at >= len(tokens):
        return False
    return tokens[at].text in COUNTERS or any(
        _han(tokens, at, at + length) in HAN_UNITS for length in (1, 2, 3)
    )


def _labels(token: Token) -> bool:
    """True if a number behind this word is its number: room 5, Python 3.11."""
    return token.shape is Shape.WORD and not {token.fold} & (
        STOP | LIGHT | ADDING | ABOUT | AT_LEAST | AT_MOST | {ENDED}
    )


def _bounded(tokens: Sequence[Token], start: int, low: float, high: float) -> tuple[float, float]:
    before = " ".join(token.fold for token in tokens[max(start - 3, 0) : start])
    last = before.rpartition(" ")[2]
    bound = ""
    if before.endswith(_BOUND):  # "No more than" ends like "more than".
        bound = BOUNDS[max((phrase for phrase in _BOUND if before.endswith(phrase)), key=len)]
    if bound == "at_least" or last in AT_LEAST:
        return low, math.inf
    if bound == "at_most" or last in AT_MOST:
        return -math.inf, high
    if (
        set(before.split()[-2:]) & ABOUT
        or _han(tokens, start - 2, start) in _HAN_ABOUT
        or (start > 0 and tokens[start - 1].text in _HAN_ABOUT)
    ):
        return low - abs(low) * _ROUGHLY, high + abs(high) * _ROUGHLY
    return low, high


# Small things


def _before(tokens: Sequence[Token], at: int) -> frozenset[str]:
    """The two words before a place."""
    return frozenset(token.fold for token in tokens[max(at - 2, 0) : at])


def _han(tokens: Sequence[Token], start: int, end: int) -> str:
    return "".join(token.text for token in tokens[max(start, 0) : end])


def _said(tokens: Sequence[Token], start: int, end: int) -> str:
    """Tokens as they are written, Chinese without blanks."""
    said = ""
    for token in tokens[start:end]:
        joined = not said or token.shape is Shape.HAN or said[-1] in "$€£¥₽" or token.text in "%°-"
        said += token.text if joined or token.fold in _ORDINAL_ENDINGS else f" {token.text}"
    return said
