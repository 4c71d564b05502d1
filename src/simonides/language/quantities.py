"""Numerals, units, currencies, months and weekdays, by the words for them."""

from __future__ import annotations

from typing import Final

from simonides.language.tables import han, languages, pairs, section, table, words
from simonides.language.tokens import folded


def _numbered(name: str, first: int) -> dict[str, int]:
    """Words of the calendar by their place in a list; bars separate the forms of one."""
    return {
        folded(form): number
        for table in section("calendar")
        for number, forms in enumerate(table.get(name, ()), first)
        for form in forms.split("|")
        if form
    }


def _valued(name: str) -> dict[str, float]:
    """Words by the number that they stand for."""
    return {
        folded(form): float(value)
        for table in section(name)
        for value, forms in table.items()
        if isinstance(forms, str)
        for form in forms.split()
    }


MONTHS: Final = _numbered("months", 1)
#: Months of the languages that write a full stop behind the number of a day.
MONTHS_BEHIND_ORDINALS: Final = frozenset(
    folded(form)
    for table in section("calendar")
    if table.get("ordinal_stop")
    for forms in table["months"]
    for form in forms.split("|")
)
WEEKDAYS: Final = _numbered("weekdays", 0) | _numbered("weekday_forms", 0)
HAN_WEEKDAYS: Final = {sign: number for number, signs in enumerate(han("weekdays")) for sign in signs}
YEAR_WORDS: Final = words("year")
#: Hours that have a name, in minutes.
HOURS: Final[dict[str, int]] = {
    folded(word): minutes for table in section("calendar") for word, minutes in table.get("hours", {}).items()
}


def _joined() -> dict[str, float]:
    """Numbers up to 999, and 2 to 99 thousand, of languages that write them as one word."""
    joined: dict[str, float] = {}
    for code in languages():
        if not (parts := table(code, "joined_numerals")):
            continue
        small = {int(value): folded(forms.split()[0]) for value, forms in table(code, "numerals").items()}
        small = {number: form for number, form in small.items() if number < 100} | {11: parts["eleven"]}
        digits = {1: parts["one"]} | {number: small[number] for number in range(2, 10)}
        tens = {
            ten + digit: f"{form}{parts['and']}{small[ten]}"
            for ten in range(20, 100, 10)
            for digit, form in digits.items()
        }
        below = small | tens
        joined |= {form: float(number) for number, form in tens.items()}
        joined |= {
            f"{form}{parts['hundred']}{rest}": 100.0 * digit + number
            for digit, form in ((1, ""), *digits.items())
            for number, rest in ({0: ""} | below).items()
        }
        joined |= {
            f"{form}{parts['thousand']}": 1000.0 * number for number, form in below.items() if number > 1
        }
    return joined


NUMERALS: Final = _joined() | _valued("numerals")
#: Languages in which a full stop groups the digits of a number, and a comma begins its decimals.
GROUPED_BY_STOPS: Final = frozenset(
    code for code in languages() if table(code, "figures").get("grouped_by_stops")
)
#: What multiplies a number that stands in figures before it.
SCALES: Final = _valued("scales")
HAN_DIGITS: Final[dict[str, float]] = {sign: float(value) for sign, value in pairs(han("numerals"))}
#: Chinese measure words.
COUNTERS: Final = frozenset[str](han("counters"))

#: Each unit's dimension, and its factor to that dimension's own unit.
UNITS: Final = {
    folded(form): (dimension, float(factor))
    for table in section("units")
    for dimension, factors in table.items()
    for factor, forms in factors.items()
    for form in forms.split()
}
CURRENCIES: Final = {
    folded(form): code
    for table in section("currencies")
    for code, forms in table.items()
    for form in forms.split()
} | {"¥": ""}
#: Key, factor and currency of Chinese units.
HAN_UNITS: Final = {
    unit: (key, float(factor), "".join(currency))
    for unit, key, factor, *currency in (line.split() for line in tuple[str, ...](han("units")))
}

ABOUT: Final = words("about") | {"~", "≈"}
AT_LEAST: Final = words("at_least") | {">", "≥"}
AT_MOST: Final = words("at_most") | {"<", "≤"}
