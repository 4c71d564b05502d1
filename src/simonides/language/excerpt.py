"""Summary of a stretch of conversation in its own words: the sentences that are most about it. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.provenance import Origin
from simonides.domain.text import CJK, shortened
from simonides.language.sameness import Reading, read
from simonides.language.sentences import whole_sentences
from simonides.language.spoken import LEFT_OUT
from simonides.language.taken_back.within import said_in
from simonides.language.words import QUESTION_MARKS
from simonides.values import dataclass

_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CJK: Final = re.compile(f"[{CJK}]")
#: A sentence with fewer words that say something tells nothing by itself.
_LEAST_WORDS: Final = 3
_LONGEST: Final = 400
#: Characters of a turn, and sentences of a stretch, that are looked through.
_MOST_CHARS: Final = 4_000
_MOST_SENTENCES: Final = 2_000
#: Weight of what is asked, and of what the assistant says, beside what a person states.
_ASKED: Final = 0.3
_ASSISTANT: Final = 0.4
#: Added to the number of words, so that short sentences do not win by being short.
_SMOOTH: Final = 6


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Sentences of a conversation.

    Attributes:
        text: The sentences on one line, in their order; of who is known by name, behind the name.
        turns: The turns that they were taken from, in their order.
    """

    text: str
    turns: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    turn: Item
    text: str
    reading: Reading


def excerpt(
    turns: Sequence[Item],
    most_chars: int,
    *,
    most: int = 3,
    left_out: Callable[[Item, str], bool] | None = None,
) -> Excerpt | None:
    """The sentences that are most about what the stretch is about: of many words that it comes back to.

    What somebody states counts for more than what is asked, or what an assistant says. Nothing is worded anew.

    Args:
        turns: In their order; those that are not injectable are left out.
        most_chars: Of the text.
        most: Sentences, at least one.
        left_out: True of a sentence of a turn that is not to be taken.

    Returns:
        None where no sentence says anything.
    """
    sentences = [
        sentence
        for sentence in _sentences(turns)
        if left_out is None or not left_out(sentence.turn, sentence.text)
    ]
    counts = Counter(key for sentence in sentences for key in sentence.reading.content)
    ranked = sorted(
        sentences, key=lambda sentence: (-_weight(sentence, counts), sentence.turn.created_at, sentence.place)
    )
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    for sentence in ranked:
        if len(chosen) == most:
            break
        if chosen and len(sentence.reading.content - covered) * 2 < len(sentence.reading.content):
            continue  # It mostly says again what was chosen.
        if not chosen or len(_joined([*chosen, sentence])) <= most_chars:
            chosen.append(sentence)
            covered |= sentence.reading.content
    if not chosen:
        return None
    ordered = sorted(chosen, key=lambda sentence: sentence.place)
    used = tuple(dict.fromkeys(sentence.turn for sentence in ordered))
    return Excerpt(shortened(_joined(ordered), most_chars), used)


def _sentences(turns: Sequence[Item]) -> Iterator[_Sentence]:
    place = 0
    for turn in turns:
        if not turn.injectable:
            continue
        for part in whole_sentences(_CODE.sub("\n", said_in(turn))[:_MOST_CHARS]):
            text = " ".join(part.split())
            if not text or len(text) > _LONGEST or LEFT_OUT in text:
                continue
            reading = read(text)
            if len(reading.content) >= _LEAST_WORDS:
                place += 1
                yield _Sentence(place, turn, text, reading)
            if place == _MOST_SENTENCES:
                return


def _weight(sentence: _Sentence, counts: Counter[str]) -> float:
    words = sentence.reading.content
    weight = sum(1 + math.log(counts[key]) for key in words) / (len(words) + _SMOOTH)
    if sentence.text[-1] in QUESTION_MARKS:
        weight *= _ASKED
    if sentence.turn.origin is Origin.ASSISTANT_SAID:
        weight *= _ASSISTANT
    return weight


def _joined(sentences: Sequence[_Sentence]) -> str:
    parts: list[str] = []
    before = ""
    for sentence in sorted(sentences, key=lambda sentence: sentence.place):
        if parts and parts[-1][-1].isalnum():  # Typed without a sign, it would run on into the next.
            parts[-1] += "。" if _CJK.match(parts[-1][-1]) else "."
        name = str(sentence.turn.metadata.get("sender") or "")
        parts.append(f"{name}: {sentence.text}" if name and name != before else sentence.text)
        before = name
    return " ".join(parts)
