"""Times as English names them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from simonides.language.calendar import spans
from simonides.language.calendar.numeric import NUMERIC, number, year_or_none
from simonides.language.calendar.rule import Grammar, Groups, Relation, Rule, Words
from simonides.language.calendar.spans import Part, Season, Span, Step, Unit

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STEPS: Final = {"last": Step.LAST, "past": Step.LAST, "this past": Step.LAST, "previous": Step.LAST}
_STEPS.update({"this": Step.THIS, "current": Step.THIS, "next": Step.NEXT, "coming": Step.NEXT})
_SEASONS: Final = {season.value: season for season in Season} | {"fall": Season.AUTUMN}
_NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        (
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen",
        ),
        1,
    )
} | {"a": 1, "an": 1}  # fmt: skip
_ORDINALS: Final = {
    word: value
    for value, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}

#: Full names, and those that are first names or ordinary words as well.
_CLEAR = "january|february|july|september|october|november|december"
_DOUBTFUL = "march|april|may|june|august"
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_WEEKDAY = f"({'|'.join(_WEEKDAYS)})"
_SEASON = "(spring|summer|autumn|fall|winter)"
_STEP = "(last|this past|this|next|past|previous|current|coming)"
_OTHER_YEAR = "(last|this|next) year"
_TH = "(?:st|nd|rd|th)"
_DAY = rf"(\d{{1,2}}){_TH}?"
_YEAR = r"((?:19|20)\d\d)"
_OF_YEAR = rf"(?:,? (?:of |in )?{_YEAR}(?!\d))"
_UNIT = "(minute|hour|day|week|weekend|month|quarter|year)s?"
_COUNT = rf"(\d{{1,4}}|(?:a )?couple(?: of)?|(?:a )?few|several|{'|'.join(_NUMBERS)})"
_DAY_PART = "(morning|afternoon|evening|night)"
#: Behind a name that may mean something else: the end of a clause, or a word that begins another one.
_CLEARED = (
    r"(?= *(?:[^\w ']|\Z)| (?:and|or|to|until|till|through|onwards?|with|at|in|on|about|for|did|do|does|was|were"
    r"|is|are|has|have|had|what|when|where|who|how|why|which|i|we|he|she|they|you|last|this|next)\b)"
)
_NAMED_MONTH = rf"(?:{'|'.join(_MONTHS)})\b"
#: Behind a day of the week, a date says which one: "Monday, 8 May".
_NO_DATE = (
    rf"(?!,? (?:the )?\d{{1,2}}{_TH}? (?:of )?{_NAMED_MONTH}|,? {_NAMED_MONTH}\.? (?:the )?\d{{1,2}}{_TH}?\b)"
)
#: "Monday the 8th", where no month follows.
_THE_NTH = rf"{_WEEKDAY},? (?:the (\d{{1,2}}){_TH}(?! (?:of )?{_NAMED_MONTH})|(\d{{1,2}}){_TH}{_CLEARED})"
#: "The last week of my holiday" is nobody's last week.
_NOT_OF = r"(?! of (?!the (?:month|year)\b))"


def _amount(group: str | None) -> tuple[int, int]:
    """Fewest and most that a word for a number means."""
    word = (group or "").removeprefix("a ").removesuffix(" of")
    vague = {"couple": (2, 2), "few": (2, 5), "several": (3, 7)}
    if word in vague:
        return vague[word]
    value = int(word) if word.isdecimal() else _NUMBERS[word or "a"]
    return value, value


def _day_then_month(found: Groups, now: datetime) -> Span:
    return _dated(found[1], number(found[0]), found[2], found[3], now)


def _month_then_day(found: Groups, now: datetime) -> Span:
    return _dated(found[0], number(found[1]), found[2], found[3], now)


def _dated(month: str | None, day: int, year: str | None, other_year: str | None, now: datetime) -> Span:
    return spans.date(now, _MONTHS[month or ""], day, year_or_none(year) or _other_year(other_year, now))


def _other_year(step: str | None, now: datetime) -> int | None:
    return now.year + {"last": -1, "this": 0, "next": 1}[step] if step else None


def _ordinal_of_month(found: Groups, now: datetime) -> Span:
    return spans.date(now, _MONTHS[found[1] or ""], _ORDINALS[found[0] or ""], year_or_none(found[2]))


def _days_of_month(
    first: str | None, last: str | None, month: str | None, year: str | None, now: datetime
) -> Span:
    end = spans.date(now, _MONTHS[month or ""], number(last), year_or_none(year))
    start = spans.date(end.start, _MONTHS[month or ""], number(first))
    return Span(start.start, end.end)


def _month_of(found: Groups, now: datetime) -> Span:
    year = year_or_none(found[1]) or _other_year(found[2], now)
    return spans.months(year or now.year, _MONTHS[found[0] or ""])


def _stepped_month(found: Groups, now: datetime) -> Span:
    return spans.month(now, _MONTHS[found[1] or ""], _STEPS[found[0] or ""])


def _latest_month(found: Groups, now: datetime) -> Span:
    return spans.month(now, _MONTHS[found[0] or ""])


def _nth_of_month(found: Groups, now: datetime) -> Span:
    year, unit = year_or_none(found[3]), found[1] or ""
    name = _MONTHS[found[2] or ""]
    whole = spans.month(now, name) if year is None else spans.months(year, name)
    which = _WEEKDAYS.index(unit) if unit in _WEEKDAYS else Unit(unit)
    return spans.in_month(whole, which, _ORDINALS.get(found[0] or "", -1))


def _week_of_date(found: Groups, now: datetime) -> Span:
    day = spans.date(now, _MONTHS[found[1] or ""], number(found[2]), year_or_none(found[3]))
    return spans.unit(day.start, Unit(found[0] or ""), 0)


def _near_day(found: Groups, now: datetime) -> Span:
    step = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1}
    step["the day after tomorrow"] = 2
    day = spans.unit(now, Unit.DAY, step[found[0] or ""])
    return day.part(Part(found[1])) if found[1] else day


def _this_part(found: Groups, now: datetime) -> Span:
    return spans.days(now).part(Part(found[0] or ""))


def _stepped(found: Groups, now: datetime) -> Span:
    return spans.stepped(now, Unit(found[1] or ""), _STEPS[found[0] or ""])


def _lately(found: Groups, now: datetime) -> Span:
    return spans.lately(now, Unit(found[1] or ""), _amount(found[0])[1])


def _ahead(found: Groups, now: datetime) -> Span:
    return spans.ahead(now, Unit(found[1] or ""), _amount(found[0])[1])


def _ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    if found[1]:
        most = max(most, _amount(found[1])[1])
    return spans.ago(now, Unit(found[2] or ""), min(fewest, most), most)


def _and_a_half_ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    if fewest != most:
        raise ValueError("a few and a half")
    return spans.half_more_ago(now, Unit(found[1] or ""), fewest)


def _weekday(found: Groups, now: datetime) -> Span:
    day = spans.weekday(now, _WEEKDAYS.index(found[1] or ""), _STEPS[found[0] or ""])
    return day.part(Part(found[2])) if found[2] else day


def _latest_weekday(found: Groups, now: datetime) -> Span:
    day = spans.weekday(now, _WEEKDAYS.index(found[0] or ""))
    return day.part(Part(found[1])) if len(found) > 1 and found[1] else day


def _weekday_of_week(day: str | None, step: str | None, now: datetime) -> Span:
    monday = spans.stepped(now, Unit.WEEK, _STEPS[step or ""]).start
    return spans.days(monday + timedelta(days=_WEEKDAYS.index(day or "")))


def _weekday_the_nth(found: Groups, now: datetime) -> Span:
    return spans.day_of_month(now, number(found[1] or found[2]), _WEEKDAYS.index(found[0] or ""))


def _season(found: Groups, now: datetime) -> Span:
    return spans.season(now, _SEASONS[found[1] or ""], _STEPS[found[0] or ""])


def _season_of(found: Groups, now: datetime) -> Span:
    year = year_or_none(found[1]) or _other_year(found[2], now)
    return spans.season_of(year or now.year, _SEASONS[found[0] or ""])


def _quarter(found: Groups, now: datetime) -> Span:
    first = 3 * number(found[0]) - 2
    if found[1]:
        return spans.months(number(found[1]), first, 3)
    start = spans.month(now, first).start
    return spans.months(start.year, start.month, 3)


def _measured(found: Groups, span: Span, back: bool) -> Span:
    """The time so far before or behind another: "the week" reaches up to it, "two weeks" is one so far away."""
    whole, count, unit = found
    if whole:
        start, end = spans.days(span.start).start, span.end
        reach = spans.lately(start, Unit(whole), 1) if back else spans.ahead(end, Unit(whole), 1)
        return Span(reach.start, start) if back else Span(end, reach.end)
    fewest, most = _amount(count)
    if back:
        return spans.ago(span.start, Unit(unit or ""), fewest, most)
    return spans.ago(span.start, Unit(unit or ""), -most, -fewest)


_RULES: Final = (
    *NUMERIC,
    Rule(
        rf"{_MONTH} {_DAY} ?(?:-|to|and|through|until) ?(?:the )?{_DAY}(?!\d){_OF_YEAR}?",
        lambda found, now: _days_of_month(found[1], found[2], found[0], found[3], now),
    ),
    Rule(
        rf"(?:the )?{_DAY} ?(?:-|to|and|through|until) ?(?:the )?{_DAY} (?:of )?{_MONTH}{_OF_YEAR}?",
        lambda found, now: _days_of_month(found[0], found[1], found[2], found[3], now),
    ),
    Rule(rf"the (week|weekend) of {_MONTH} {_DAY}(?!\d){_OF_YEAR}?", _week_of_date),
    Rule(
        rf"the ({'|'.join(_ORDINALS)}|last|final) (day|week|weekend|{'|'.join(_WEEKDAYS)}) (?:of|in) {_MONTH}"
        rf"{_OF_YEAR}?",
        _nth_of_month,
    ),
    Rule(rf"the ({'|'.join(_ORDINALS)}) of {_MONTH}{_OF_YEAR}?", _ordinal_of_month),
    # "At least 5 may come": a bare number before or behind such a month needs a clear end.
    Rule(rf"(?:the )?{_DAY} (?:of )?{_MONTH}(?:{_OF_YEAR}| (?:of )?{_OTHER_YEAR})", _day_then_month),
    Rule(rf"(?:the )?(\d{{1,2}})(?:{_TH} (?:of )?| of ){_MONTH}()()", _day_then_month),
    Rule(rf"(\d{{1,2}}) {_MONTH}()(){_CLEARED}", _day_then_month),
    Rule(rf"{_MONTH} (?:the )?{_DAY}(?![\d:%]|\.\d)(?:{_OF_YEAR}| (?:of )?{_OTHER_YEAR})", _month_then_day),
    Rule(rf"{_MONTH} (?:the )?(\d{{1,2}}){_TH}()()", _month_then_day),
    Rule(rf"{_MONTH} (\d{{1,2}})(?![\d:%]|\.\d)()(){_CLEARED}", _month_then_day),
    Rule(rf"{_MONTH}(?:{_OF_YEAR}| (?:of )?{_OTHER_YEAR})", _month_of),
    Rule(rf"(last|next|this past|this|past|previous) ({_CLEAR})", _stepped_month),
    Rule(rf"(last|next|this past|this|past|previous) ({_DOUBTFUL}){_CLEARED}", _stepped_month),
    Rule("the day before last()", lambda _, now: spans.ago(now, Unit.DAY, 2)),
    Rule(
        "the (week|weekend|month|quarter|year) before last",
        lambda found, now: spans.unit(now, Unit(found[0] or ""), -2),
    ),
    Rule(rf"(the day before yesterday|yesterday|today|tomorrow|the day after tomorrow)(?: {_DAY_PART})?", _near_day),
    Rule("last night", lambda _, now: spans.unit(now, Unit.DAY, -1).part(Part.NIGHT)),
    Rule("tonight", lambda _, now: spans.days(now).part(Part.NIGHT)),
    Rule("this (morning|afternoon|evening)", _this_part),
    Rule(rf"{_STEP} week,? (?:on )?{_WEEKDAY}", lambda found, now: _weekday_of_week(found[1], found[0], now)),
    Rule(rf"{_WEEKDAY} (?:of )?{_STEP} week", lambda found, now: _weekday_of_week(found[0], found[1], now)),
    Rule(rf"(?:the )?(?:last|past|previous|recent) {_COUNT} {_UNIT}{_NOT_OF}", _lately),
    Rule(rf"(?:the )?(?:next|coming) {_COUNT} {_UNIT}{_NOT_OF}", _ahead),
    Rule(rf"the (?:last|past)() (day|week|month|quarter|year){_NOT_OF}", _lately),
    Rule(rf"(?:past)() (day|week|month|quarter|year){_NOT_OF}", _lately),
    Rule(rf"{_STEP}[ _](week|weekend|month|quarter|year){_NOT_OF}", _stepped),
    Rule("half a year ago", lambda _, now: spans.ago(now, Unit.MONTH, 5, 7)),
    Rule("a fortnight ago()", lambda _, now: spans.ago(now, Unit.WEEK, 2)),
    Rule(rf"{_COUNT} {_UNIT} and a half ago", _and_a_half_ago),
    Rule(rf"{_COUNT} and a half {_UNIT} ago", _and_a_half_ago),
    Rule(rf"(?:the )?{_COUNT}(?:(?:-| or | to ){_COUNT})? {_UNIT}(?: or so| or two)? ago", _ago),
    # Of these there is a film and a superstition.
    Rule(rf"(?!friday (?:the )?13th){_THE_NTH}", _weekday_the_nth),
    Rule(_THE_NTH, _weekday_the_nth, bare=True),
    Rule(rf"{_STEP} {_WEEKDAY}(?: {_DAY_PART})?", _weekday),
    Rule(rf"{_WEEKDAY} {_DAY_PART}", _latest_weekday),
    Rule(rf"{_WEEKDAY}()(?='s\b)", _latest_weekday),
    Rule(
        rf"{_WEEKDAY}(?!(?: and \w+)? {_DAY_PART}s\b){_NO_DATE}",
        lambda found, now: _latest_weekday(found[:1], now),
        bare=True,
    ),
    Rule("(?:over|at|on|during) the weekend", lambda _, now: spans.weekend(now)),
    Rule(rf"{_STEP} {_SEASON}", _season),
    Rule(rf"(?:the )?{_SEASON}(?:{_OF_YEAR}| (?:of )?{_OTHER_YEAR})", _season_of),
    Rule(rf"(?:the )?{_SEASON}{_CLEARED}", lambda found, now: spans.season(now, _SEASONS[found[0] or ""]), bare=True),
    Rule(rf"q([1-4])(?:(?: of)?,? {_YEAR})", _quarter),
    Rule("q([1-4])()", _quarter, bare=True),
    Rule(
        r"(?:the )?(?:beginning|start)() of the (week|month|year)",
        lambda found, now: spans.unit(now, Unit(found[1] or ""), 0).part(Part.EARLY),
    ),
    Rule(r"the ((?:19|20)\d0)s", lambda found, _: spans.months(number(found[0]), 1, 120)),
    Rule(rf"the year {_YEAR}", lambda found, _: spans.months(number(found[0]), 1, 12)),
    Rule(
        rf"{_YEAR}(?![\d%]|[-.,/]\d| (?:people|steps|words|pages|items|times|dollars|euros|calories|days|users)\b)",
        lambda found, _: spans.months(number(found[0]), 1, 12),
        bare=True,
    ),
    Rule(
        rf"the (\d{{1,2}}){_TH}(?= *(?:[^\w ]|\Z))",
        lambda found, now: spans.day_of_month(now, number(found[0])),
        bare=True,
    ),
    Rule(rf"({_CLEAR})", _latest_month, bare=True),
    Rule(rf"(?:(?<=in )|(?<=since )|(?<=during ))({_DOUBTFUL})", _latest_month),
    Rule(rf"({_DOUBTFUL}){_CLEARED}", _latest_month, bare=True),
)  # fmt: skip

_WORDS: Final = Words(
    relations={
        Relation.SINCE: "(?:ever )?since(?: the)?",
        Relation.AFTER: "after(?: the)?|later than",
        Relation.BEFORE: "before(?: the)?|prior to|earlier than",
        Relation.UNTIL: "until(?: the)?|till|up to",
        Relation.IN: "(?:in|on|during|over|within|throughout|around|back in)(?: the)?",
    },
    parts={
        Part.FIRST_HALF: "(?:the )?first half of(?: the)?",
        Part.SECOND_HALF: "(?:the )?second half of(?: the)?",
        Part.EARLY: "early(?: in)?|(?:the )?(?:beginning|start) of(?: the)?",
        Part.MIDDLE: "mid-?|(?:the )?middle of(?: the)?",
        Part.LATE: "late(?: in)?|(?:the )?end of(?: the)?",
    },
    after={Relation.SINCE: "onwards?|(?:and|or) later", Relation.BEFORE: "(?:and|or) earlier"},
    joins=r"-|—|/|\.\.|to (?:the )?|until |till |through ",
    between="between(?: the)?|from(?: the)?",
    ends="and (?:the )?|& ",
    never="every|each|per|any|most|some|all|other|good|black|ash|palm|super|many",
    also="and|or|&",
    anchors="before|on|as of",
    measure=f"the (day|week|month|year)|{_COUNT} {_UNIT}",
    measured=_measured,
)

ENGLISH: Final = Grammar(
    _RULES,
    _WORDS,
    r"\d|today|yesterday|tomorrow|night|this |day|week|month|year|quarter|hour|minute|spring|summer|autumn|fall"
    rf"|winter|q[1-4]|{_CLEAR}|{_DOUBTFUL}|sept|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b",
    r"\d|the |today|tomorrow|tonight|yesterday|last|this |next|past|previous|recent|current|coming|half a|over the"
    r"|at the|on the|during the|q[1-4]|beginning|start|spring|summer|autumn|fall|winter|couple|few|several"
    rf"|(?:{'|'.join((*_MONTHS, *_NUMBERS))})\b|(?:{'|'.join(_WEEKDAYS)})",
)
