"""The words of texts as numbers in columns: what the ranking counts, cut once for each text. Pure.

A token is known by its code: two of them are the same word where these are equal. What is kept between questions holds
no text, only such numbers, and is found by hashes of the text: what was purged cannot be read from it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import accumulate, count, pairwise
from struct import Struct
from typing import Final, Generic, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.pattern import later
from simonides.language.search_tokens import tokens_of
from simonides.values import dataclass

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
T = TypeVar("T")

#: Numbers that are kept of texts, in each of two generations: those of some thousand turns. A text costs so many beside
#: those of its tokens, and of a longer one nothing is kept.
_KEPT: Final = 600_000
_BESIDE: Final = 40
_LONGEST: Final = 20_000
READ_CHARS: Final = 3_000
#: Spreads what differs over all bits of a code, and is undone by its inverse.
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
#: The last bits of a code, by which those that are looked for are found.
_ENDS: Final = 0x3FFF
#: Bits by which texts that have few words in common are told from others; a power of two.
_BITS: Final = 512
#: How who speaks says that it is about them.
_SELF: Final = (" I ", " I'", " my ", " me ", " we ", " our ")
#: Share of such words from which a text is wholly about who speaks.
_SELF_SHARE: Final = 0.12
_TIME_WORDS = """
yesterday yesterdai today todai tomorrow tonight last next ago week weekend month year monday mondai tuesday tuesdai
wednesday wednesdai thursday thursdai friday fridai saturday saturdai sunday sundai january januari february
februari march april june july juli august septemb september octob october novemb november decemb december вчера
сегодня завтра неделе недели месяц месяце год году года hier demain semaine mois année anné 昨天 今天 明天 上周
下周 去年
"""
_COUNT_WORDS = """
one two three four five six seven eight nine ten eleven twelve dozen couple coupl once onc twice twic third
"""
_FIGURES: Final = Struct("8d")
_DIGIT = re.compile(r"\d")
_HAN_NUMBER = later("[一二两三四五六七八九十百千]")


class Figures(NamedTuple, Generic[T]):
    """Figures of a text as the ranking reads it, whatever the question; of several texts, a column each.

    Attributes:
        tokens: Number of its tokens.
        different: Number of different ones.
        words: About how many words it has.
        first_person: How far it is about who speaks, in [0, 1].
        tells_time: 1 where it has a word that places something in time.
        tells_number: 1 where it has a digit, a numeral of Chinese, or a word that counts.
        code: 1 where it holds a block of code.
        question: 1 where it ends in a question mark.
    """

    tokens: T
    different: T
    words: T
    first_person: T
    tells_time: T
    tells_number: T
    code: T
    question: T


class ReadText:
    """A text as the ranking reads it, whatever the question; packed, so that many are joined at once.

    Attributes:
        packed: The codes of its tokens, in their order.
        packed_figures: As `Figures` has them.
        bits: A bit of `_BITS` for each different token; two may share one.
    """

    __slots__ = ("bits", "packed", "packed_figures")

    def __init__(self, packed: bytes, bits: int, packed_figures: bytes) -> None:
        self.packed = packed
        self.bits = bits
        self.packed_figures = packed_figures

    @classmethod
    def each(cls, contents: Sequence[str], packed: Sequence[bytes]) -> list[ReadText]:
        """Texts as they are read. Cost: a few calls for all of them, so that hardly more is spent on each than cutting.

        Args:
            contents: Whose form counts.
            packed: The codes of the tokens of each.
        """
        codes, size = np.frombuffer(b"".join(packed), np.int64), len(packed)
        tokens = np.array([len(some) // codes.itemsize for some in packed], np.intp)
        rows = np.arange(size).repeat(tokens)
        table = np.zeros((len(Figures._fields), size))
        figures = Figures(*table)
        figures.tokens[:] = tokens
        figures.different[:] = _different(codes, rows, size)
        figures.words[:] = [content.count(" ") + 1 for content in contents]
        texts = [content[:READ_CHARS] for content in contents]
        about_self = np.array([sum(map(f" {text}".count, _SELF)) for text in texts], np.float64)
        likely = _SELF_SHARE * np.maximum(8.0, np.minimum(figures.words, READ_CHARS / 5))
        figures.first_person[:] = np.minimum(1.0, about_self / likely)
        figures.tells_time[:] = _TIME.held(codes, rows, size)
        figures.tells_number[:] = np.array(list(map(_has_number, texts)), np.bool_) | _COUNT.held(
            codes, rows, size
        )
        figures.code[:] = ["```" in text for text in texts]
        figures.question[:] = [content.rstrip()[-1:] in "?？" for content in contents]
        told, wide = table.T.tobytes(), _FIGURES.size
        return [
            cls(some, bits, told[at : at + wide])
            for some, bits, at in zip(packed, _bits(codes, rows, size), count(0, wide), strict=False)
        ]

    @property
    def codes(self) -> Codes:
        """The codes of its tokens, in their order."""
        return np.frombuffer(self.packed, np.int64)

    @property
    def figures(self) -> Figures[float]:
        """Its counts."""
        return Figures(*_FIGURES.unpack(self.packed_figures))

    def standing(self, lone: frozenset[str], found: Sequence[str]) -> ReadText:
        """The text with each place where a character stands, in the place of those where it stands alone."""
        other = copy(self)
        others = self.codes[~np.isin(self.codes, coded(lone))]
        codes = np.concatenate([others, coded(found)])
        rows = np.zeros(len(codes), np.intp)
        other.packed, (other.bits,) = codes.tobytes(), _bits(codes, rows, 1)
        figures = self.figures._replace(tokens=len(codes), different=int(_different(codes, rows, 1)[0]))
        other.packed_figures = _FIGURES.pack(*figures)
        return other


def _different(codes: Codes, rows: Indices, size: int) -> Indices:
    """Number of different tokens of each text.

    Args:
        rows: The text that each token is of, ascending.
    """
    ordered = codes.copy()
    ends: list[int] = rows.searchsorted(np.arange(size), side="right").tolist()
    for start, end in pairwise((0, *ends)):
        ordered[start:end].sort()  # Each by itself: much faster than to sort all by two keys.
    first = np.ones(len(codes), np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]) | (rows[1:] != rows[:-1])
    return np.bincount(rows[first], minlength=size)


def _bits(codes: Codes, rows: Indices, size: int) -> list[int]:
    """The bits of each text."""
    table = np.zeros((size, _BITS), np.bool_)
    table[rows, codes & (_BITS - 1)] = True
    packed, wide = np.packbits(table, axis=1).tobytes(), _BITS // 8
    return [int.from_bytes(packed[at : at + wide], "big") for at in range(0, size * wide, wide)]


def _has_number(text: str) -> bool:
    """True if a text has a digit or a numeral of Chinese."""
    if _DIGIT.search(text) is not None:
        return True
    return not text.isascii() and _HAN_NUMBER.search(text) is not None


def coded(tokens: Collection[str]) -> Codes:
    """The codes of tokens, in their order: their hashes, but for pairs of `_PAIRED` letters."""
    codes = np.fromiter(map(hash, tokens), np.int64, len(tokens))
    every = "".join(tokens)
    if not every.isascii() and max(every) >= _FIRST_PAIRED:
        twos = [(place, token) for place, token in enumerate(tokens) if len(token) == 2]
        letters = _letters("".join([token for _, token in twos])).reshape(-1, 2)
        paired = _are_paired(letters).all(axis=1)
        codes[np.array([place for place, _ in twos], np.intp)[paired]] = _of_pairs(letters[paired])
    return codes


def _pairs_of(ends: Sequence[str]) -> list[Codes | None]:
    """The codes of texts that are pairs of letters with blanks between them; None of another, or an empty one."""
    likely = [row for row, end in enumerate(ends) if len(end) % 3 == 2 and not end.isascii()]
    found: list[Codes | None] = [None] * len(ends)
    if not likely:
        return found
    letters = _letters("".join([f"{ends[row]} " for row in likely])).reshape(-1, 3)
    told = _are_paired(letters[:, :2]).all(axis=1) & (letters[:, 2] == ord(" "))
    codes = _of_pairs(letters[:, :2])
    at = 0
    for row in likely:
        end = at + (len(ends[row]) + 1) // 3
        found[row] = codes[at:end] if told[at:end].all() else None
        at = end
    return found


def _letters(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


#: Letters of kana, ideographs and Hangul: two of them are a token as they stand.
_PAIRED_RANGES: Final = ("ぁゖ", "ァヺ", "\u3400\u4db5", "\u4e00\u9fa5", "가힣")
_FIRST_PAIRED: Final = _PAIRED_RANGES[0][0]


def _paired() -> NDArray[np.bool_]:
    found = np.zeros(1 << 16, np.bool_)
    for first, last in _PAIRED_RANGES:
        found[ord(first) : ord(last) + 1] = True
    return found


#: Whether a letter is one of them, by number.
_PAIRED: Final = _paired()


def _are_paired(letters: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return _PAIRED[np.minimum(letters, len(_PAIRED) - 1)]


def _of_pairs(letters: NDArray[np.uint32]) -> Codes:
    """The codes of pairs of letters, shape (n, 2): no two have the same, and few end alike."""
    mixed = (letters[:, 0].astype(np.uint64) << np.uint64(32) | letters[:, 1]) * _ODD
    return (mixed ^ mixed >> np.uint64(32)).view(np.int64)


class _Words:
    """Some words, found among many tokens by the last bits of their codes."""

    def __init__(self, words: str) -> None:
        self._codes = frozenset(coded(words.split()).tolist())
        self._ends = np.zeros(_ENDS + 1, np.bool_)
        self._ends[[code & _ENDS for code in self._codes]] = True

    def held(self, codes: Codes, rows: Indices, size: int) -> NDArray[np.bool_]:
        """True for each text that holds one of them; tokens as of `_different`."""
        found = np.zeros(size, np.bool_)
        at = self._ends[codes & _ENDS].nonzero()[0]
        for row, code in zip(rows[at].tolist(), codes[at].tolist(), strict=True):
            if code in self._codes:
                found[row] = True
        return found


#: Tokens that place something in time, and those that count; as they are and as stems.
_TIME: Final = _Words(_TIME_WORDS)
_COUNT: Final = _Words(_COUNT_WORDS)
#: The hashes of what is read of a text and of all that it says: one of 128 bits, of which the second half would do.
_Key = tuple[int, int]


class _Kept:
    """Texts that were read last, by hash: of two generations the older goes when the younger is full.

    Attributes:
        young: The younger, in which most are found.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers = 0
        self.young: dict[_Key, ReadText] = {}
        self._old: dict[_Key, ReadText] = {}
        self._turning = threading.Lock()

    def get(self, key: _Key) -> ReadText | None:
        if (known := self.young.get(key)) is None and (known := self._old.get(key)) is not None:
            self.put(key, known)
        return known

    def put(self, key: _Key, read: ReadText) -> None:
        with self._turning:
            if self._numbers >= self._most:
                self._old, self.young, self._numbers = self.young, {}, 0
            self.young[key] = read
            self._numbers += len(read.packed) // 8 + _BESIDE


_kept: Final = _Kept(_KEPT)


def read_texts(contents: Sequence[str], pieces: Sequence[tuple[str, ...]]) -> list[ReadText]:
    """Texts as they are read.

    Args:
        contents: Whose form counts.
        pieces: Whose words count, joined by blanks: of the content what is read, and what stands beside it. Where the
            last is nothing but pairs of letters with blanks between them, it need not be cut.
    """
    keys = list(zip(map(hash, contents), map(hash, pieces), strict=True))
    young = _kept.young
    found = [young.get(key) or _kept.get(key) for key in keys]
    missing = [row for row, text in enumerate(found) if text is None]
    if missing:
        packed = packed_codes([pieces[row] for row in missing])
        for row, read in zip(missing, ReadText.each([contents[row] for row in missing], packed), strict=True):
            found[row] = read
            if len(contents[row]) <= _LONGEST:
                _kept.put(keys[row], read)
    return cast("list[ReadText]", found)


def packed_codes(pieces: Sequence[tuple[str, ...]]) -> list[bytes]:
    """The codes of the tokens of texts, packed. Cost: beside cutting, a few calls for all of them.

    Args:
        pieces: As of `read_texts`.
    """
    pairs = _pairs_of([some[-1] for some in pieces])
    cut = [
        tokens_of(" ".join(some if known is None else (*some[:-1], "")))
        for some, known in zip(pieces, pairs, strict=True)
    ]
    heads = coded([token for tokens in cut for token in tokens]).tobytes()
    ends = accumulate([8 * len(tokens) for tokens in cut], initial=0)
    return [
        heads[start:end] if known is None else heads[start:end] + known.tobytes()
        for (start, end), known in zip(pairwise(ends), pairs, strict=True)
    ]


class Places(NamedTuple):
    """Places of some tokens in the texts of a table.

    Attributes:
        numbers: The number of each token.
        at: Each place, ascending, among all tokens of all texts.
        which: The number of the token that stands there.
        rows: The text that it is of.
        size: Number of texts.
    """

    numbers: Mapping[str, int]
    at: Indices
    which: Indices
    rows: Indices
    size: int

    def counts(self) -> Floats:
        """Occurrences of each token in each text; shape (tokens, n)."""
        cells = self.which * self.size + self.rows
        counted = np.bincount(cells, minlength=len(self.numbers) * self.size)
        return counted.reshape(len(self.numbers), self.size).astype(np.float64)

    def sides(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Number of some pairs of the tokens that each text holds side by side; shape (n,)."""
        near = np.flatnonzero((np.diff(self.at) == 1) & (self.rows[:-1] == self.rows[1:]))
        first, second, rows = self.which[near], self.which[near + 1], self.rows[near]
        found = np.zeros((len(pairs), self.size))
        for sides, (one, other) in zip(found, pairs, strict=True):
            sides[rows[(first == self.numbers[one]) & (second == self.numbers[other])]] = 1.0
        return found.sum(axis=0)


@dataclass(frozen=True, slots=True)
class TextTable:
    """The words of n texts.

    Attributes:
        texts: As they are read.
        pieces: What was cut into words of each, joined by blanks.
        codes, rows: Of every token of every text, in their order, and the text that it is of.
        figures: Of each text; every column has the shape (n,).
        cut: Gives the tokens of what is written.
    """

    texts: Sequence[ReadText]
    pieces: Sequence[Sequence[str]]
    codes: Codes
    rows: Indices
    figures: Figures[Floats]
    cut: Callable[[str], Sequence[str]] = tokens_of

    @classmethod
    def of(
        cls, contents: Sequence[str], pieces: Sequence[tuple[str, ...]], lone: frozenset[str]
    ) -> TextTable:
        """The words of texts.

        Args:
            contents, pieces: As of `read_texts`.
            lone: Single characters that a question names: each place where these stand in a run counts.
        """
        texts = read_texts(contents, pieces)
        if not lone:
            return cls.joined(texts, pieces)
        standing = re.compile(f"[{''.join(sorted(lone))}]")
        texts = [
            text.standing(lone, standing.findall(" ".join(some)))
            for text, some in zip(texts, pieces, strict=True)
        ]
        return cls.joined(texts, pieces, partial(_with_lone, lone))

    @classmethod
    def joined(
        cls,
        texts: Sequence[ReadText],
        pieces: Sequence[Sequence[str]],
        cut: Callable[[str], Sequence[str]] = tokens_of,
    ) -> TextTable:
        """The columns of texts that were read."""
        codes = np.frombuffer(b"".join([text.packed for text in texts]), np.int64)
        table = np.frombuffer(b"".join([text.packed_figures for text in texts]), np.float64)
        figures = Figures(*np.ascontiguousarray(table.reshape(len(texts), len(Figures._fields)).T))
        rows = np.arange(len(texts)).repeat(figures.tokens.astype(np.intp))
        return cls(texts, pieces, codes, rows, figures, cut)

    def find(self, tokens: Sequence[str]) -> Places:
        """The places of some tokens, each once, in all texts. Cost: one walk over the codes, however many tokens."""
        at, which = self._places(coded(tokens))
        return Places({token: n for n, token in enumerate(tokens)}, at, which, self.rows[at], len(self.texts))

    def held(self, wanted: Codes) -> NDArray[np.bool_]:
        """True where a text holds the token of a code; shape (codes, n).

        Args:
            wanted: Each once.
        """
        at, which = self._places(wanted)
        found = np.zeros((len(wanted), len(self.texts)), np.bool_)
        found[which, self.rows[at]] = True
        return found

    def _places(self, wanted: Codes) -> tuple[Indices, Indices]:
        """Where some codes stand, ascending, and which of them."""
        # A code is known by its last bits, where no other that is looked for has the same.
        of_ends = np.full(_ENDS + 1, -1, np.int16 if len(wanted) < _ENDS >> 1 else np.int32)
        ends, numbers = wanted & _ENDS, np.arange(len(wanted))
        of_ends[ends] = numbers
        maybe = of_ends[self.codes & _ENDS]
        at = (maybe >= 0).nonzero()[0]
        which, codes = maybe[at].astype(np.intp), self.codes[at]
        same = wanted[which] == codes
        doubled = (of_ends[ends] != numbers).nonzero()[0]
        if not len(doubled):
            return at[same], which[same]
        # These stand where another that ends alike was found and is not the same.
        doubled = doubled[wanted[doubled].argsort()]
        others, ordered = ~same, wanted[doubled]
        places = ordered.searchsorted(codes[others])
        known = ordered.take(places, mode="clip") == codes[others]
        which[np.flatnonzero(others)[known]] = doubled[places[known]]
        same[others] = known
        return at[same], which[same]

    def tokens(self, row: int) -> dict[int, str]:
        """The tokens of a text as they are written, each once, by their codes: it is cut again."""
        codes: list[int] = self.texts[row].codes.tolist()
        return dict(zip(codes, self.cut(" ".join(self.pieces[row])), strict=True))


NO_TEXTS: Final = TextTable.joined((), ())


def _with_lone(lone: frozenset[str], text: str) -> list[str]:
    """The tokens of a text, with each place where one of the characters stands in a run."""
    return [*(token for token in tokens_of(text) if token not in lone), *(one for one in text if one in lone)]
