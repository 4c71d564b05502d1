"""Speaker whose words a question is after, and the kind of answer that it expects."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from math import ceil
from typing import Final

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK, cjk_runs
from simonides.language.cues import Cues, Lexicon
from simonides.language.sentences import QuestionText, fold
from simonides.language.tables import cues, worded
from simonides.language.value import NAMED_KINDS, ValueKind


class Asks(StrEnum):
    """Speaker whose turns hold the answer: what the user said, what the assistant answered, or anyone's."""

    USER = "user"
    ASSISTANT = "assistant"
    ANYONE = "anyone"


class Expects(StrEnum):
    """The kind of answer that a question expects."""

    TIME = "time"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    YES_NO = "yes_no"
    LIST = "list"
    REASON = "reason"
    PREFERENCE = "preference"
    OTHER = "other"


#: What is asked for where one thing answers: other questions ask whether, why, which ones, or what somebody would like.
ONE_THING: Final = frozenset({Expects.TIME, Expects.NUMBER, Expects.PERSON, Expects.PLACE, Expects.OTHER})
#: The assistant's own words. The leftmost of these and of `_SELF` counts.
_ASSISTANT: Final = Cues("assistant")
#: The user's own words.
_SELF: Final = Cues("self")
#: A conversation with the assistant, when nothing says whose words are meant.
_CONVERSATION: Final = Cues("conversation")
#: What is said to ask at all, and says nothing about whose words are meant.
FILLERS: Final = worded("acts", "{fillers}", flags=0)
_ME: Final = Cues("me")


def asks_about(reading: QuestionText) -> Asks:
    """Speaker whose words the question is after.

    "What did you suggest" is after the assistant's, "what did I tell you" and "my" after the user's; the
    first of such words counts.
    """
    text = reading.folded
    said, told = _ASSISTANT.search(text), _SELF.search(text)
    if said and (not told or said.start() < told.start()):
        return Asks.ASSISTANT
    if told:
        return Asks.USER
    if _CONVERSATION.search(text):
        return Asks.ASSISTANT
    return Asks.USER if _ME.search(FILLERS.sub(" ", reading.asking)) else Asks.ANYONE


#: "Can you tell me" before the question proper.
_POLITE: Final = worded("acts", "{asking_politely}", flags=0)
_TOLD_BY_WORDS: Final = (
    Expects.TIME,
    Expects.NUMBER,
    Expects.REASON,
    Expects.PLACE,
    Expects.PERSON,
    Expects.LIST,
    Expects.OTHER,
    Expects.YES_NO,
)
#: The leftmost question word decides; at one place the first kind that fits.
QUESTION_WORDS: Final = Lexicon({kind: partial(cues, "expects", kind) for kind in _TOLD_BY_WORDS})
_PREFERENCE: Final = Cues("preference")
#: Kinds for which words such as "favourite" or "suggest" say more than the question word does.
_WEAK: Final = {Expects.OTHER, Expects.YES_NO, Expects.LIST}
_CJK_CHARACTER = later(f"[{CJK}]")


def expected(reading: QuestionText, asks: Asks) -> Expects:
    """The kind of answer that the question expects.

    Args:
        asks: What the assistant recommended before is no question of taste.
    """
    text = reading.asking
    if polite := _POLITE.search(text):
        text = text[polite.end() :]
    found = QUESTION_WORDS.find(text)
    if found is None:
        questioned = polite is None and ("?" in reading.folded or "？" in reading.folded)
        kind = Expects.YES_NO if questioned else Expects.OTHER
    else:
        kind, place = found
        if kind is Expects.YES_NO and not _begins(text, place):
            kind = Expects.OTHER
    if kind in _WEAK and asks is not Asks.ASSISTANT and _PREFERENCE.search(text):
        return Expects.PREFERENCE
    return kind


#: What a number or a time tells, named by itself; how often something is; and an age, which a date of birth tells, too.
_VALUE: Final = Cues("value")
_FREQUENCY: Final = Cues("frequency")
_AGE: Final = Cues("age")
#: What is asked for by a word for it, whatever else is told.
_NAMED: Final = tuple((kind, Cues(kind.value)) for kind in (*sorted(NAMED_KINDS), ValueKind.NAME))
#: Questions that no such value answers, whatever word for one they have.
_NOT_FOR_VALUES: Final = {Expects.PERSON, Expects.REASON, Expects.PLACE}


def values_asked(reading: QuestionText, kind: Expects, *, past: bool) -> frozenset[ValueKind]:
    """The kinds of values of which one answers a question: "when does", "how often", "what is her birthday?".

    None where no value does. When something was is told by the day on which it was said, too: of the past, no time has
    to stand in the text.
    """
    if kind is Expects.TIME:
        return frozenset() if past else frozenset({ValueKind.DATE})
    text = reading.asking
    if kind not in _NOT_FOR_VALUES and (
        named := next((one for one, cue in _NAMED if cue.search(text)), None)
    ):
        return frozenset({named})
    if kind is Expects.NUMBER and _FREQUENCY.search(text):
        return frozenset({ValueKind.NUMBER, ValueKind.FREQUENCY})
    if kind is Expects.NUMBER and not _AGE.search(text):
        return frozenset({ValueKind.NUMBER})
    if kind is Expects.NUMBER or (kind is Expects.OTHER and _VALUE.search(text) is not None):
        return frozenset({ValueKind.NUMBER, ValueKind.DATE})
    return frozenset()


def _begins(text: str, place: int) -> bool:
    """True if at most a few words stand before: "so, Anna, did you" asks, "the cat did" tells."""
    return len(text[:place].split()) <= 2 or text[:place].rstrip().endswith((",", ":", "-"))


#: Questions after what came before what.
_ORDER: Final = Cues("order")


def asks_order(reading: QuestionText) -> bool:
    """Recognise a question that is after the order of events."""
    return _ORDER.search(reading.asking) is not None


class Occasion(StrEnum):
    """Of several occasions, the one that a question is after."""

    FIRST = "first"
    LAST = "last"
    NEXT = "next"


_OCCASIONS: Final = Lexicon({kind: partial(cues, "occasion", kind) for kind in Occasion})


def occasion_asked(reading: QuestionText) -> Occasion | None:
    """The occasion that a question is after, of several: "When did I last water the plants?"; None where of any.

    A message of several sentences tells of occasions more often than it asks for one.
    """
    if len(reading.pieces) > 1:
        return None
    found = _OCCASIONS.find(reading.asking)
    return None if found is None else found[0]


_WHICH_TOLD: Final = Cues("occasion", "told")


@kept(4096)
def tells_which(text: str) -> bool:
    """True of a statement that tells itself of the first or the last of something: "My first car was a Fiesta."."""
    return _WHICH_TOLD.search(fold(text)) is not None


_AGGREGATE: Final = Cues("aggregate")
_CONJUNCTION: Final = Cues("conjunction")
_CJK_RUN = later(f"[{CJK}]+")
#: Characters of a Chinese word, on average.
_CJK_WORD_CHARS: Final = 1.6
_SIMPLE_WORDS: Final = 10
_SIMPLE_CONJUNCTIONS: Final = 2


def is_complex(reading: QuestionText) -> bool:
    """Recognise a question that asks for more than a lookup: ten words or more, an aggregate word, or two conjunctions.

    A CJK word counts as 1.6 characters.
    """
    text = reading.folded
    cjk = sum(map(len, cjk_runs(text)))
    spaced = _CJK_RUN.sub(" ", text) if cjk else text
    words = len(spaced.split()) + ceil(cjk / _CJK_WORD_CHARS)
    if words >= _SIMPLE_WORDS or _AGGREGATE.search(text):
        return True
    return _CONJUNCTION.count(text) >= _SIMPLE_CONJUNCTIONS


_RECALL: Final = Cues("recall")


def wants_recall(reading: QuestionText) -> bool:
    """Recognise a text that says that it is memory it asks for: "recall", "as we decided earlier", "remind me what"."""
    return _RECALL.search(reading.folded) is not None
