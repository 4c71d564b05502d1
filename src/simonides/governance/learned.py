"""A learned opinion beside the rules: how much a text sounds like an order to the model that will read it.

A linear model over hashed pieces of characters and words, summed sentence by sentence; the strongest one or two
sentences in a row speak for the text. The weights are data, `learned.npz`, made by `benchmarks/detector.py`;
`learned.json` beside them is their card: what they were trained on, and how they were judged.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.pattern import later
from simonides.values import dataclass

#: Buckets of the hashes of pieces, a power of two.
BUCKETS: Final = 1 << 17
_SIZES: Final = (3, 4, 5)
_BASE: Final = np.uint32(0x01000193)
_MIX: Final = np.uint32(0x9E3779B1)
_SHIFT: Final = np.uint32(17)
_WORDS: Final = np.uint32(0x5BD1E995)
_PAIRS: Final = np.uint32(0x27D4EB2F)

#: Of a longer text its beginning and its end are read: the cost stays bounded.
_HEAD: Final = 6_000
_TAIL: Final = 2_000
#: Added to the length that a sum is divided by, so that two words do not outweigh a paragraph.
_CALM: Final = 60.0
#: Words that explain an opinion.
_STRONGEST: Final = 3

_LINK: Final = re.compile(r"https?://\S+|www\.\S+")
_WORD: Final = re.compile(r"\S+")
#: As far as the last domain in a word.
_DOMAIN: Final = re.compile(r"\S*(\.)\w+")
#: Keys, hashes and the like: letters and digits in one, or more in one word than words have. Each stretch is looked
#: at from its beginning only, or behind another, up to its first digit and the first letter behind that: no other
#: choice matches more.
_NOISE: Final = later(
    r"(?:(?<![\w+/=-])|(?<=[!-~]{32})(?![!-~]))(?:(?!\d)[\w+/=-])*+\d(?:(?![A-Za-z_+/=])[\w+/=-])*+[A-Za-z_+/=]"
    r"[\w+/=-]{6,}+|[!-~]{32,}+"
)
_NUMBER: Final = re.compile(r"\d+")
#: A part of the model: its weights were learned of sentences that end here, also in languages that nothing else reads.
_END: Final = later(r"(?<=[.!?。！？؟।])\s+|(?<!\s)\s*\n\s*+|(?<=[。！？])")

#: A sentence goes on no longer than this: in a list without an end, what is said over and over would add up.
_SENTENCE: Final = re.compile(r"(?s).{1,300}(?:\s+|\Z)|.{300}")

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Opinion:
    """Scores of a text by the model.

    Attributes:
        score: In log odds; above 0 it is taken for an order.
        words: The words that speak most for it, the strongest first.
    """

    score: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text cut up.

    Attributes:
        hashes: Buckets of all pieces, in the order of the text within each kind of piece.
        places: The character that each piece ends at, in `text`.
        text: As it was read: in small letters, with links, addresses and numbers folded.
        ends: Where each sentence ends in `text`.
    """

    hashes: NDArray[np.uint32]
    places: NDArray[np.int64]
    text: str
    ends: NDArray[np.int64]


def pieces(text: str) -> Pieces:
    """Cut a text into pieces. Cost: linear in at most 8,000 characters."""
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    plain = _NUMBER.sub("0", _NOISE.sub("\x04", _without_mailboxes(_LINK.sub("\x01", text)))).casefold()
    stretches = (short for part in _END.split(plain) if part for short in _SENTENCE.findall(part))
    sentences = [f"\x03{part.strip()} " for part in stretches if not part.isspace()]
    joined = "".join(sentences)
    ends = np.cumsum([len(part) for part in sentences], dtype=np.int64)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    hashes: list[NDArray[np.uint32]] = []
    places: list[NDArray[np.int64]] = []
    for size in _SIZES:
        if len(codes) < size:
            continue
        length = len(codes) - size + 1
        rolled = np.full(length, np.uint32(size), np.uint32)
        for step in range(size):
            rolled = (rolled * _BASE) ^ codes[step : step + length]
        hashes.append(rolled)
        places.append(np.arange(size - 1, len(codes), dtype=np.int64))
    words, at = _words(codes)
    if len(words):
        hashes += [words ^ _WORDS, (words[:-1] * _BASE) ^ words[1:] ^ _PAIRS]
        places += [at, at[1:]]
    if not hashes:
        return Pieces(np.zeros(0, np.uint32), np.zeros(0, np.int64), joined, ends)
    mixed = np.concatenate(hashes) * _MIX
    mixed ^= mixed >> _SHIFT
    return Pieces((mixed * _BASE) & np.uint32(BUCKETS - 1), np.concatenate(places), joined, ends)


def _without_mailboxes(text: str) -> str:
    return _WORD.sub(_mailbox, text) if "@" in text else text


def _mailbox(word: re.Match[str]) -> str:
    """A word with a sign for the mailboxes in it: all from its beginning to its last domain."""
    text = word[0]
    at = text.find("@", 1)
    domain = _DOMAIN.match(text) if at > 0 else None
    return text if domain is None or domain.start(1) < at + 2 else f"\x02{text[domain.end() :]}"


def _words(codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """A hash of each word, and the place of its last character."""
    inside = codes != np.uint32(ord(" "))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
    starts, stops = edges[::2], edges[1::2]
    if not len(starts):
        return np.zeros(0, np.uint32), np.zeros(0, np.int64)
    # A polynomial over the word: what stands before it is taken off by its place.
    powers = _powers(len(codes))
    offsets = np.zeros(len(codes), np.int64)
    offsets[starts] = np.diff(np.concatenate([[0], starts]))
    within = np.arange(len(codes)) - np.cumsum(offsets)
    sums = np.add.reduceat(np.where(inside, codes * powers[within], np.uint32(0)), starts, dtype=np.uint32)
    return sums, stops - 1


@cache
def _longest() -> NDArray[np.uint32]:
    powers = np.full(_HEAD + 2 * _TAIL, _BASE, np.uint32)
    return np.cumprod(powers, dtype=np.uint32)


def _powers(length: int) -> NDArray[np.uint32]:
    known = _longest()
    return (
        known[:length]
        if length <= len(known)
        else np.cumprod(np.full(length, _BASE, np.uint32), dtype=np.uint32)
    )


def windows(cut: Pieces, by_piece: Counts) -> tuple[Counts, NDArray[np.int64], NDArray[np.int64]]:
    """Scores of one sentence and of two in a row, and where each begins and ends in the text as it was read."""
    sums = np.bincount(cut.places, by_piece, minlength=len(cut.text))
    upto = np.concatenate([[0.0], np.cumsum(sums)])
    starts = np.concatenate([[0], cut.ends[:-1]])
    begins = np.concatenate([starts, starts[:-1]])
    stops = np.concatenate([cut.ends, cut.ends[1:]])
    return (upto[stops] - upto[begins]) / np.sqrt(stops - begins + _CALM), begins, stops


def opinion(text: str) -> Opinion:
    """Score a text by the packaged model."""
    weights, offset = _weights()
    cut = pieces(text)
    if not len(cut.hashes):
        return Opinion(float(offset), ())
    by_piece = weights[cut.hashes]
    scores, begins, stops = windows(cut, by_piece)
    best = int(np.argmax(scores))
    score = float(scores[best] + offset)
    if score <= 0:
        return Opinion(score, ())
    return Opinion(score, _strongest(cut, by_piece, int(begins[best]), int(stops[best])))


def _strongest(cut: Pieces, by_piece: Counts, begin: int, stop: int) -> tuple[str, ...]:
    """The words of a stretch that add most to its score."""
    at = np.bincount(cut.places, by_piece, minlength=len(cut.text))
    weights: dict[str, float] = {}
    for word in re.finditer(r"[^\s\x01-\x04]+", cut.text[begin:stop]):
        plain = word[0].strip(".,;:!?\"'()[]")
        if len(plain) > 1 or not plain.isascii():
            weights[plain] = weights.get(plain, 0.0) + float(
                at[begin + word.start() : begin + word.end()].sum()
            )
    return tuple(sorted(weights, key=lambda plain: -weights[plain])[:_STRONGEST])


@cache
def _weights() -> tuple[Counts, float]:
    """Weights by bucket, and what is added: the threshold is part of it."""
    with (
        (resources.files("simonides.governance") / "learned.npz").open("rb") as file,
        np.load(file) as stored,
    ):
        scale = float(stored["scale"])
        return stored["weights"].astype(np.float64) * scale, float(stored["offset"])
