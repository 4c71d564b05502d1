"""Times as French names them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from simonides.language.calendar import spans
from simonides.language.calendar.numeric import NUMERIC, number, year_or_none
from simonides.language.calendar.rule import Grammar, Groups, Relation, Rule, Words
from simonides.language.calendar.spans import Part, Season, Span, Step, Unit

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "janvier", "février fevrier", "mars", "avril", "mai", "juin", "juillet", "août aout", "septembre",
            "octobre", "novembre", "décembre decembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS: Final = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_SEASONS: Final = {
    "printemps": Season.SPRING,
    "été": Season.SUMMER,
    "automne": Season.AUTUMN,
    "hiver": Season.WINTER,
}
_UNITS: Final = {
    "minute": Unit.MINUTE, "heure": Unit.HOUR, "jour": Unit.DAY, "semaine": Unit.WEEK, "mois": Unit.MONTH,
    "an": Unit.YEAR, "année": Unit.YEAR, "week-end": Unit.WEEKEND, "weekend": Unit.WEEKEND, "trimestre": Unit.QUARTER,
}  # fmt: skip
_NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        (
            "un",
            "deux",
            "trois",
            "quatre",
            "cinq",
            "six",
            "sept",
            "huit",
            "neuf",
            "dix",
            "onze",
            "douze",
            "treize",
            "quatorze",
            "quinze",
            "seize",
        ),
        1,
    )
} | {"une": 1, "vingt": 20, "trente": 30}
_DAY_PARTS: Final = {
    "matin": Part.MORNING,
    "après-midi": Part.AFTERNOON,
    "soir": Part.EVENING,
    "nuit": Part.NIGHT,
}

_MONTH = f"({'|'.join(_MONTHS)})"
_WEEKDAY = f"({'|'.join(_WEEKDAYS)})"
_SEASON = f"({'|'.join(_SEASONS)})"
_YEAR = r"((?:19|20)\d\d)"
_UNIT = "(minute|heure|jour|semaine|mois|années?|an|trimestre)s?"
_COUNT = rf"(\d{{1,4}}|quelques|plusieurs|{'|'.join(_NUMBERS)})"
_ABOUT = "(?:environ |presque |à peu près )"
_DAY_PART = "(matin|après-midi|soir|nuit)"
_ADJECTIVE = "(dernier|dernière|passée?|précédente?|prochaine?)"
_OTHER_YEAR = rf"(?:de )?l'(?:an|année) {_ADJECTIVE}"


def _step(adjective: str | None) -> Step:
    return Step.NEXT if (adjective or "").startswith("prochain") else Step.LAST


def _amount(group: str | None) -> tuple[int, int]:
    """Fewest and most that a word for a number means."""
    vague = {"quelques": (2, 5), "plusieurs": (3, 7)}
    word = group or "un"
    if word in vague:
        return vague[word]
    value = int(word) if word.isdecimal() else _NUMBERS[word]
    return value, value


def _day(group: str | None) -> int:
    return number((group or "").removesuffix("er").strip())


def _unit(group: str | None) -> Unit:
    word = group or ""
    return _UNITS[word if word in _UNITS else word.removesuffix("s")]


def _other_year(adjective: str | None, now: datetime) -> int | None:
    return None if adjective is None else now.year + (1 if _step(adjective) is Step.NEXT else -1)


def _date(found: Groups, now: datetime) -> Span:
    year = year_or_none(found[2]) or _other_year(found[3], now)
    return spans.date(now, _MONTHS[found[1] or ""], _day(found[0]), year)


def _days_of_month(found: Groups, now: datetime) -> Span:
    end = spans.date(now, _MONTHS[found[2] or ""], _day(found[1]), year_or_none(found[3]))
    return Span(spans.date(end.start, _MONTHS[found[2] or ""], _day(found[0])).start, end.end)


def _month_of(found: Groups, now: datetime) -> Span:
    return spans.months(
        year_or_none(found[1]) or _other_year(found[2], now) or now.year, _MONTHS[found[0] or ""]
    )


def _near_day(found: Groups, now: datetime) -> Span:
    step = {"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "après-demain": 2}[found[0] or ""]
    day = spans.unit(now, Unit.DAY, step)
    return day.part(_DAY_PARTS[found[1]]) if found[1] else day


def _ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    if found[1]:
        most = max(most, _amount(found[1])[1])
    return spans.ago(now, _unit(found[2]), min(fewest, most), most)


def _and_a_half_ago(found: Groups, now: datetime) -> Span:
    fewest, most = _amount(found[0])
    if fewest != most:
        raise ValueError("several and a half")
    return spans.half_more_ago(now, _unit(found[1]), fewest)


def _weekday(found: Groups, now: datetime) -> Span:
    return spans.weekday(now, _WEEKDAYS.index(found[0] or ""), _step(found[1]))


def _latest_weekday(found: Groups, now: datetime) -> Span:
    day = spans.weekday(now, _WEEKDAYS.index(found[0] or ""))
    return day.part(_DAY_PARTS[found[1]]) if len(found) > 1 and found[1] else day


def _stepped(found: Groups, now: datetime) -> Span:
    return spans.stepped(now, _unit(found[0]), _step(found[1]))


def _season_of(found: Groups, _: datetime) -> Span:
    return spans.season_of(number(found[1]), _SEASONS[found[0] or ""])


_RULES: Final = (
    *NUMERIC,
    Rule(rf"(?:du|entre le|le|les) (\d{{1,2}}|1er) (?:au|et le|et) (\d{{1,2}}) {_MONTH}(?: {_YEAR})?", _days_of_month),
    Rule(rf"(?:le )?(\d{{1,2}}|1 ?er) {_MONTH}(?: {_YEAR}| {_OTHER_YEAR})?", _date),
    Rule(rf"{_MONTH} (?:{_YEAR}|{_OTHER_YEAR})", _month_of),
    Rule(rf"{_MONTH} {_ADJECTIVE}", lambda found, now: spans.month(now, _MONTHS[found[0] or ""], _step(found[1]))),
    Rule(rf"(?:au )?mois d(?:e |'){_MONTH}", lambda found, now: spans.month(now, _MONTHS[found[0] or ""])),
    Rule(_MONTH, lambda found, now: spans.month(now, _MONTHS[found[0] or ""]), bare=True),
    Rule(rf"(avant-hier|hier|aujourd'hui|demain|après-demain)(?: (?:au )?{_DAY_PART})?", _near_day),
    Rule(
        "cet?(?:te)? (matin|après-midi|soir|nuit)",
        lambda found, now: spans.days(now).part(_DAY_PARTS[found[0] or ""]),
    ),
    Rule("(?:la )?nuit (?:dernière|passée)", lambda _, now: spans.unit(now, Unit.DAY, -1).part(Part.NIGHT)),
    Rule(
        r"(?:cette|cet|ce) (semaine|mois|année|week-?end|trimestre)(?:-ci)?",
        lambda found, now: spans.stepped(now, _unit(found[0]), Step.THIS),
    ),
    Rule(rf"(?:la |le |l')(semaine|mois|année|an|week-?end|trimestre) {_ADJECTIVE}", _stepped),
    Rule(
        rf"(?:les|ces|des|aux) (?:{_COUNT} )?(?:derniers|dernières) {_UNIT}",
        lambda found, now: spans.lately(now, _unit(found[1]), _amount(found[0] or "quelques")[1]),
    ),
    # Eight days are a week, fifteen are two: both ends are counted.
    Rule(
        rf"il y a {_ABOUT}?(?:(huit|quinze) jours|une (huit|quinz)aine(?: de jours)?)",
        lambda found, now: spans.ago(now, Unit.WEEK, 1 if (found[0] or found[1] or "").startswith("h") else 2),
    ),
    Rule(rf"il y a {_ABOUT}?{_COUNT} {_UNIT} et demie?", _and_a_half_ago),
    Rule(rf"il y a {_ABOUT}?{_COUNT}(?: ou {_COUNT})? {_UNIT}", _ago),
    Rule(rf"(?:le )?{_WEEKDAY} {_ADJECTIVE}", _weekday),
    Rule(rf"ce {_WEEKDAY}", lambda found, now: spans.weekday(now, _WEEKDAYS.index(found[0] or ""), Step.THIS)),
    Rule(rf"{_WEEKDAY} {_DAY_PART}", _latest_weekday, bare=True),
    Rule(_WEEKDAY, _latest_weekday, bare=True),
    Rule(
        rf"(?:l'|le )?{_SEASON} {_ADJECTIVE}",
        lambda found, now: spans.season(now, _SEASONS[found[0] or ""], _step(found[1])),
    ),
    Rule(rf"(?:en |au |à l'|l'|d'|pendant l'){_SEASON} (?:de )?{_YEAR}", _season_of),
    Rule(rf"(?:cet|ce) {_SEASON}", lambda found, now: spans.season(now, _SEASONS[found[0] or ""], Step.THIS)),
    Rule(rf"(?:en |au |à l'|pendant l'){_SEASON}", lambda found, now: spans.season(now, _SEASONS[found[0] or ""])),
    Rule(rf"(?:l'année|l'an) {_YEAR}", lambda found, _: spans.months(number(found[0]), 1, 12)),
    Rule(rf"{_YEAR}(?![\d%]|[-.,/]\d)", lambda found, _: spans.months(number(found[0]), 1, 12), bare=True),
)  # fmt: skip

_WORDS: Final = Words(
    relations={
        Relation.SINCE: "depuis(?: le| l')?|dès(?: le)?|à partir d[eu]|à compter d[eu]",
        Relation.AFTER: "après(?: le)?",
        Relation.BEFORE: "avant(?: le)?",
        Relation.UNTIL: "jusqu'(?:en|au|à)|d'ici(?: le)?",
        Relation.IN: "en|pendant|durant|courant|au cours d[eu]|dans",
    },
    parts={
        Part.EARLY: "(?:au |le )?début(?: d[eu]| d')?",
        Part.MIDDLE: "(?:à la )?mi-|(?:au )?milieu(?: d[eu])?",
        Part.LATE: "(?:à la |la )?fin(?: d[eu]| d')?",
    },
    after={},
    joins="-|—|/|\\.\\.|au |jusqu'(?:en |au |à )",
    between="entre(?: le)?|de|du|d'",
    ends="et (?:le )?|à ",
    never="chaque|tous les|toutes les|par|le",
    also="et|ou",
)

FRENCH: Final = Grammar(
    _RULES,
    _WORDS,
    r"\d|hier|aujourd'hui|demain|il y a|semaine|mois|année|l'an |week-?end|(?:lun|mar|mercre|jeu|vendre|same)di"
    rf"|dimanche|matin|soir|nuit|après-midi|trimestre|derniers|dernières|{'|'.join(_MONTHS)}|{'|'.join(_SEASONS)}",
    r"\d|du \d|entre le|les? |la |l'|d'|au |à l'|en |pendant l'|avant-hier|hier|aujourd|demain|après-demain|ce|des "
    rf"|aux |il y a|nuit|mois d|{'|'.join((*_MONTHS, *_WEEKDAYS, *_SEASONS))}",
)
