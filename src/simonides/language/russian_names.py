"""Russian names in their cases: which written forms may be one name. Pure."""

from __future__ import annotations

import re
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later

_CYRILLIC: Final = later("[а-яё-]{3,}")
_CONSONANT: Final = "бвгджзклмнпрстфхцчшщ"
_SHORTEST: Final = 2
#: Endings of the cases, nominative first; `_STEMS` says behind which letters each row stands.
_DECLENSIONS: Final = tuple(
    tuple("" if ending == "-" else ending for ending in row.split())
    for row in (
        "- а у ом е",  # Иван
        "- а у ем е",  # Мороз, Франц
        "й я ю ем е",  # Андрей
        "ий ия ию ием ии",  # Дмитрий
        "ь я ю ем е",  # Игорь
        "ь и ью",  # Казань
        "а ы е у ой ою",  # Анна
        "а и е у ой ою",  # Ольга
        "а и е у ей ею",  # Саша
        "я и е ю ей ею",  # Катя
        "я и е ю ёй ёю",  # Илья
        "ия ии ию ией иею",  # Мария
        "ский ского скому ским ском",  # Достоевский
        "ская ской скую скою",  # Чайковская
        "ов ова ову овым ове", "ев ева еву евым еве", "ёв ёва ёву ёвым ёве", "ин ина ину иным ине",  # Иванов
        "ова овой ову овою", "ева евой еву евою", "ёва ёвой ёву ёвою", "ина иной ину иною",  # Иванова
    )
)  # fmt: skip
_BOTH = """
александр валентин владислав станислав ярослав мирослав святослав вячеслав богдан руслан серафим
антонин амир самир камил карим азиз зариф рашид фарид дамир тимур марин кристин ангелин павлин полин
каролин
"""
#: Names of men whose genitive is a woman's name: these two forms are never taken for each other.
_OF_BOTH: Final = frozenset(_BOTH.split())
_OF_BOTH_SOFT: Final = frozenset(
    ["евген", "валер", "юл", "наталь", "лид", "анастас", "клавд", "лил", "ма", "васил"]
)
#: Men's names that end like surnames.
_FIRST_NAMES: Final = frozenset(["константин", "мартин", "августин", "лев", "валентин"])
_SURNAME: Final = re.compile(r"\w{2,}(?:ов|ев|ёв|ин)")


@kept(4096, longest=None)
def forms(name: str) -> frozenset[str]:
    """Case folded names that a case folded name may stand for in another case, itself among them.

    Only of single Russian words. Two names of different people are not among each other's forms where both are
    usual: Александр and Александра, Евгений and Евгения, Иванов and Иванова.
    """
    if _CYRILLIC.fullmatch(name) is None:
        return frozenset((name,))
    spelt = {name}
    for row in _DECLENSIONS:
        for ending in row:
            stem = name.removesuffix(ending) if ending else name
            if (stem == name and ending) or not _stands_behind(row[0], stem):
                continue
            spelt |= {stem + other for other in row}
    return frozenset(
        other for other in spelt if _CYRILLIC.fullmatch(other) is not None and not _are_two(name, other)
    )


def _stands_behind(nominative: str, stem: str) -> bool:
    if len(stem) < _SHORTEST:
        return False
    if nominative in {"", "ь"}:
        return stem[-1] in _CONSONANT
    return nominative != "й" or stem[-1] not in _CONSONANT


def _are_two(one: str, other: str) -> bool:
    """True if two forms are names of two people: a man's and a woman's nominative."""
    short, long = sorted((one, other), key=len)
    if long == f"{short}а":
        surname = _SURNAME.fullmatch(short) is not None and short not in _FIRST_NAMES
        return surname or short in _OF_BOTH
    both = {one, other}
    return any(both == {f"{stem}ий", f"{stem}ия"} for stem in _OF_BOTH_SOFT)
