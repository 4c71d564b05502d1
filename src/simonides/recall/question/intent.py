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
from simonides.recall.question.exemplars import exemplars

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

#: Cue words of each intent, which is looked for in this order.
_CUES: Final = {
    intent: Cues("intent", intent) for intent in (Intent.WHY, Intent.WHEN, Intent.WHO, Intent.WHAT)
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
                for language, by_intent in exemplars().items()
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
