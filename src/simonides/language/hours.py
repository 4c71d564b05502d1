"""Times of day in running text: 3 pm, half past three, um drei Uhr, в 3 часа дня, 下午3点半."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from simonides.language.figures import han_number, number_words, signs, whole, written
from simonides.language.quantities import CURRENCIES, HOURS
from simonides.language.tables import han, section, words
from simonides.language.tokens import Shape, Token, folded
from simonides.language.value import Found, Value, ValueKind
from simonides.language.words import STOP

_words: Final = partial(words, among="values")


def _minutes(name: str) -> dict[tuple[str, ...], int]:
    """Minutes that words beside an hour add to it."""
    return {
        tuple(map(folded, phrase.split())): minutes
        for some in section("values")
        for phrase, minutes in some.get(name, {}).items()
    }


#: Stand before an hour: at three, um drei, a las tres.
_BEFORE_HOURS: Final = _words("before_hours")
_O_CLOCK: Final = _words("oclock")
#: Before an hour, half past; behind it, y media.
MINUTES_BEFORE: Final = _minutes("minutes_before")
_MINUTES_BEHIND: Final = _minutes("minutes_behind")
BEFORE_MINUTES: Final = _words("before_minutes")
#: Words for an hour, and what stands before one that is told with them: в 3 часа, à 3 heures.
_HOUR_WORDS: Final = _words("hours")
_BEFORE_HOUR_WORDS: Final = _words("before_hour_words")
_SPANISH_ARTICLE: Final = _words("before_hours", of="es")
_BEFORE_ARTICLE: Final = _words("before_article")
#: Tell which half of the day an hour is of, behind it.
_LATE: Final = _words("late")
_EARLY: Final = _words("early")
_BEFORE_PARTS: Final = _words("before_parts_of_day")
_HAN_LATE: Final = frozenset[str](han("late"))
HAN_PARTS_OF_DAY: Final = _HAN_LATE.union(han("early"))
#: Behind a number with the sign of an hour: it counts reviews or clicks.
_HAN_NOT_HOURS: Final = frozenset[str](han("not_hours"))


def time_of_day(tokens: Sequence[Token], at: int) -> Found:
    """The time of day that begins at a token; None where none does."""
    token = tokens[at]
    if token.shape is Shape.CLOCK:
        hour, minute = (int(part) for part in token.fold.replace(" ", "").replace("h", ":").split(":")[:2])
        if hour > 23:
            return None
        end = at + 1
        if end < len(tokens) and tokens[end].fold in BEFORE_MINUTES:
            end += 1
        if (part := _part_of_day(tokens, end)) is not None and hour <= 12:
            return _clock(tokens, at, part[1], hour + 12 * (part[0] and hour < 12), minute, sure=True)
        return _clock(tokens, at, end, hour, minute, sure=hour > 8 or token.text.startswith("0"))
    if token.shape is Shape.HAN:
        return _han_time(tokens, at)
    if token.shape is Shape.WORD and (minutes := HOURS.get(token.fold)) is not None:
        return at + 1, Value(ValueKind.DATE, "time", token.text, low=minutes, high=minutes)
    if (spoken := _spoken(tokens, at)) is not None:
        return spoken
    number, end = number_words(tokens, at)
    if token.shape is Shape.NUMBER:
        number, end = whole(token), at + 1
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
    if following in BEFORE_MINUTES:
        minute = whole(tokens[end + 1]) if end + 1 < len(tokens) else None
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
    """True if the half of the day behind an hour is the second, and the place behind it; None if none is told."""
    place = end
    while place < min(end + 2, len(tokens)) and tokens[place].fold in _BEFORE_PARTS:
        place += 1
    part = tokens[place].fold if place < len(tokens) else ""
    return (part in _LATE, place + 1) if part in _LATE | _EARLY else None


def _spoken(tokens: Sequence[Token], at: int) -> Found:
    """Half past three, quarter to four, halb vier, Viertel vor vier."""
    for length in (1, 2):
        minutes = MINUTES_BEFORE.get(tuple(token.fold for token in tokens[at : at + length]))
        first = at + length
        if minutes is None or first >= len(tokens):
            continue
        hour, end = number_words(tokens, first)
        if tokens[first].shape is Shape.NUMBER:
            hour, end = whole(tokens[first]), first + 1
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
        ValueKind.DATE, "time", written(tokens, at, end), low=minutes, high=minutes, others=others
    )


def _half(tokens: Sequence[Token], at: int, end: int, hour: int, minute: int, half: str) -> Found:
    minutes = float((hour % 12 + 12 * (half == "pm")) * 60 + minute)
    return end + 1, Value(ValueKind.DATE, "time", written(tokens, at, end + 1), low=minutes, high=minutes)


def _han_time(tokens: Sequence[Token], at: int) -> Found:
    """下午3点半, 三点, 15点30分."""
    part, start = "", at
    if (name := signs(tokens, at, at + 2)) in HAN_PARTS_OF_DAY:
        part, start = name, at + 2
    if start < len(tokens) and tokens[start].shape is Shape.CLOCK and part:
        time = time_of_day(tokens, start)
        late = part in _HAN_LATE and time is not None and time[1].low < 720
        if time is not None:
            minutes = time[1].low + 720 * late
            return time[0], Value(
                ValueKind.DATE, "time", written(tokens, at, time[0]), low=minutes, high=minutes
            )
    hour, end = han_number(tokens, start)
    if hour is None or end >= len(tokens) or tokens[end].text not in "点點时" or not 0 <= hour <= 24:
        return None
    if tokens[end].text == "点" and end + 1 < len(tokens) and tokens[end + 1].text in _HAN_NOT_HOURS:
        return None
    end += 1
    minute = 0
    if end < len(tokens) and tokens[end].text == "半":
        minute, end = 30, end + 1
    else:
        number, after = han_number(tokens, end)
        if number is not None and after < len(tokens) and tokens[after].text == "分":
            minute, end = int(number), after + 1
    late = part in _HAN_LATE and hour < 12
    return _clock(tokens, at, end, int(hour) + 12 * late, minute, sure=bool(part) or hour > 11)
