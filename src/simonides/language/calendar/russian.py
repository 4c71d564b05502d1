"""Times as Russian names them, in the cases in which they are named."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from simonides.language.calendar import spans
from simonides.language.calendar.numeric import NUMERIC, number, year_or_none
from simonides.language.calendar.rule import Grammar, Groups, Relation, Rule, Words
from simonides.language.calendar.spans import Part, Season, Span, Step, Unit

#: Stems; the endings differ by case.
_MONTHS: Final = ("янв", "фев", "мар", "апр", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек")
_MONTH = (
    "(январ[ьяе]|феврал[ьяе]|март[ае]?|апрел[ьяе]|ма[йяе]|июн[ьяе]|июл[ьяе]|август[ае]?|сентябр[ьяе]|октябр[ьяе]"
    "|ноябр[ьяе]|декабр[ьяе])"
)
_WEEKDAYS: Final = ("пон", "вто", "сре", "чет", "пят", "суб", "вос")
_WEEKDAY = (
    "(понедельник[аеу]?|вторник[аеу]?|сред[ауые]|четверг[ае]?|пятниц[ауые]|суббот[ауые]|воскресень[еяю])"
)
_SEASONS: Final = {"ле": Season.SUMMER, "ве": Season.SPRING, "ос": Season.AUTUMN, "зи": Season.WINTER}
_SEASON = "(летом|весной|осенью|зимой)"
_UNITS: Final = {
    "мин": Unit.MINUTE, "час": Unit.HOUR, "дн": Unit.DAY, "ден": Unit.DAY, "сут": Unit.DAY, "нед": Unit.WEEK,
    "мес": Unit.MONTH, "год": Unit.YEAR, "лет": Unit.YEAR, "вых": Unit.WEEKEND, "ква": Unit.QUARTER,
}  # fmt: skip
_UNIT = (
    "(минут[ыу]?|час(?:а|ов)?|дн[яейи]{1,2}|день|суток|недел[ьюяией]{1,2}|месяц(?:а|ев|ы)?|год[ау]?|лет"
    "|выходны[ех]|квартал(?:а|ов)?)"
)
_NUMBERS: Final = {
    "од": 1, "два": 2, "две": 2, "дву": 2, "пар": 2, "три": 3, "тре": 3, "чет": 4, "пят": 5, "шес": 6, "сем": 7,
    "вос": 8, "дев": 9, "дес": 10,
}  # fmt: skip
_COUNT = (
    r"(\d{1,4}|одну|один|два|две|пару|три|четыре|пять|шесть|семь|восемь|девять|десять|несколько|двух|трех)"
)
_DAY_PARTS: Final = {
    "утром": Part.MORNING,
    "днем": Part.AFTERNOON,
    "вечером": Part.EVENING,
    "ночью": Part.NIGHT,
}
_DAY_PART = "(утром|днем|вечером|ночью)"
_OF_YEAR = r"(?:(\d{4})(?: ?(?:года|году|год|г\b\.?))?|(прошлого|этого|следующего|будущего) года)"
_LAST = (
    "прошл(?:ый|ая|ое|ые|ого|ой|ом|ую|ых|ым|ыми)|минувш(?:ий|ая|ую|ей|ем|ие|их)|предыдущ(?:ий|ую|ей|ем|ие|их)"
)
_THIS = "эт(?:от|а|у|ой|ом|и|их|о|ими|им)|текущ(?:ий|ей|ем|ую)"
_NEXT = "следующ(?:ий|ая|ую|ей|ем|ие|их|ее|его)|будущ(?:ий|ей|ем|ую|ие|их|его)"
_STEP = f"({_LAST}|{_THIS}|{_NEXT})"


def _stem(group: str | None, stems: dict[str, Unit]) -> Unit:
    return next(unit for stem, unit in stems.items() if (group or "").startswith(stem))


def _unit(group: str | None) -> Unit:
    return _stem(group, _UNITS)


def _step(group: str | None) -> Step:
    first = (group or "")[:2]
    return Step.LAST if first in ("пр", "ми") else Step.NEXT if first in ("сл", "бу") else Step.THIS


def _month_number(group: str | None) -> int:
    stem = (group or "")[:3]
    return 5 if stem in ("мая", "мае") else _MONTHS.index(stem) + 1


def _weekday_number(group: str | None) -> int:
    return _WEEKDAYS.index((group or "")[:3])


def _season_named(group: str | None) -> Season:
    return _SEASONS[(group or "")[:2]]


def _amount(group: str | None) -> tuple[int, int]:
    """Fewest and most that a word for a number means; none is one."""
    word = group or "один"
    if word == "несколько":
        return 2, 5
    value = int(word) if word.isdecimal() else _NUMBERS[word[:2] if word.startswith("од") else word[:3]]
    return value, value


def _year(figures: str | None, named: str | None, now: datetime) -> int | None:
    if named is not None:
        return now.year + {Step.LAST: -1, Step.NEXT: 1}.get(_step(named), 0)
    return year_or_none(figures)


def _date(found: Groups, now: datetime) -> Span:
    return spans.date(now, _month_number(found[1]), number(found[0]), _year(found[2], found[3], now))


def _days_of_month(found: Groups, now: datetime) -> Span:
    month = _month_number(found[2])
    end = spans.date(now, month, number(found[1]), _year(found[3], found[4], now))
    return Span(spans.date(end.start, month, number(found[0])).start, end.end)


def _month_of(found: Groups, now: datetime) -> Span:
    return spans.months(_year(found[1], found[2], now) or now.year, _month_number(found[0]))


def _near_day(found: Groups, now: datetime) -> Span:
    step = {"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2}[found[0] or ""]
    day = spans.unit(now, Unit.DAY, step)
    return day.part(_DAY_PARTS[found[1]]) if found[1] else day


def _stepped(found: Groups, now: datetime) -> Span:
    return spans.stepped(now, _unit(found[1]), _step(found[0]))


def _ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    return spans.ago(now, _unit(found[1]), fewest, most)


def _lately(found: Groups, now: datetime) -> Span:
    return spans.lately(now, _unit(found[1]), _amount(found[0])[1])


def _weekday(found: Groups, now: datetime) -> Span:
    return spans.weekday(now, _weekday_number(found[1]), _step(found[0]))


def _latest_weekday(found: Groups, now: datetime) -> Span:
    day = spans.weekday(now, _weekday_number(found[0]))
    return day.part(_DAY_PARTS[found[1]]) if found[1] else day


def _season_of(found: Groups, now: datetime) -> Span:
    return spans.season_of(_year(found[1], found[2], now) or now.year, _season_named(found[0]))


_RULES: Final = (
    *NUMERIC,
    Rule(
        rf"(?:с |между )?(\d{{1,2}})(?:-?го)? ?(?:-|по|до|и) ?(\d{{1,2}})(?:-?го)? {_MONTH}(?: {_OF_YEAR})?",
        _days_of_month,
    ),
    Rule(rf"(\d{{1,2}})(?:-?го|-?е)? {_MONTH}(?: {_OF_YEAR})?", _date),
    Rule(rf"{_MONTH} {_OF_YEAR}", _month_of),
    Rule(rf"{_STEP} {_MONTH}", lambda found, now: spans.month(now, _month_number(found[1]), _step(found[0]))),
    Rule(_MONTH, lambda found, now: spans.month(now, _month_number(found[0])), bare=True),
    Rule(rf"(позавчера|вчера|сегодня|завтра|послезавтра)(?: {_DAY_PART})?", _near_day),
    Rule("эт(?:им|ой) (утром|вечером|ночью)", lambda found, now: spans.days(now).part(_DAY_PARTS[found[0] or ""])),
    Rule("прошлой ночью", lambda _, now: spans.unit(now, Unit.DAY, -1).part(Part.NIGHT)),
    Rule(
        "позапрошл(?:ой|ую|ом|ый) (недел[еюя]|месяц[еа]?|год[у]?)",
        lambda found, now: spans.unit(now, _unit(found[0]), -2),
    ),
    Rule(rf"{_STEP} (недел[еюяи]|месяц[еа]?|год[уа]?|выходны[ех]|квартал[еа]?)", _stepped),
    Rule(rf"последн(?:ие|их|юю|ий|ее|яя|ем|ей) (?:{_COUNT} )?{_UNIT}", _lately),
    Rule(rf"(?:{_COUNT} )?{_UNIT} (?:тому )?назад", _ago),
    Rule(
        rf"полтор[аы] {_UNIT} (?:тому )?назад",
        lambda found, now: spans.half_more_ago(now, _unit(found[0]), 1),
    ),
    Rule("полгода (?:тому )?назад", lambda _, now: spans.ago(now, Unit.MONTH, 5, 7)),
    Rule(rf"{_STEP} {_WEEKDAY}", _weekday),
    Rule(rf"{_WEEKDAY}(?: {_DAY_PART})?", _latest_weekday, bare=True),
    Rule("на выходных|в выходные", lambda _, now: spans.weekend(now)),
    Rule(rf"{_SEASON} {_OF_YEAR}", _season_of),
    Rule(
        rf"(прошлым|прошлой|этим|этой|следующим|следующей) {_SEASON}",
        lambda found, now: spans.season(now, _season_named(found[1]), _step(found[0])),
    ),
    Rule(_SEASON, lambda found, now: spans.season(now, _season_named(found[0]))),
    Rule(r"((?:19|20)\d\d)(?:-?м)? ?(?:год[ауе]?|г\b\.?)", lambda found, _: spans.months(number(found[0]), 1, 12)),
    Rule(
        r"((?:19|20)\d\d)(?:-?м)?(?![\d%]|[-.,/]\d)(?= *(?:[^\w ]|\Z))",
        lambda found, _: spans.months(number(found[0]), 1, 12),
        bare=True,
    ),
)  # fmt: skip

_WORDS: Final = Words(
    relations={
        Relation.SINCE: "со?|начиная со?|от",
        Relation.AFTER: "после",
        Relation.BEFORE: "до|перед",
        Relation.UNTIL: "по|к|вплоть до",
        Relation.IN: "во?|на|за|в течение",
    },
    parts={
        Part.FIRST_HALF: "(?:в )?перв(?:ой|ая|ую) половин[еау]",
        Part.SECOND_HALF: "(?:во )?втор(?:ой|ая|ую) половин[еау]",
        Part.EARLY: "(?:в )?начал[еао]",
        Part.MIDDLE: "(?:в )?середин[еауы]",
        Part.LATE: "(?:в )?кон(?:це|ца|ец)",
    },
    after={},
    joins=r"-|—|/|\.\.|по ",
    between="между|со?|от",
    ends="и |до ",
    never="кажд(?:ый|ую|ая|ое|ой|ом)|по|в одно(?:м|й) из",
    also="и|или",
)

RUSSIAN: Final = Grammar(
    _RULES,
    _WORDS,
    r"\d|вчера|сегодня|завтра|этим|этой|ночью|назад|недел|месяц|год|выходны|последн|летом|весной|осенью|зимой|квартал"
    rf"|{_MONTH}|{_WEEKDAY}",
    r"\d|с |между |янв|фев|мар|апр|ма[йяе]|ию[нл]|авг|сен|окт|ноя|дек|понед|втор|сред|четв|пят|суб|воск|позавч|вчера"
    r"|сегод|завтра|послезавтра|эт|тек|прош|мин|пред|след|будущ|позапрош|послед|полгода|полтор|на вых|в вых|лет|вес"
    r"|осен|зим|час|дн|день|суток|нед|мес|год|квартал|одну|один|дв|пару|тр|шесть|семь|восемь|девять|десять|несколько",
)
