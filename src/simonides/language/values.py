"""Numbers, dates and times in running text, in a form in which they can be compared.

`3 pm` is `15:00`, `two` is `2`, `1.5 km` is `1,500 m`, `мая` is `May`. What is said roughly is an interval.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Final

from simonides.domain.kept import kept
from simonides.language.figures import (
    ORDINAL_ENDINGS,
    figure,
    folds_before,
    han_number,
    number_words,
    signs,
    whole,
    written,
)
from simonides.language.guess import language_of
from simonides.language.hours import BEFORE_MINUTES, HAN_PARTS_OF_DAY, MINUTES_BEFORE, time_of_day
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
from simonides.language.sentences import fold
from simonides.language.tables import han, languages, phrases, worded, words
from simonides.language.tokens import Shape, Token
from simonides.language.tokens import tokens as split
from simonides.language.value import NAMED_KINDS, Day, Found, Value, ValueKind
from simonides.language.words import ADDING, ENDED, LIGHT, STOP

_ROUGHLY: Final = 0.1
#: Unit conversions round: a pound is 0.4536 kg, and people write 0.45.
_CONVERTED: Final = 0.01
#: Digits in threes behind a full stop: decimals in English, thousands in German.
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_DIGIT: Final = re.compile(r"\d")
_words: Final = partial(words, among="values")
_INSIDE_DATES: Final = _words("inside_dates") | {"-"}
_CAPITAL_MONTHS: Final = _words("capital_months")
#: Of a month that is a word, too, what stands before it where it is the month.
_BEFORE_MONTHS: Final = {
    month: _words("before_months", of=code)
    for code in languages()
    for month in _words("months_or_words", of=code)
}
_BEFORE_YEARS: Final = _words("before_years")
_HYPHENS: Final = frozenset("-–—~")
_UP_TO: Final = _words("up_to")
_FROM: Final = _words("from")
_BETWEEN: Final = _words("between")
_BETWEEN_JOINT: Final = _words("between_joint")
#: Phrases before a number that tell a bound.
BOUNDS: Final = {" ".join(phrase): name for name in ("at_least", "at_most") for phrase in phrases(name)}
_BOUND: Final = tuple(BOUNDS)
_HAN_WEEKDAY_HEADS: Final = tuple[str, ...](han("weekday_heads"))
#: Behind a number with the sign of a day: it is the number of a room or the like.
_HAN_NOT_DAYS: Final = frozenset[str](han("not_days"))
_HAN_ABOUT: Final = frozenset[str](han("about"))
_HAN_UP_TO: Final = frozenset[str](han("up_to"))
_BEGINNINGS: Final = frozenset(
    (*MONTHS, *WEEKDAYS, *HOURS, *NUMERALS, *(phrase[0] for phrase in MINUTES_BEFORE))
)
_HAN_BEGINNINGS: Final = frozenset(
    (*HAN_DIGITS, *(word[0] for word in (*_HAN_WEEKDAY_HEADS, *HAN_PARTS_OF_DAY)))
)

#: What tells a value in words that name none, alone, or up to so many words behind another: "twice a week".
_ALONE: Final = {
    ValueKind.FREQUENCY: _words("recurring") | _words("how_often"),
    ValueKind.DATE: _words("recurring") | _words("parts_of_time"),
    ValueKind.NUMBER: _words("how_many"),
}
_BEHIND: Final = (
    (_words("before_periods") | _words("times"), _words("periods"), (ValueKind.FREQUENCY, ValueKind.DATE)),
    (_words("before_occasions"), _words("occasions"), (ValueKind.DATE,)),
    (_words("before_none"), _words("none"), (ValueKind.NUMBER,)),
)
_BETWEEN_AT_MOST: Final = 3
_COLOURS: Final = worded("values", r"(?<!\w)(?:{colours})(?!\w)|{han_colours}", flags=0)
#: A number to call: of five digits and more, in groups or not, or any behind a word for one. And an address of mail.
_DIALLED: Final = re.compile(r"\d(?:[ ()/-]{0,3}\d){4}")
_DAY: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_CALLED: Final = worded("values", r"(?<!\w)(?:{calls})(?!\w)|{han_calls}", flags=0)
_ADDRESSED: Final = re.compile(r"[\w.+-]@\w[\w-]*\.\w")
#: Keys of numbers that measure no thing, and that of its mass; and what a number of which no more is known may be.
_UNMEASURED: Final = frozenset({"money", "u:time", "u:months", "u:percent", "u:degrees"})
_MASS: Final = "u:mass"
_ANY_NUMBER: Final = frozenset({ValueKind.NUMBER, ValueKind.SIZE, ValueKind.MASS})
_IN_HAN: Final = {
    ValueKind.FREQUENCY: worded("values", "{han_recurring}|{han_how_often}"),
    ValueKind.DATE: worded("values", "{han_recurring}|{han_parts_of_time}"),
    ValueKind.NUMBER: worded("values", "{han_how_many}"),
}


def tells_value(text: str, wanted: AbstractSet[ValueKind] = frozenset()) -> bool:
    """True if a text tells what is wanted: a colour, size, mass or contact; else a digit, or words for a value."""
    if wanted and wanted <= NAMED_KINDS:
        return not wanted.isdisjoint(kinds_told(text))
    return _DIGIT.search(text) is not None or not kinds_told(text) <= NAMED_KINDS


@kept(4096)
def kinds_told(text: str) -> frozenset[ValueKind]:
    """The kinds of values that a text tells, also in words that name none: "before bed", "every quarter", "several".

    A number counts where it stands in no date or time.
    """
    tokens = split(text)
    kinds, behind = set[ValueKind](), 0
    for start, end, value in values(tokens):
        kinds |= {value.kind, *_measured(value)}
        kinds |= _digits(tokens[behind:start])
        behind = end
    kinds |= _digits(tokens[behind:])
    return frozenset(kinds | _in_words(tokens, text))


def _in_words(tokens: Sequence[Token], text: str) -> set[ValueKind]:
    """The kinds of values that a text tells in words that name none."""
    folds = [token.fold for token in tokens]
    held = frozenset(folds)
    kinds = {kind for kind, alone in _ALONE.items() if not held.isdisjoint(alone)}
    for before, behind, some in _BEHIND:
        if not kinds.issuperset(some) and not held.isdisjoint(before) and not held.isdisjoint(behind):
            places = (at for at, fold in enumerate(folds) if fold in before)
            if any(not behind.isdisjoint(folds[at + 1 : at + 1 + _BETWEEN_AT_MOST]) for at in places):
                kinds.update(some)
    if _COLOURS.search(fold(text)):
        kinds.add(ValueKind.COLOUR)
    if _DIALLED.search(_DAY.sub("", text)) or (_DIGIT.search(text) and _CALLED.search(fold(text))):
        kinds.add(ValueKind.PHONE)
    if _ADDRESSED.search(text):
        kinds.add(ValueKind.MAIL)
    if any(token.shape is Shape.HAN for token in tokens):
        kinds.update(kind for kind, signs in _IN_HAN.items() if signs.search(text))
    return kinds


def _digits(tokens: Sequence[Token]) -> AbstractSet[ValueKind]:
    """A number where a digit stands in what is no value by itself: a version, a number to call, 1.80m."""
    return _ANY_NUMBER if any(map(_DIGIT.search, (token.text for token in tokens))) else frozenset()


def _measured(value: Value) -> AbstractSet[ValueKind]:
    """What a number may measure: "six" by itself may be an age, and "6" anything but a time or a price."""
    if value.kind is not ValueKind.NUMBER or value.key in _UNMEASURED:
        return frozenset()
    if value.key == _MASS:
        return {ValueKind.MASS}
    if value.key.startswith("u:"):
        return {ValueKind.SIZE}
    if _DIGIT.search(value.words):
        return {ValueKind.SIZE, ValueKind.MASS}
    return {ValueKind.SIZE} if value.key else frozenset()


def values(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Value]]:
    """Every value with the tokens that it takes up, from first to behind the last, in order."""
    at = 0
    tokens = _in_own_figures(tokens)
    while at < len(tokens):
        if not _may_begin(tokens[at]):
            at += 1
            continue
        reading = _date(tokens, at) or time_of_day(tokens, at) or _amount(tokens, at)
        if reading is None:
            at += 1
            continue
        end, value = reading
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
    return Value(ValueKind.DATE, "day", written(tokens, start, end), days=days)


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
    number = whole(tokens[at])
    after = at + 1
    if after < len(tokens) and tokens[after].fold in ORDINAL_ENDINGS:
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
    number = whole(tokens[at + 1]) if near else None
    if number is not None and 1 <= number <= 31 and _exists(None, month, number):
        end = at + 2
        if end < len(tokens) and tokens[end].fold in ORDINAL_ENDINGS:
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
    return month if company is None or near or folds_before(tokens, at) & company else None


def _is_weekday(tokens: Sequence[Token], at: int) -> bool:
    """True if a word that may be short for a weekday is one."""
    short = len(tokens[at].fold) <= 4 and tokens[at].fold.isascii()
    return not short or (tokens[at].capital and at > 0)


def _year(tokens: Sequence[Token], at: int) -> tuple[int | None, int]:
    """A year that stands here, and what comes behind it."""
    number = whole(tokens[at]) if at < len(tokens) else None
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
    known = end > at + 1 or bool(folds_before(tokens, at) & _BEFORE_YEARS)
    counts = end < len(tokens) and tokens[end].shape is Shape.WORD and tokens[end].fold not in STOP
    return (end, _day(tokens, at, end, Day(year=year))) if known and not counts else None


def _han_date(tokens: Sequence[Token], at: int) -> Found:
    """2024年5月3日, 5月3号, 五月三号, 5月."""
    parts: dict[str, int] = {}
    end = at
    for names in ("年", "月", "日号"):
        number, after = han_number(tokens, end)
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
        if signs(tokens, at, end) == name and end < len(tokens):
            weekday = HAN_WEEKDAYS.get(tokens[end].text)
            if weekday is not None:
                return end + 1, _day(tokens, at, end + 1, Day(weekday=weekday))
    return None


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
        ValueKind.NUMBER, key, written(tokens, start, end), low, high, currency=currency, noun=noun
    )


def _number(tokens: Sequence[Token], at: int) -> tuple[float | None, int]:
    """A number here with its scale, and what comes behind it."""
    if at >= len(tokens):
        return None, at
    if tokens[at].shape is Shape.NUMBER:
        number, end = figure(tokens[at].fold), at + 1
        if end < len(tokens) and tokens[end].text in HAN_DIGITS and HAN_DIGITS[tokens[end].text] >= 1000:
            return number * HAN_DIGITS[tokens[end].text], end + 1
    elif tokens[at].shape is Shape.HAN:
        number, end = han_number(tokens, at)
        if number is None or (end == at + 1 and not _counts(tokens, end)):
            return None, at
        return number, end
    else:
        number, end = number_words(tokens, at)
    if number is not None and end < len(tokens):
        scale = SCALES.get(tokens[end].fold)
        # A lone m is metres; M is millions.
        if scale is not None and (tokens[end].fold != "m" or tokens[end].text == "M"):
            return number * scale, end + 1
    return number, end


def _upper(tokens: Sequence[Token], start: int, end: int) -> tuple[float | None, int]:
    """The upper end of a range: 5–7, 5 to 7, between 5 and 7."""
    if end + 1 >= len(tokens):
        return None, end
    joint = tokens[end].fold
    ranged = joint in _HYPHENS | _HAN_UP_TO or (joint in _UP_TO and not _is_change(tokens, start))
    between = joint in _BETWEEN_JOINT and bool(folds_before(tokens, start) & _BETWEEN)
    if not (ranged or between):
        return None, end
    upper, after = _number(tokens, end + 1)
    hours = after < len(tokens) and tokens[after].fold in BEFORE_MINUTES  # "9 bis 17 Uhr" are times.
    return (None, end) if hours else (upper, after)


def _is_change(tokens: Sequence[Token], start: int) -> bool:
    """`from 5 to 7` behind a verb of change is no range."""
    return bool(folds_before(tokens, start) & _FROM)


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
        name = signs(tokens, at, at + length)
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
        signs(tokens, at, at + length) in HAN_UNITS for length in (1, 2, 3)
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
        or signs(tokens, start - 2, start) in _HAN_ABOUT
        or (start > 0 and tokens[start - 1].text in _HAN_ABOUT)
    ):
        return low - abs(low) * _ROUGHLY, high + abs(high) * _ROUGHLY
    return low, high
