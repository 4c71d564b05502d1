"""Numerals, units, currencies, months and weekdays of English, Russian, French and Chinese."""

from __future__ import annotations

from typing import Final

from simonides.language.tokens import folded


def _numbered(text: str, first: int = 1) -> dict[str, int]:
    """Words by their place: blanks separate places, bars the forms of one."""
    return {
        folded(form): number for number, forms in enumerate(text.split(), first) for form in forms.split("|")
    }


MONTHS: Final = _numbered(
    """january|jan|января|январь|январе|janvier february|feb|февраля|февраль|феврале|fevrier
    march|mar|марта|март|марте|mars april|apr|апреля|апрель|апреле|avril may|мая|май|мае|mai
    june|jun|июня|июнь|июне|juin july|jul|июля|июль|июле|juillet august|aug|августа|август|августе|aout
    september|sept|sep|сентября|сентябрь|сентябре|septembre october|oct|октября|октябрь|октябре|octobre
    november|nov|ноября|ноябрь|ноябре|novembre december|dec|декабря|декабрь|декабре|decembre"""
)
WEEKDAYS: Final = _numbered(
    """monday|mondays|mon|понедельник|понедельника|понедельникам|понедельники|lundi|lundis
    tuesday|tuesdays|tue|tues|вторник|вторника|вторникам|вторники|mardi|mardis
    wednesday|wednesdays|wed|среда|среду|среды|средам|mercredi|mercredis
    thursday|thursdays|thu|thur|thurs|четверг|четверга|четвергам|четверги|jeudi|jeudis
    friday|fridays|fri|пятница|пятницу|пятницы|пятницам|vendredi|vendredis
    saturday|saturdays|sat|суббота|субботу|субботы|субботам|samedi|samedis
    sunday|sundays|sun|воскресенье|воскресенья|воскресеньям|dimanche|dimanches""",
    first=0,
)
HAN_WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
YEAR_WORDS: Final = frozenset({"года", "году", "год", "г", "年"})
#: Hours that have a name, in minutes.
HOURS: Final = {
    "noon": 720,
    "midday": 720,
    "midnight": 0,
    "полдень": 720,
    "полночь": 0,
    "midi": 720,
    "minuit": 0,
}

NUMERALS: Final[dict[str, float]] = {
    **_numbered("two three four five six seven eight nine ten eleven twelve", 2),
    **_numbered("thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 13),
    **_numbered("deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize", 2),
    **_numbered(
        "два|две|двух|двумя|двое три|трех|тремя|трое четыре|четырех|четверо пять|пяти|пятеро шесть|шести семь|семи "
        "восемь|восьми девять|девяти десять|десяти одиннадцать|одиннадцати двенадцать|двенадцати тринадцать|тринадцати "
        "четырнадцать|четырнадцати пятнадцать|пятнадцати шестнадцать|шестнадцати семнадцать|семнадцати "
        "восемнадцать|восемнадцати девятнадцать|девятнадцати",
        2,
    ),
    **{
        folded(form): float(number)
        for number, forms in {
            0: "zero ноль",
            1: "one один одна одно",
            20: "twenty vingt двадцать двадцати",
            30: "thirty trente тридцать тридцати",
            40: "forty quarante сорок сорока",
            50: "fifty cinquante пятьдесят пятидесяти",
            60: "sixty soixante шестьдесят шестидесяти",
            70: "seventy septante семьдесят семидесяти",
            80: "eighty huitante восемьдесят восьмидесяти",
            90: "ninety nonante девяносто",
            12: "dozen",
            100: "hundred cent cents сто ста",
            200: "двести",
            300: "триста",
            400: "четыреста",
            500: "пятьсот",
            600: "шестьсот",
            700: "семьсот",
            800: "восемьсот",
            900: "девятьсот",
            1000: "thousand mille тысяча тысячи тысяч",
            1_000_000: "million millions миллион миллиона миллионов",
            1_000_000_000: "billion milliard milliards миллиард миллиарда миллиардов",
        }.items()
        for form in forms.split()
    },
}
#: What multiplies a number that stands in figures before it.
SCALES: Final[dict[str, float]] = {
    folded(form): scale
    for scale, forms in {
        1e2: "hundred",
        1e3: "k thousand тыс тысяч тысячи тысяча mille",
        1e6: "m mn mio million millions млн миллион миллиона миллионов",
        1e9: "bn billion billions млрд миллиард миллиарда миллиардов milliard milliards",
    }.items()
    for form in forms.split()
}
HAN_DIGITS: Final[dict[str, float]] = {
    **{character: float(n) for n, character in enumerate("零一二三四五六七八九")},
    "〇": 0.0, "两": 2.0, "十": 10.0, "百": 100.0, "千": 1000.0, "万": 10_000.0, "亿": 100_000_000.0,
}  # fmt: skip
#: Chinese measure words.
COUNTERS: Final = frozenset("个只名位条件台辆本张人次岁层套间家所门部匹头颗支把双份座杯瓶")

#: Each unit's dimension, and its factor to that dimension's own unit.
UNITS: Final[dict[str, tuple[str, float]]] = {
    folded(form): (dimension, factor)
    for dimension, factors in {
        "mass": {
            1e-3: "mg", 1.0: "g gram grams gramme grammes грамм грамма граммов",
            1e3: "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes кг килограмм килограмма килограммов",
            1e6: "ton tons tonne tonnes тонна тонны тонн", 453.592: "lb lbs", 28.3495: "oz ounce ounces",
        },
        "length": {
            1e-3: "mm", 1e-2: "cm centimeter centimeters centimetre centimetres см",
            1.0: "m meter meters metre metres метр метра метров",
            1e3: "km kms kilometer kilometers kilometre kilometres км километр километра километров",
            1609.344: "mile miles", 0.3048: "ft foot feet", 0.0254: "inch inches",
        },
        "time": {
            1e-3: "ms millisecond milliseconds миллисекунд", 1.0: "s sec secs second seconds сек секунд секунды "
            "секунда seconde secondes",
            60.0: "min mins minute minutes мин минута минуты минут",
            3600.0: "h hr hrs hour hours час часа часов heure heures",
            86400.0: "day days день дня дней jour jours", 604800.0: "week weeks неделя недели недель semaine semaines",
        },
        "months": {
            1.0: "month months месяц месяца месяцев mois",
            12.0: "year years yr yrs год года лет an ans annee annees",
        },
        "data": {
            1.0: "byte bytes", 1e3: "kb ko кб", 1e6: "mb mo мб", 1e9: "gb go гб gigabyte gigabytes гигабайт",
            1e12: "tb to тб terabyte terabytes",
        },
        "volume": {1e-3: "ml мл", 1.0: "l liter liters litre litres литр литра литров"},
        "percent": {1.0: "percent procent процент процента процентов"},
        "degrees": {1.0: "degrees degree celsius градус градуса градусов degres"},
    }.items()
    for factor, forms in factors.items()
    for form in forms.split()
    if form != "to"
}  # fmt: skip
CURRENCIES: Final[dict[str, str]] = {
    folded(form): code
    for code, forms in {
        "EUR": "€ eur euro euros евро",
        "USD": "$ usd dollar dollars доллар доллара долларов",
        "GBP": "£ gbp pound pounds",
        "RUB": "₽ rub руб рубль рубля рублей",
        "CNY": "cny rmb yuan юань юаней",
        "JPY": "jpy yen иен",
        "CHF": "chf",
    }.items()
    for form in forms.split()
} | {"¥": ""}
#: Key, factor and currency of Chinese units.
HAN_UNITS: Final[dict[str, tuple[str, float, str]]] = {
    "欧元": ("money", 1.0, "EUR"), "美元": ("money", 1.0, "USD"), "美金": ("money", 1.0, "USD"),
    "英镑": ("money", 1.0, "GBP"), "日元": ("money", 1.0, "JPY"), "人民币": ("money", 1.0, "CNY"),
    "元": ("money", 1.0, "CNY"), "块钱": ("money", 1.0, "CNY"), "块": ("money", 1.0, "CNY"),
    "公斤": ("u:mass", 1e3, ""), "千克": ("u:mass", 1e3, ""), "克": ("u:mass", 1.0, ""), "斤": ("u:mass", 500.0, ""),
    "吨": ("u:mass", 1e6, ""), "公里": ("u:length", 1e3, ""), "千米": ("u:length", 1e3, ""),
    "米": ("u:length", 1.0, ""), "厘米": ("u:length", 1e-2, ""),
    "小时": ("u:time", 3600.0, ""), "个小时": ("u:time", 3600.0, ""), "分钟": ("u:time", 60.0, ""),
    "秒": ("u:time", 1.0, ""), "天": ("u:time", 86400.0, ""), "周": ("u:time", 604800.0, ""),
    "个月": ("u:months", 1.0, ""), "年": ("u:months", 12.0, ""), "岁": ("u:months", 12.0, ""),
    "度": ("u:degrees", 1.0, ""), "升": ("u:volume", 1.0, ""),
}  # fmt: skip

ABOUT: Final = frozenset(
    {"about", "around", "approximately", "approx", "roughly", "nearly", "almost", "circa", "some", "environ", "quelque",
     "около", "примерно", "почти", "~", "≈"}
)  # fmt: skip
AT_LEAST: Final = frozenset({"over", "above", "minimum", "exceeding", "свыше", "более", ">", "≥"})
AT_MOST: Final = frozenset({"under", "below", "maximum", "<", "≤", "менее"})
