"""The passages of a long text that hold what a question looks for: what is read of it, and shown. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from typing import Final, NamedTuple

from simonides.domain.text import cjk_runs, shortened
from simonides.values import dataclass

#: A text of so many characters is read whole.
WHOLE_CHARS: Final = 4_000
#: What is read of a longer one: passages of so many characters, so many at most. They are as long as what they are
#: compared with, turns and facts: of a longer one, any vector and any weight of a word says less. Of more of them,
#: words that stand far apart would count as if they said something together.
PASSAGE_CHARS: Final = 240
_PASSAGES: Final = 2
#: What is shown of a text that is longer than all of that together.
_SHOWN_CHARS: Final = 400
_SHOWN_PASSAGES: Final = 3
SHOWN_CHARS: Final = _SHOWN_PASSAGES * _SHOWN_CHARS
#: Between two passages.
_GAP: Final = " … "
#: Shorter beginnings are words by themselves: too many others begin like them.
_BEGINNING: Final = 3
#: What follows in a word.
_REST: Final = re.compile(r"\w+")
#: Places of one word that are looked at.
_MOST_PLACES: Final = 5_000
#: A passage begins and ends between two words, where one ends so near.
_WORD_CHARS: Final = 40

Tokens = Callable[[Sequence[str]], list[list[str]]]


class _Folded(dict[int, int | str]):
    """For `str.translate`: small letters without marks, one for one, so that places stay."""

    def __missing__(self, code: int) -> int | str:
        base = unicodedata.normalize("NFKD", chr(code))[0].lower()
        self[code] = folded = base if len(base) == 1 else code
        return folded


_FOLDED: Final = _Folded()


def folded(text: str) -> str:
    """The text in small letters without marks; every character stays in its place."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


class _TokenPlace(NamedTuple):
    start: int
    end: int
    token: str


@dataclass(frozen=True, slots=True)
class Sought:
    """Words that are looked for in long texts.

    Attributes:
        weights: What each token of the question is worth, > 0.
        beginnings: What words of that token begin with, folded.
        tokens: Cuts texts as the text index does.
    """

    weights: Mapping[str, float]
    beginnings: Sequence[str]
    tokens: Tokens = field(compare=False)

    @classmethod
    def of(cls, terms: Iterable[str], weights: Mapping[str, float], tokens: Tokens) -> Sought:
        """Words to look for where a question has these terms.

        Args:
            weights: By token; tokens of no worth are not looked for.
        """
        written = list(dict.fromkeys(terms))
        beginnings: dict[str, None] = {}
        for term, cut in zip(written, tokens(written), strict=True):
            for token in cut:
                if weights.get(token, 0.0) > 0:
                    # "ponies" and "poni" begin "pony", too.
                    beginnings.setdefault(_shared(folded(term), folded(token)) or folded(token))
        return cls({token: worth for token, worth in weights.items() if worth > 0}, tuple(beginnings), tokens)

    def passages(self, text: str, size: int, most: int) -> list[tuple[int, int]]:
        """Places where a text holds what is looked for: stretches in the order of the text that do not overlap.

        The first chosen holds as much as any stretch of that size does, each further one as much as any of what
        the others lack.

        Args:
            size: Characters of a stretch.
            most: Stretches at most.
        """
        places = self._places(text)
        missing = dict(self.weights)
        chosen: list[tuple[int, int]] = []
        while len(chosen) < most and (best := _densest(places, missing, size)) is not None:
            held = places[best.first : best.last + 1]
            chosen.append(_widened(text, held[0].start, held[-1].end, size))
            for place in held:
                missing.pop(place.token, None)
        return _joined(chosen)

    def held(self, text: str) -> float:
        """Share of what is looked for that a text holds: the worth of its tokens, each once."""
        return sum(self.weights[token] for token in {place.token for place in self._places(text)})

    def _places(self, text: str) -> list[_TokenPlace]:
        small = folded(text)
        found: list[tuple[int, int, str]] = []
        for beginning in self.beginnings:
            unspaced = bool(cjk_runs(beginning))
            for start, end in islice(_beginning_with(beginning, small, unspaced=unspaced), _MOST_PLACES):
                if unspaced or not start or not small[start - 1].isalnum():
                    found.append((start, end, small[start:end]))
        words = list(dict.fromkeys(word for _, _, word in found))
        held = {
            word: token
            for word, cut in zip(words, self.tokens(words), strict=True)
            for token in cut
            if token in self.weights
        }
        return sorted(_TokenPlace(start, end, held[word]) for start, end, word in found if word in held)


def _beginning_with(beginning: str, small: str, *, unspaced: bool) -> Iterator[tuple[int, int]]:
    """Places where a folded text holds a beginning, up to the end of the word; of a short one, where the word ends."""
    # A pattern of each would have to be compiled for each question, which takes longer than to look for it.
    at = small.find(beginning)
    while at >= 0:
        end = at + len(beginning)
        if not unspaced and (rest := _REST.match(small, end)):
            if len(beginning) < _BEGINNING:
                at = small.find(beginning, at + 1)
                continue
            end = rest.end()
        yield at, end
        at = small.find(beginning, end)


def _shared(one: str, other: str) -> str:
    """Beginning that both have in common."""
    if one.startswith(other):
        return other
    differing = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return one[: next(differing, len(one))]


class _Stretch(NamedTuple):
    first: int
    last: int


def _densest(places: Sequence[_TokenPlace], worth: Mapping[str, float], size: int) -> _Stretch | None:
    """The places within so many characters that are worth most together; of equal ones the closest, then the first."""
    best: tuple[float, int, int] | None = None
    stretch: _Stretch | None = None
    counts: Counter[str] = Counter()
    total, first = 0.0, 0
    for last, place in enumerate(places):
        if place.token in worth:
            counts[place.token] += 1
            if counts[place.token] == 1:
                total += worth[place.token]
        while first < last and (
            place.end - places[first].start > size
            or places[first].token not in worth
            or counts[places[first].token] > 1
        ):
            token = places[first].token
            if token in worth:
                counts[token] -= 1
                if not counts[token]:
                    total -= worth[token]
            first += 1
        if place.token not in worth or total <= 0:
            continue
        rank = (round(total, 6), places[first].start - place.end, -place.start)
        if best is None or rank > best:
            best, stretch = rank, _Stretch(first, last)
    return stretch


def _widened(text: str, start: int, end: int, size: int) -> tuple[int, int]:
    """A stretch with as much before it as behind it, so many characters in all, cut between words."""
    room = max(0, size - (end - start))
    first = max(0, min(start - room // 2, len(text) - size))
    last = min(len(text), max(first + size, end))
    if first and (blank := text.find(" ", first, min(first + _WORD_CHARS, start))) >= 0:
        first = blank + 1
    if last < len(text) and (blank := text.rfind(" ", max(last - _WORD_CHARS, end), last)) >= 0:
        last = blank
    return first, last


def _joined(stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(stretches):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def read_of(text: str, sought: Sought) -> str:
    """Text that is read: all of a short one; of a long one what holds the question, else its beginning."""
    if len(text) <= WHOLE_CHARS:
        return text
    stretches = sought.passages(text, PASSAGE_CHARS, _PASSAGES)
    return _GAP.join(text[first:last] for first, last in stretches) or text[:WHOLE_CHARS]


def excerpts_of(texts: Iterable[str], sought: Sought) -> list[str]:
    """Excerpt of each text that is too long to be shown whole; empty for the others, which most are."""
    return [excerpt_of(text, sought) if len(text) > SHOWN_CHARS else "" for text in texts]


def excerpt_of(text: str, sought: Sought) -> str:
    """Excerpt of a text that is too long to be shown whole, "…" where it goes on; empty for a shorter one.

    The passages that hold most of the question, else the beginning. A little longer than `SHOWN_CHARS` at most.
    """
    if len(text) <= SHOWN_CHARS:
        return ""
    stretches = sought.passages(text, _SHOWN_CHARS, _SHOWN_PASSAGES)
    if not stretches:
        return shortened(text, SHOWN_CHARS)
    shown = _GAP.join(text[first:last] for first, last in stretches)
    return f"{'… ' if stretches[0][0] else ''}{shown}{' …' if stretches[-1][1] < len(text) else ''}"
