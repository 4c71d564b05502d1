"""Times as Chinese names them. Its words are not separated: what a longer word holds must not count."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from simonides.language.calendar import spans
from simonides.language.calendar.numeric import NUMERIC
from simonides.language.calendar.rule import Grammar, Groups, Relation, Rule, Words
from simonides.language.calendar.spans import Part, Season, Span, Step, Unit

_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
    "俩": 2,
}
_SEASONS: Final = {"春": Season.SPRING, "夏": Season.SUMMER, "秋": Season.AUTUMN, "冬": Season.WINTER}
_WEEKDAYS: Final = {day: value for value, day in enumerate("一二三四五六")} | {"日": 6, "天": 6}
_DAY_PARTS: Final = {
    "早": Part.MORNING, "上": Part.MORNING, "下": Part.AFTERNOON, "中": Part.AFTERNOON, "晚": Part.EVENING,
    "傍": Part.EVENING, "夜": Part.NIGHT, "凌": Part.NIGHT,
}  # fmt: skip
_DAYS: Final = {"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "后天": 2}
_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1}
_UNITS: Final = {
    "分钟": Unit.MINUTE, "小时": Unit.HOUR, "钟头": Unit.HOUR, "天": Unit.DAY, "日": Unit.DAY, "周": Unit.WEEK,
    "星期": Unit.WEEK, "礼拜": Unit.WEEK, "月": Unit.MONTH, "年": Unit.YEAR, "季度": Unit.QUARTER,
}  # fmt: skip

_NUMBER = r"\d{1,4}|[一二两三四五六七八九十]{1,3}"
_COUNT = rf"({_NUMBER}|几|好几|数)"
_YEAR = "((?:19|20)\\d\\d|[一二][零〇一二三四五六七八九]{3})"
_OTHER_YEAR = f"({'|'.join(_YEARS)})"
_OF_YEAR = f"(?:(?:{_YEAR} ?年|{_OTHER_YEAR}) ?的?)"
_MONTH = r"(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]) ?月"
_DAY = r"(\d{1,2}|[一二三四五六七八九十]{1,3}) ?(?:日|号)"
_WEEK = "(?:个)?(?:周|星期|礼拜)"
_STEP = "(上|这|本|下)"
_UNIT = "(?:个)?(分钟|小时|钟头|天|日|周|星期|礼拜|月|年|季度)"
_DAY_PART = "(早上|早晨|上午|中午|下午|傍晚|晚上|夜里|凌晨|晚(?![饭餐会宴]))"
_SEASON = "([春夏秋冬])(?:天|季)"
_EDGE = "(初|上旬|中旬|下旬|底|末)"
_EDGES: Final = {
    "初": Part.EARLY, "上旬": Part.EARLY, "中旬": Part.MIDDLE, "下旬": Part.LATE, "底": Part.LATE, "末": Part.LATE,
}  # fmt: skip


def _value(word: str) -> int:
    """A number below 100 in figures or characters; of a year each character is a figure.

    Raises:
        ValueError: The characters make no number: 十十.
    """
    if word.isdecimal():
        return int(word)
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return int("".join(str(_DIGITS[character]) for character in word))
    if "十" in tens or len(tens) > 1 or len(ones) > 1:
        raise ValueError(f"{word} is no number")
    return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)


def _amount(group: str | None) -> tuple[int, int]:
    """Fewest and most that a word for a number means."""
    if group in ("几", "好几", "数"):
        return (2, 5) if group == "几" else (3, 7)
    value = _value(group or "一")
    return value, value


def _step(group: str | None) -> Step:
    return {"上": Step.LAST, "下": Step.NEXT}.get(group or "", Step.THIS)


def _year(figures: str | None, named: str | None, now: datetime) -> int | None:
    if figures:
        return _value(figures)
    return now.year + _YEARS[named] if named else None


def _part(group: str | None, day: Span) -> Span:
    return day.part(_DAY_PARTS[group[0]]) if group else day


def _date(found: Groups, now: datetime) -> Span:
    year, month, day = _year(found[0], found[1], now), _value(found[2] or ""), _value(found[3] or "")
    return _part(found[4], spans.date(now, month, day, year))


def _days_of_month(found: Groups, now: datetime) -> Span:
    month = _value(found[2] or "")
    end = spans.date(now, month, _value(found[4] or ""), _year(found[0], found[1], now))
    return Span(spans.date(end.start, month, _value(found[3] or "")).start, end.end)


def _month(found: Groups, now: datetime) -> Span:
    year, month = _year(found[0], found[1], now), _value(found[2] or "")
    whole = spans.month(now, month) if year is None else spans.months(year, month)
    return whole.part(_EDGES[found[3]]) if found[3] else whole


def _whole_year(found: Groups, now: datetime) -> Span:
    whole = spans.months(_year(found[0], found[1], now) or now.year, 1, 12)
    edge = found[2]
    if edge is None:
        return whole
    parts = {"上半年": Part.FIRST_HALF, "下半年": Part.SECOND_HALF, "年初": Part.EARLY, "初": Part.EARLY}
    return whole.part(parts.get(edge, Part.LATE))


def _near_day(found: Groups, now: datetime) -> Span:
    return _part(found[1], spans.unit(now, Unit.DAY, _DAYS[found[0] or ""]))


def _near_part(found: Groups, now: datetime) -> Span:
    day = spans.unit(now, Unit.DAY, -1 if found[0] == "昨" else 0)
    return _part(found[1], day)


def _weekday(found: Groups, now: datetime) -> Span:
    weeks = -len(found[0] or "") if (found[0] or "").startswith("上") else int(found[0] == "下")
    monday = spans.week(now, weeks).start
    return _part(found[2], spans.days(monday + timedelta(days=_WEEKDAYS[found[1] or ""])))


def _latest_weekday(found: Groups, now: datetime) -> Span:
    return _part(found[1], spans.weekday(now, _WEEKDAYS[found[0] or ""]))


def _ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    if found[1]:
        most = max(most, _amount(found[1])[1])
    return spans.ago(now, _UNITS[found[2] or ""], min(fewest, most), most)


def _lately(found: Groups, now: datetime) -> Span:
    return spans.lately(now, _UNITS[found[1] or ""], _amount(found[0])[1])


def _season(found: Groups, now: datetime) -> Span:
    year, season = _year(found[0], found[1], now), _SEASONS[found[2] or ""]
    return spans.season(now, season) if year is None else spans.season_of(year, season)


_RULES: Final = (
    *NUMERIC,
    Rule(rf"(?<!\d){_OF_YEAR}?(?<![\d个]){_MONTH} ?{_DAY}(?:-|到|至) ?{_DAY}", _days_of_month),
    Rule(rf"(?<!\d){_OF_YEAR}?(?<![\d个]){_MONTH} ?{_DAY}{_DAY_PART}?", _date),
    # 三个月 is a length of time, 五月天 a band.
    Rule(rf"(?<!\d){_OF_YEAR}?(?<![\d个半几十每]){_MONTH}(?:份)?的?{_EDGE}?(?![天季亮饼]|[一二两三几\d]+次)", _month),
    Rule(rf"(?<!\d){_OF_YEAR}{_SEASON}(?!人)", _season),
    Rule(rf"()(){_SEASON}(?!人)", _season, bare=True),
    Rule(rf"(?<!\d){_YEAR}() ?年(上半年|下半年|年?初|年?底|年?末)?", _whole_year),
    Rule(rf"(?<!\d)(){_OTHER_YEAR}的?(上半年|下半年|年?初|年?底|年?末)?", _whole_year),
    # 目前天气, 以后天天: the characters of a day that is none.
    Rule(rf"(?<![目之以从])(大前天|前天)的?{_DAY_PART}?", _near_day),
    Rule(rf"(昨天|昨日|今天|今日|明天)的?{_DAY_PART}?", _near_day),
    Rule(rf"(?<![以之然背])(后天)的?{_DAY_PART}?", _near_day),
    Rule("(昨|今)(晚|早|夜)(?:上)?", _near_part),
    Rule(
        rf"{_STEP}{_WEEK}末|{_STEP}个?周末|(周末)",
        lambda found, now: spans.weekend(now, Step.LATEST if found[2] else _step(found[0] or found[1])),
    ),
    Rule(rf"(上上|上|这|本|下){_WEEK}([一二三四五六日天])(?!个){_DAY_PART}?", _weekday),
    Rule(rf"上上{_WEEK}()", lambda _, now: spans.week(now, -2)),
    Rule(rf"(?<!马){_STEP}{_WEEK}", lambda found, now: spans.stepped(now, Unit.WEEK, _step(found[0]))),
    Rule(
        rf"(?<![每一二三四五六七八九十\d个])(?:周|星期|礼拜)([一二三四五六日天])(?![个年岁]){_DAY_PART}?",
        _latest_weekday,
    ),
    Rule("上上个?月()", lambda _, now: spans.unit(now, Unit.MONTH, -2)),
    Rule(
        rf"{_STEP}个?月{_EDGE}?(?![天季亮饼])",
        lambda found, now: _with_edge(found[1], spans.stepped(now, Unit.MONTH, _step(found[0]))),
    ),
    Rule("(上|这|本|下)个?季度", lambda found, now: spans.stepped(now, Unit.QUARTER, _step(found[0]))),
    Rule(
        "(?<![0-9零〇一二两三四五六七八九十])([1-9]|[一两二三四五六七八九])(年)半(?:之|以)?前",
        lambda found, now: spans.half_more_ago(now, _UNITS[found[1] or ""], _amount(found[0])[0]),
    ),
    Rule("半年()(?:之|以)?前", lambda _, now: spans.ago(now, Unit.MONTH, 5, 7)),
    Rule(
        rf"{_COUNT}(?:(?:到|至|-|、)?(\d{{1,4}}|[一二两三四五六七八九十])(?=[个天周年星礼小]))? ?{_UNIT}(?:之|以)?前"
        "(?![后往])",
        _ago,
    ),
    Rule(rf"(?:最近|过去|近)的?这?{_COUNT} ?{_UNIT}", _lately),
)  # fmt: skip


def _with_edge(edge: str | None, whole: Span) -> Span:
    return whole.part(_EDGES[edge]) if edge else whole


_WORDS: Final = Words(
    relations={
        Relation.SINCE: "自从?|自打",
        Relation.UNTIL: "截至|截止到?|直到",
        Relation.IN: "在|于",
    },
    parts={},
    after={
        Relation.SINCE: "以来|起|开始|至今|到现在",
        Relation.AFTER: "之后|以后|过后",
        Relation.BEFORE: "之前|以前",
    },
    joins="-|—|~|/|到|至",
    between="从|在|自",
    ends="和|与|跟",
    never="每个?|每逢|哪个?",
    also="和|或|与|、",
)

CHINESE: Final = Grammar(
    _RULES,
    _WORDS,
    r"\d|[昨今明前后去本]|周|星期|礼拜|月|年|季|春|夏|秋|冬|最近|过去",
    r"[\d零〇一二两三四五六七八九十几好数昨今明前后大去本上这下周星礼月春夏秋冬半最过近]",
    apart=False,
)
