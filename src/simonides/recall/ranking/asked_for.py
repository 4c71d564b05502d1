"""Questions about a subject that memory knows, and how well the statements about it hold what is asked.

"When is Anna's birthday?" shares its name with every statement about Anna. What it asks for is the rest of its words.
That is compared with the rest of each statement, and where a time or a number is asked for, one of them has to tell it.
Pure but for the embedder.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from statistics import median
from typing import Final, cast

import numpy as np

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.errors import ProviderError
from simonides.language.search_tokens import tokens_of
from simonides.language.value import ValueKind
from simonides.language.values import tells_value
from simonides.recall.candidates import CandidateTable, Floats
from simonides.recall.question.asks import ONE_THING
from simonides.recall.question.speech import Act, act
from simonides.recall.ranking.match import relevance
from simonides.values import dataclass

#: Candidates that are compared, the most relevant first, and how many of them at most count as being about the subject.
_COMPARED: Final = 12
_MOST_ABOUT: Final = 4
#: A subject is known where its name is held, or a text that holds so much of the question; and what is about the same
#: holds nearly as much.
_HELD: Final = 0.5
_NEARLY_BEST: Final = 0.8
#: Words at most of a question about one thing of a subject, and of the middle one of so many texts that state little.
_MOST_ASKED: Final = 8.0
_MOST_STATED: Final = 16.0
_FIRST: Final = 6
_READ_CHARS: Final = 400
_CJK_WORD_CHARS: Final = 1.6
#: What a text is compared as that says nothing beside the words of the question.
_NOTHING: Final = "-"
#: A word, and one that may be a CJK sign: to compile the latter takes longer than a search has.
_PLAIN_WORD: Final = later(r"[^\W_]+")
_WORD: Final = later(rf"[{CJK}]|[^\W_{CJK}]+")
_CJK_SIGN: Final = later(f"[{CJK}]")


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Measure of how well the statements about a known subject hold what is asked of it.

    Attributes:
        near: Cosine of what is asked for and the rest of the nearest of them; 1 where one holds every word.
        apart: Its lead over the nearest of all other texts; 1 where one holds every word.
        unmet: A value is asked for, and none of them tells any.
    """

    near: float
    apart: float
    unmet: bool


class _Words:
    """A text as its words, each with its tokens; a CJK sign is a word."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = text.isascii()
        self._words: list[str] = (_PLAIN_WORD if self._plain else _WORD).findall(text)

    @cached_property
    def _cut(self) -> list[Sequence[str]]:
        if self._plain:  # Between blanks, each of them is one token.
            return [(token,) for token in tokens_of(" ".join(self._words))]
        return list(map(tokens_of, self._words))

    @cached_property
    def tokens(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self._cut))

    def without(self, held: frozenset[str]) -> str:
        """The words that hold none of these tokens."""
        left = [word for word, own in zip(self._words, self._cut, strict=True) if held.isdisjoint(own)]
        if self._plain:
            return "  ".join(left)
        return "".join(word if _CJK_SIGN.match(word) else f" {word} " for word in left).strip()

    @property
    def length(self) -> float:
        """About how many words it has."""
        signs = 0 if self._plain else sum(_CJK_SIGN.match(word) is not None for word in self._words)
        return len(self._words) - signs + signs / _CJK_WORD_CHARS


def asked_for(candidates: CandidateTable) -> AskedFor | None:
    """Measure how well the statements about the subject of a question hold what is asked of it.

    None where that cannot be told: nothing is asked of a subject, none is known, it was asked before (what follows may
    answer), the message is long or asks several things, the texts are longer than statements are, or the embedder
    fails or would take too long.
    """
    query, analysis = candidates.query, candidates.query.analysis
    if query.embed is None or len(query.parts) > 1 or not len(candidates):
        return None
    if analysis.expects not in ONE_THING:
        return None
    question = _Words(" ".join(analysis.content_terms))
    if question.length > _MOST_ASKED:
        return None
    order: list[int] = np.argsort(-relevance(candidates.coverage, candidates.cosine), kind="stable").tolist()
    order = order[:_COMPARED]
    texts = [_Words(candidates.read[row].content[:_READ_CHARS]) for row in order]
    if median(text.length for text in texts[:_FIRST]) > _MOST_STATED:
        return None
    names = _Words(" ".join(analysis.names)).tokens & question.tokens
    about = _about(names, candidates.coverage[order], texts)
    if not about or any(act(texts[place].text) is Act.ASKS for place in about):
        return None
    lacking = [question.without(texts[place].tokens) for place in about]
    near, apart = 1.0, 1.0
    if all(lacking):
        try:
            vectors = query.embed([*lacking, *(text.without(question.tokens) or _NOTHING for text in texts)])
        except ProviderError:
            return None
        if vectors is None:
            return None
        # Row by row: small matrix products start threads that cost more than they do.
        asked, rests = vectors[: len(about), None, :], vectors[None, len(about) :, :]
        near, apart = _nearest(cast("Floats", query.scale(np.vecdot(asked, rests).astype(np.float64))), about)
    wanted = analysis.values - {ValueKind.NAME}
    unmet = bool(wanted) and not any(tells_value(texts[place].text, wanted) for place in about)
    return AskedFor(near, apart, unmet)


def _about(names: frozenset[str], coverage: Floats, texts: Sequence[_Words]) -> list[int]:
    """Places of the texts about what a question is about: they hold the most of its names, else of its words."""
    held = [len(names & text.tokens) for text in texts]
    best = float(coverage.max())
    if most := max(held):
        return [place for place, count in enumerate(held) if count == most][:_MOST_ABOUT]
    return np.flatnonzero(coverage >= _NEARLY_BEST * best).tolist()[:_MOST_ABOUT] if best >= _HELD else []


def _nearest(cosines: Floats, about: Sequence[int]) -> tuple[float, float]:
    """The highest cosine of what each of some texts lacks and its rest, and the highest lead over all other texts.

    Args:
        cosines: Shape (texts about the subject, texts).
    """
    own = cosines[np.arange(len(about)), about]
    others = [np.delete(row, place).max(initial=-1.0) for place, row in zip(about, cosines, strict=True)]
    return round(float(own.max()), 6), round(float((own - np.array(others)).max()), 6)
