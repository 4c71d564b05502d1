"""Intent of a question, which decides along which links recall goes on from what it found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.errors import ProviderError
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, read
from simonides.language.terms import ENGLISH_STOP_WORDS, FRENCH_STOP_WORDS
from simonides.ports.embedder import Embedder
from simonides.ports.vectors import Exemplars
from simonides.recall.question.exemplars import EXEMPLARS

Vector = NDArray[np.float32]


class Intent(StrEnum):
    """WHY: causes. WHEN: time. WHO: persons. WHAT: a fact about a thing or place. GENERAL: all the rest."""

    WHY = "why"
    WHEN = "when"
    WHO = "who"
    WHAT = "what"
    GENERAL = "general"


class Basis(StrEnum):
    """Evidence that an intent was read from."""

    EXEMPLARS = "exemplars"
    CUES = "cues"


@dataclass(frozen=True, slots=True)
class Classified:
    """An intent and what it was read from.

    Attributes:
        degraded: Why the embedder was not asked although it should have been; None where nothing failed.
    """

    intent: Intent
    basis: Basis
    degraded: str | None = None


#: An exemplar nearer than this decides; in other languages than English, where all questions are nearer to each other.
NEAR: Final = 0.45
NEAR_ELSEWHERE: Final = 0.6

# "Where I was when she left" asks where; "the man who" names nobody: such words count where a clause asks by them.
_CLAUSE = (
    r"(?:^|[,;:—] ?|(?:and|or|but|so|hey|me|us|you|remember|recall|know|exactly|just|about|of|from|to|with|by"
    r"|since|until|till|say|said) )"
)
#: The course of events, and what came before or after something.
_COURSE: Final = (
    "time ?-?lines? / chronolog\\w+ / (?:course|sequence|order|succession) of (?:\\w+ )?(?:events|things)",
    "history of (?:the|our|this|my)",
    (
        "(?:in )?(?:what|which) order / what (?:\\w+ )?(?:happened|happens|came|followed|occurred|took place)"
        " (?:\\w+ )?(?:before|after|next|then|since|during|between|first|last|later|afterwards)"
    ),
    "what (?:did|do|does|was|were) [^.?!]{1,60}\\b(?:right|just|shortly|directly|immediately) (?:before|after)",
    "хронологи\\w+ / временн\\w+ (?:шкал|лини|лент)\\w+ / таймлайн\\w* / (?:ход|порядок|последовательность) событий",
    (
        "в каком порядке / (?:что|чего) (?:\\w+ ){0,2}(?:был[ои]|случилось|произошло|происходило|последовало)"
        " (?:\\w+ )?(?:до|после|перед|потом|затем|дальше|раньше|с тех пор)"
    ),
    "chronologi\\w+ / frise / (?:ordre|suite|déroulement|cours|fil) d(?:es |e l'|')(?:événements?|choses|faits)",
    "dans quel ordre / (?:s'est|est-il) passé (?:\\w+ )?(?:avant|après|depuis|pendant|ensuite)",
    "时间线 / 时间轴 / 时间顺序 / 年表 / 先后顺序 / 什么顺序 / 事件顺序 / 大事记",
    "(?:之前|之后|以后|以前|后来|接着|然后|期间)[^。？?]{0,8}(?:发生|出了|怎么样)",
)
#: Whatever is known of a thing.
_EVERYTHING: Final = (
    "(?:tell|show|give|teach)(?: me| us)? (?:everything|all|more|anything|something)(?: \\w+){0,4} about",
    "(?:everything|all)(?: (?:you|we|that|is|there|know|known|have))* (?:about|on)",
    "overview of / portrait of / profile of / describe / introduce",
    "все (?:\\w+ ){0,3}(?:о|об|обо|про) / опиши / опишите / как это называется",
    "tout (?:ce que (?:\\w+ ){1,4})?(?:sur|de|du|des) / décris",
    "(?:关于|有关)[^。？?]{1,20}(?:一切|所有|全部|情况) / 介绍一下",
)
_CUES: Final = {
    Intent.WHY: Cues(
        "why / how come / for what reason / what(?: is| was|'s) the (?:\\w+ )?(?:reason|cause|motivation)",
        "what (?:\\w+ )?(?:made|caused|prompted|motivated|led|drove|inspired) / reasons? (?:for|behind|why)",
        "почему / зачем / отчего / из-за чего / по какой причине / в чем причина / какова причина / что заставило",
        "причин[аыу]? / что привело",
        "pourquoi / pour quelles? raisons? / à cause de quoi / comment se fait-il / quelle est la (?:raison|cause)",
        "qu'est-ce qui (?:\\w+'|\\w+ ){1,3}(?:poussée?s?|causée?s?|motivée?s?|fait|conduit|provoqué)",
        "(?:les|des) raisons de",
        "为什么 / 为何 / 为啥 / 怎么会 / 什么原因 / 的原因 / 因为什么 / 的理由 / 是什么让 / 是什么造成",
    ),
    Intent.WHEN: Cues(
        "what (?:time|day|date|year|month) / which (?:day|date|year|month|week) / how long ago / how recently",
        "when(?=,? (?:did|do|does|is|was|were|are|am|will|would|has|have|had|should|can|could|exactly)\\b)",
        "the (?:exact )?date of / what(?: is| was|'s) the (?:\\w+ )?(?:date|deadline) / since when / until when",
        "how many (?:days|weeks|months|years|hours)(?: \\w+){0,3} (?:ago|passed|between)",
        "когда / во сколько / какого числа / в каком (?:году|месяце) / с каких пор / в какой день / как давно",
        "до какого числа / какая дата / с какого времени",
        "quand / à quelle (?:heure|date) / quelle (?:est la )?date / quel jour / en quelle année / quel mois",
        "il y a combien de temps / depuis combien de temps",
        "什么时候 / 啥时候 / 何时 / 几点 / 哪一?天 / 几号 / 哪一?年 / 什么时间",
        "多久以前 / 多久之前 / 几月 / 哪个月",
        rf"{_CLAUSE}when(?! (?:i|he|she|we|they|you|it)\b)",
        *_COURSE,
    ),
    Intent.WHO: Cues(
        "whose / whom / who's / which (?:person|friend|colleague|people)",
        "кто / кого / кому / кем / чей / чья / чье / чьи / о ком / какой человек",
        "qui (?:m'en|t'en|nous en|m'|t'|lui) ?(?:a|ont|avait)",
        "(?:à|avec|de|pour|chez|par) qui / qui (?:est|a|était|sont|ont|m'|s'|va|peut|doit|fait) / quelle personne",
        "谁 / 哪位 / 什么人 / 哪个人",
        rf"{_CLAUSE}who",
    ),
    Intent.WHAT: Cues(
        "what / what's / which / where / name of",
        *_EVERYTHING,
        "что / чего / чем / какой / какая / какое / какие / каких / каким / какую / где / куда / откуда",
        "как называ\\w+",
        "qu'\\w+ / que / quoi / quel / quelle / quels / quelles / lequel / laquelle / où / d'où / comment s'appelle",
        "comment \\w+ s'appelle",
        "什么 / 啥 / 哪 / 叫什么",
    ),
}
_LATIN = re.compile("[a-zà-ÿœ']+")
_OTHER_SCRIPT = re.compile("[^\\W\\d_a-zà-ÿœ]")
_FRENCH_ONLY = FRENCH_STOP_WORDS - ENGLISH_STOP_WORDS


class IntentClassifier:
    """Finds intents by cue words, and where they are silent by the nearest exemplar.

    Words before vectors, because a vector says more of what a question is about than of how it asks: with the
    bundled embedder, exemplars that come first turn "when did Anna go to the museum" into who. Of the 142 questions
    labelled in tests/recall/question/test_intent.py, in four languages, cues alone read 119 right, exemplars first
    121, exemplars behind cues 124.

    An English question is compared with English exemplars, any other with those of the other languages. They are
    embedded once, at the first question that needs them. Safe to use from several threads.

    Args:
        kept: Where their vectors are kept if the embedder is not local; None to ask for them anew each time.
    """

    def __init__(self, embedder: Embedder, kept: Exemplars | None = None) -> None:
        self._embedder = embedder
        self._kept = kept
        self._exemplars: dict[bool, tuple[Vector, tuple[Intent, ...]]] = {}

    def classify(self, text: str, vector: Vector | None = None) -> Classified:
        """The intent of a question.

        Args:
            vector: The question's, shape (dimension,), if it is at hand; else it is embedded here if needed.

        Returns:
            What cue words tell; where they tell nothing, the intent of the nearest exemplar if its cosine is above
            `NEAR` or `NEAR_ELSEWHERE` and the embedder knows the language. Where the embedder fails, GENERAL, and
            `degraded` says so. Never raises.
        """
        return self.classified(read(text), vector)

    def classified(self, reading: QuestionText, vector: Vector | None = None) -> Classified:
        """As `classify`, of a text that is read already."""
        told = intent_by_cues(reading)
        english = told is Intent.GENERAL and is_english(reading)
        if told is not Intent.GENERAL or not (self._embedder.multilingual or english):
            return Classified(told, Basis.CUES)
        try:
            asked = self._embedder.embed([reading.text])[0] if vector is None else vector
            rows, intents = self._known(english=english)
        except ProviderError as error:
            return Classified(told, Basis.CUES, f"intent: {error}")
        cosines = rows @ asked
        best = int(cosines.argmax())
        if cosines[best] > (NEAR if english else NEAR_ELSEWHERE):
            return Classified(intents[best], Basis.EXEMPLARS)
        return Classified(told, Basis.CUES)

    def _known(self, *, english: bool) -> tuple[Vector, tuple[Intent, ...]]:
        """The exemplars' vectors, shape (n, dimension), and their intents."""
        found = self._exemplars.get(english)
        if found is None:
            pairs = [
                (line, Intent(intent))
                for language, by_intent in EXEMPLARS.items()
                if (language == "en") is english
                for intent, lines in by_intent.items()
                for line in lines
            ]
            vectors = self._embedded([line for line, _ in pairs])
            found = self._exemplars[english] = vectors, tuple(intent for _, intent in pairs)
        return found

    def _embedded(self, lines: Sequence[str]) -> Vector:
        if self._kept is None or self._embedder.local:
            return self._embedder.embed(lines)
        model = self._embedder.identity
        if (known := self._kept.kept(model, lines)) is not None:
            return known
        vectors = self._embedder.embed(lines)
        self._kept.keep(model, lines, vectors)
        return vectors


def intent_by_cues(reading: QuestionText) -> Intent:
    """The intent that cue words tell, looked for in the order why, when, who, what."""
    for intent, pattern in _CUES.items():
        if pattern.search(reading.asking):
            return intent
    return Intent.GENERAL


def is_english(reading: QuestionText) -> bool:
    """True if a text is in Latin script and has no more words of French than of English."""
    if _OTHER_SCRIPT.search(reading.folded):
        return False
    words = _LATIN.findall(reading.folded)
    return sum(word in _FRENCH_ONLY for word in words) <= sum(word in ENGLISH_STOP_WORDS for word in words)
