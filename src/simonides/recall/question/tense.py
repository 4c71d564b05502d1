"""Tense of a question: whether it is about what holds now, what was, or what will be."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from simonides.language.calendar.windows import Window
from simonides.language.cues import Cues, Lexicon
from simonides.language.sentences import QuestionText


class Tense(StrEnum):
    """PAST: told in the past, of whatever time. FORMER: what held once, as against now."""

    PRESENT = "present"
    PAST = "past"
    FORMER = "former"
    FUTURE = "future"


#: The leftmost counts; at one place the first kind.
_TIMES: Final = Lexicon(
    {
        Tense.PRESENT: (
            "now / nowadays / currently / at present / at the moment / these days / today / still / latest / newest",
            "сейчас / теперь / сегодня / в настоящее время / по-прежнему / maintenant / actuellement / aujourd'hui",
            "现在 / 目前 / 如今 / 眼下 / 仍然 / 最新",
        ),
        Tense.FUTURE: (
            "will / won't / shall / going to / in (?:the )?future / from now on / upcoming / soon / planned to",
            "tomorrow / next (?:week|month|year|time|summer|winter|spring|autumn|fall)",
            "буд(?:у|ешь|ет|ем|ете|ут) / завтра / в будущем / скоро / отныне / demain / à l'avenir / bientôt",
            "sera / seront / aura / auront / 将来 / 将会? / 以后 / 明天 / 未来 / 下(?:周|个?月|次) / 明年",
        ),
        Tense.FORMER: (
            "used to / formerly / previous(?:ly)? / former / earlier / before / back then / at that time / in the past",
            "once / originally / original / initial(?:ly)? / at first / first / until / old / history of",
            "раньше / прежде / прежн\\w+ / тогда / когда-то / до этого / бывш\\w+ / изначально / сначала / стар\\w+",
            "avant / autrefois / jadis / ancien(?:ne)?s? / auparavant / au début / d'abord",
            "以前 / 之前 / 曾经? / 过去 / 原来 / 当时 / 那时 / 从前 / 最初 / 旧",
        ),
    }
)
_PAST: Final = Cues(
    "did / didn't / was / wasn't / were / weren't / had / hadn't / ago",
    "был(?:а|о|и)? / \\w{2,}(?:ла|ли|ло|лся|лась|лись|лось|ил|ал|ел|ял)",
    "était / étaient / étais / étions / avait / avaient / avais / as-tu / avons-nous",
    "上次 / 过(?=[吗么？?的])",
)


def tense_of(reading: QuestionText, window: Window | None, at: int) -> Tense:
    """Time that a question asks about: that which it names, else that of its words, else now."""
    if window is not None:
        if window.end <= at:
            return Tense.FORMER
        if window.start > at:
            return Tense.FUTURE
    if (found := _TIMES.find(reading.asking)) is not None:
        return found[0]
    return Tense.PRESENT if _PAST.search(reading.asking) is None else Tense.PAST
