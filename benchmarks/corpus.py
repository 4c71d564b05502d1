"""The corpus of the speed bench: the same for everybody, made from a seed.

Whoever picks the corpus picks the result, so it is fixed: sentences of 20 to 30 words, spliced from
consecutive words of the sample conversation and words of a made-up vocabulary that are as unevenly
common as those of a language.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final

import numpy as np

from benchmarks.worlds import asked
from simonides.sample import World

VOCABULARY: Final = 20_000
#: Words are drawn with a likelihood of 1 / rank: Zipf's law with exponent 1.
_EXPONENT: Final = 1.0
_SHORTEST, _LONGEST = 20, 30
_ONSETS: Final = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "z",
)
_VOWELS: Final = ("a", "e", "i", "o", "u", "ai", "ou")
_CODAS: Final = ("", "", "l", "n", "r", "s", "m")
#: Random numbers that are drawn at a time.
_PIECE: Final = 4096


class Corpus:
    """Texts without end, and questions about them.

    Args:
        sample: The conversation whose words are spliced in and whose questions are asked.
        seed: Another seed, another corpus; the same seed, the same texts in the same order.
    """

    def __init__(self, sample: World, seed: int) -> None:
        self._turns = [words for turn in sample.turns.values() if len(words := turn.text.split()) > 3]
        self._questions = [question.text for question in asked(sample.questions, abstaining=True)]
        self.seed = seed
        self._words = _vocabulary(seed)

    def texts(self, count: int, part: int = 0) -> list[str]:
        """So many texts. Another part has other texts."""
        return list(islice(self.stream(part), count))

    def stream(self, part: int = 0) -> Iterator[str]:
        """The texts of a part, one after the other without end: a million need not be held at once."""
        return self._sentences(np.random.default_rng((self.seed, 1, part)))

    def questions(self, size: int, count: int) -> list[tuple[str, int | None]]:
        """Questions by turns of two kinds, each with the number of the text it is made from.

        One half are real questions of the sample (without a text), the other four words of one of the
        first `size` texts. The texts are made twice, and only those that are asked about are kept.
        """
        lengths = bytearray(len(text.split()) for text in islice(self.stream(), size))
        random = np.random.default_rng((self.seed, 2))
        drawn: list[tuple[int, list[int]]] = []
        for _ in range(count // 2):
            text = int(random.integers(size))
            drawn.append((text, sorted(random.choice(lengths[text], 4, replace=False).tolist())))
        wanted = {text for text, _ in drawn}
        texts = {n: text.split() for n, text in enumerate(islice(self.stream(), size)) if n in wanted}
        found: list[tuple[str, int | None]] = []
        for number in range(count):
            if number % 2:
                text, chosen = drawn[number // 2]
                found.append((" ".join(texts[text][n] for n in chosen), text))
            else:
                found.append((self._questions[number // 2 % len(self._questions)], None))
        return found

    def _sentences(self, random: np.random.Generator) -> Iterator[str]:
        likelihood = 1.0 / np.arange(1, VOCABULARY + 1) ** _EXPONENT
        likelihood /= likelihood.sum()
        while True:
            lengths: list[int] = random.integers(_SHORTEST, _LONGEST + 1, _PIECE).tolist()
            spliced: list[float] = random.uniform(1 / 3, 2 / 3, _PIECE).tolist()
            turns: list[int] = random.integers(0, len(self._turns), _PIECE).tolist()
            places: list[list[float]] = random.random((_PIECE, 2)).tolist()
            ranks: list[list[int]] = random.choice(VOCABULARY, (_PIECE, _LONGEST), p=likelihood).tolist()
            for length, share, turn, (begin, cut), drawn in zip(
                lengths, spliced, turns, places, ranks, strict=True
            ):
                source = self._turns[turn]
                taken = min(len(source), round(length * share))
                first = int(begin * (len(source) - taken + 1))
                made = [self._words[rank] for rank in drawn[: length - taken]]
                at = int(cut * (len(made) + 1))
                text = " ".join([*made[:at], *source[first : first + taken], *made[at:]])
                yield f"{text[0].upper()}{text[1:]}."


@cache
def _vocabulary(seed: int) -> list[str]:
    """Pronounceable words of one to three syllables, each once, the short ones first: they are the common ones."""
    random = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        drawn: list[list[int]] = random.integers(0, 1 << 16, (_PIECE, 10)).tolist()
        for count, *rest in drawn:
            syllables = (
                _ONSETS[rest[n] % len(_ONSETS)]
                + _VOWELS[rest[n + 1] % len(_VOWELS)]
                + _CODAS[rest[n + 2] % len(_CODAS)]
                for n in range(0, 3 * (1 + count % 3), 3)
            )
            found.setdefault("".join(syllables))
    return sorted(islice(found, VOCABULARY), key=len)
