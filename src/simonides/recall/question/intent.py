"""Intent of a question, which decides along which links recall goes on from what it found."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from simonides.domain.pattern import later
from simonides.errors import ProviderError
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, read
from simonides.language.terms import ENGLISH_STOP_WORDS, FRENCH_STOP_WORDS
from simonides.ports.embedder import Embedder
from simonides.recall.question.exemplars import EmbeddedExemplars, Vector
from simonides.values import dataclass


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


class EmbeddedText(NamedTuple):
    """A text's vector, and what embedded it: that of another embedder says something else."""

    embedder: Embedder
    vector: Vector


@dataclass(frozen=True, slots=True)
class Classified:
    """An intent and what it was read from.

    Attributes:
        degraded: Why the embedder was not asked although it should have been; None where nothing failed.
        embedded: The question, where it was embedded for that.
    """

    intent: Intent
    basis: Basis
    degraded: str | None = None
    embedded: EmbeddedText | None = field(default=None, compare=False, repr=False)


#: An exemplar nearer than this decides; in other languages than English, where all questions are nearer to each other.
NEAR: Final = 0.45
NEAR_ELSEWHERE: Final = 0.6

#: Cue words of each intent, which is looked for in this order.
_CUES: Final = {
    intent: Cues("intent", intent) for intent in (Intent.WHY, Intent.WHEN, Intent.WHO, Intent.WHAT)
}
_LATIN = later("[a-zà-ÿœ']+")
_OTHER_SCRIPT = later("[^\\W\\d_a-zà-ÿœ]")
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
        exemplars: Their vectors, if they are at hand.
    """

    def __init__(self, embedder: Embedder, exemplars: EmbeddedExemplars | None = None) -> None:
        self._embedder = embedder
        self._exemplars = EmbeddedExemplars(embedder) if exemplars is None else exemplars

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
            rows, intents = self._exemplars.known(english=english)
            cosines = self._exemplars.scale((rows @ asked).astype(np.float64))
        except ProviderError as error:
            return Classified(told, Basis.CUES, f"intent: {error}")
        best, embedded = int(cosines.argmax()), EmbeddedText(self._embedder, asked)
        if cosines[best] > (NEAR if english else NEAR_ELSEWHERE):
            return Classified(Intent(intents[best]), Basis.EXEMPLARS, embedded=embedded)
        return Classified(told, Basis.CUES, embedded=embedded)


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
