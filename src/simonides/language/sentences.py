"""A question as its rules read it: bounded, and folded so that no character moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final
from unicodedata import normalize

from simonides.domain.pattern import later
from simonides.domain.text import cleaned_text
from simonides.language.cues import Cues
from simonides.language.quantities import MONTHS_BEHIND_ORDINALS
from simonides.language.tables import languages, table, words
from simonides.language.tokens import folded as folded_word
from simonides.values import dataclass

#: Characters of a message that are read. Of a longer one its beginning and its end are: people paste a text
#: and ask below it. Bounds the cost of any text.
MAX_CHARS: Final = 1_200
_END_CHARS: Final = 400

#: What means the same, one character for one: apostrophes, hyphens, blanks, full-width digits, ё.
_FOLDS: Final = str.maketrans(
    "’‘ʼ‐‑‒–\t\n\r\v\f\u00a0\u2009\u202f\u3000ё０１２３４５６７８９：",
    "'''----         е0123456789:",
)
_MARKS: Final = "!?。！？…\n"
#: No blank has to follow these.
_ENDS_ALONE: Final = frozenset("。！？\n")
_NO_END: Final = "".join(
    rf"(?<!\b{word}\.)" for word in ("dr", "mr", "ms", "st", "vs", "mrs", "str", "prof", r"\w")
)
#: The end of a sentence; a full stop only before a blank, and not behind an initial or a title such as "Dr.".
#: It begins with the signs that may end one: what begins otherwise is passed over at once.
_END = later(
    rf"[{_MARKS}.](?:(?<=[{_MARKS}])[{_MARKS}]*|(?<=\.){_NO_END}(?<!\.\.\.)\.*+(?=\s|$))", re.IGNORECASE
)
#: The word behind a number with a full stop, and the one before; "I am 3." is English.
_BEHIND: Final = later(r" ([^\W\d_]{2,40})\b")
_BEFORE: Final = later(r"(?<!\bi )\b([^\W\d_]{2,8}) \d{1,3}$", re.IGNORECASE)
_BEFORE_CHARS: Final = 16
_BEFORE_ORDINALS: Final = words("before_ordinals", among="calendar")
#: Begin a sentence rather than to be counted.
_NOT_COUNTED: Final = words("behind_figures", among="calendar") | {
    word
    for name in ("opening", "stop", "orders", "situating")
    for code in languages()
    if table(code, "calendar").get("before_ordinals")
    for word in words(name, of=code)
}
#: What a sentence that asks for something holds, with or without a question mark.
_ASKS = Cues("asks")


@dataclass(frozen=True, slots=True)
class QuestionSentence:
    """A sentence of a question.

    Attributes:
        start: Where it begins in the text.
        end: Where it ends, its closing marks left out.
        asks: Whether it asks for something, as far as its marks and words tell.
    """

    start: int
    end: int
    asks: bool


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A question, or the beginning and end of a long one.

    Attributes:
        text: At most `MAX_CHARS` characters, composed (NFC); what cannot be stored is U+FFFD.
        folded: Of the same length: lower case, with one kind of apostrophe, hyphen and blank.
        pieces: Its sentences, in order; at least one, and at least one that asks.
        asking: The sentences that ask, folded, joined by a blank.
    """

    text: str
    folded: str
    pieces: tuple[QuestionSentence, ...]
    asking: str


def read(text: str) -> QuestionText:
    """Read a text, whatever it holds."""
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS - _END_CHARS - 1]}\n{text[-_END_CHARS:]}"
    text = cleaned_text(text)
    if not text.isascii():
        text = normalize("NFC", text)[:MAX_CHARS]
    folded = fold(text)
    pieces = _pieces(text, folded)
    if len(pieces) == 1:
        return QuestionText(text, folded, pieces, folded)
    return QuestionText(text, folded, pieces, " ".join(folded[p.start : p.end] for p in pieces if p.asks))


def fold(text: str) -> str:
    """Lower case and one form of each mark, every character where it was."""
    lower = text.lower()
    if len(lower) != len(text):  # "İ" has a lower case of two characters.
        lower = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return lower.translate(_FOLDS)


def sentences(text: str) -> list[tuple[int, int, str]]:
    """Bounds of a text's sentences, closing marks left out, and the marks with which they close."""
    bounds: list[tuple[int, int, str]] = []
    start = 0
    for end in _END.finditer(text):
        if is_ordinal(text, end.start()):
            continue
        bounds.append((start, end.start(), end[0]))
        start = end.end()
    bounds.append((start, len(text), ""))
    return [bound for bound in bounds if text[bound[0] : bound[1]].strip()]


def is_ordinal(text: str, stop: int) -> bool:
    """True if a full stop makes the number before it count what stands behind: "am 3. Mai", "in der 3. Etage"."""
    numbered = stop > 0 and text[stop] == "." and text[stop - 1].isdigit()
    behind = _BEHIND.match(text, stop + 1) if numbered else None
    if behind is None:
        return False
    before = _BEFORE.search(text[max(stop - _BEFORE_CHARS, 0) : stop])
    return counts("" if before is None else before[1], behind[1])


def whole_sentences(text: str) -> Iterator[str]:
    """Yield a text's sentences as they are written, each with the marks that close it. `a != b` is none by itself."""
    starts = (start for start, _, _ in sentences(text) if start)
    ends = (start for start in starts if text[start].isspace() or text[start - 1] in _ENDS_ALONE)
    for start, end in pairwise([0, *ends, len(text)]):
        if whole := text[start:end].strip():
            yield whole


def counts(before: str, behind: str) -> bool:
    """True if a number with a full stop counts the word behind it, as the words beside it tell."""
    counted = folded_word(behind)
    return counted in MONTHS_BEHIND_ORDINALS or (
        folded_word(before) in _BEFORE_ORDINALS and counted not in _NOT_COUNTED
    )


def _pieces(text: str, folded: str) -> tuple[QuestionSentence, ...]:
    whole = (QuestionSentence(0, len(text), asks=True),)
    bounds = sentences(text)
    if len(bounds) < 2:
        return whole
    marked = any("?" in mark or "？" in mark for _, _, mark in bounds)
    pieces = [
        QuestionSentence(
            start, end, ("?" in mark or "？" in mark) if marked else bool(_ASKS.search(folded, start, end))
        )
        for start, end, mark in bounds
    ]
    return tuple(pieces) if any(piece.asks for piece in pieces) else whole
