"""Words of a store that stand for a word of a question: other forms of it, what it was meant to be, its parts.

English and Russian forms share a token already (`search_tokens`). Pure: what a store holds comes with the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from simonides.language.common_words import COMMON
from simonides.language.kin import kin_alike
from simonides.language.porter import porter
from simonides.language.terms import STOP_WORDS

#: Variants of a word, at most.
MOST: Final = 12
#: Words that begin alike and are compared, at most.
MOST_COMPARED: Final = 4_000
#: Letters of a word that another may be mistaken for, at least; where two letters changed places, one fewer.
_SLIP: Final = 5
#: Words that a slip may have been meant to be, at most.
_MOST_SLIPS: Final = 3
#: Letters of a word that is taken apart, and of each part, at least.
_COMPOUND: Final = 8
_PART: Final = 3
#: What stands between the parts of a German or Dutch compound.
_JOINTS: Final = ("", "s", "n", "en", "es", "er", "e")
#: Endings that the English stemmer takes from a long word and leaves a short one.
_TAILS: Final = ("", "er", "e")
#: A name that has lost one of these is one still.
TAILS_OF_NAMES: Final = ("", "e", "s")
#: Endings of nouns, adjectives and verbs, the longest first, as they are left by the English stemmer.
_ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": ("ern", "em", "en", "er", "es", "e", "n"),
    "fr": ("aient", "ent", "ait", "ais", "ant", "ons", "er", "ez", "ee", "e", "x", "s"),
    "es": ("iendo", "ando", "amos", "emos", "ado", "ido", "aba", "os", "as", "es", "ar", "er", "ir", "o", "a", "e"),
}  # fmt: skip
_STEM: Final = 3


class Vocabulary(Protocol):
    """The tokens that a store holds."""

    def beginning(self, beginnings: Sequence[str], most: int) -> Sequence[tuple[str, int]]:
        """Tokens that begin with any of these, with the number of items that hold each; so many at most."""
        ...

    def counts(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """Number of items that hold each token."""
        ...

    def named(self, words: Sequence[str]) -> Collection[str]:
        """Those of the words that are names of entities."""
        ...


class Lookups(NamedTuple):
    """All but names that `variants` may ask of a store's vocabulary: a store that is far away looks it up in one go.

    Attributes:
        beginnings: Beginnings that are looked through in any case.
        slips: Of each word, which beginning is looked through where the store does not hold the word.
        parts: Of each word, the parts whose items are counted then.
        alike: Words for the kin that the question names by others, which are counted in any case.
        names: Of each word that is not written like a name, what a name begins with that may be meant then, what such a
            name may begin with besides, and what it may end with, but for `TAILS_OF_NAMES`.
    """

    beginnings: Sequence[str]
    slips: Mapping[str, str]
    parts: Mapping[str, Sequence[str]]
    alike: Sequence[str]
    names: Mapping[str, tuple[str, str, str]]


def lookups(tokens: Iterable[str], names: Collection[str], language: str | None) -> Lookups:
    """All that `variants` may ask about words of a question."""
    tokens = list(tokens)
    words = _words(tokens)
    endings = _ENDINGS.get(language or "", ())
    spaced = [word for word in words if _is_spaced(word)]
    stems = {word: _stem(word, endings) for word in words} if endings else {}
    slips = _slip_beginnings(spaced, names)
    return Lookups(
        sorted(_stem_beginnings(stems.values())),
        slips,
        {word: sorted({part for pair in pairs for part in pair}) for word, pairs in _pairs(spaced).items()},
        sorted({other for token in tokens for other in kin_alike(token)}),
        {word: (first, *_left_by_a_slip(word)) for word, first in slips.items() if word not in names},
    )


def variants(
    tokens: Iterable[str],
    names: Collection[str],
    language: str | None,
    vocabulary: Vocabulary,
) -> dict[str, tuple[str, ...]]:
    """Words of a store's vocabulary that stand for those of a question, beside these themselves.

    Forms by the endings of the question's language, and other words for the same kin. For what the store does not
    hold: of a name, and of a word for which a name of an entity may be meant, words that are one slip away; of a long
    word its two parts, which an item has to hold both (joined by a blank).

    Args:
        tokens: Those of the question.
        names: Those of them that are written like names.

    Returns:
        By token, most held first; those without a variant are left out.
    """
    tokens = list(tokens)
    words = _words(tokens)
    endings = _ENDINGS.get(language or "", ())
    alike = {token: some for token in tokens if (some := kin_alike(token))}
    if not words and not alike:
        return {}
    stands_for = _inflected(words, endings, vocabulary) if endings else {}
    counts = vocabulary.counts([*words, *sorted({other for some in alike.values() for other in some})])
    for token, some in alike.items():
        held = _most_held((other, counts[other]) for other in some if counts[other])
        if held:
            stands_for[token] = tuple(dict.fromkeys([*stands_for.get(token, ()), *held]))[:MOST]
    absent = [word for word in words if not counts[word] and word not in stands_for and _is_spaced(word)]
    if absent:
        stands_for |= _slips(absent, names, vocabulary)
        stands_for |= _compounds([word for word in absent if word not in stands_for], vocabulary)
    return stands_for


def _words(tokens: Iterable[str]) -> list[str]:
    return [token for token in dict.fromkeys(tokens) if len(token) > _STEM and token.isalpha()]


def _is_spaced(word: str) -> bool:
    return word[0] < "\u0900"


def _inflected(
    words: Sequence[str], endings: Sequence[str], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    stems = {word: _stem(word, endings) for word in words}
    beginnings = _stem_beginnings(stems.values())
    by_stem: dict[str, list[tuple[str, int]]] = {}
    for other, held in vocabulary.beginning(sorted(beginnings), MOST_COMPARED):
        by_stem.setdefault(_stem(other, endings), []).append((other, held))
    alike = {
        word: _most_held([one for one in by_stem.get(stem, ()) if one[0] != word])
        for word, stem in stems.items()
    }
    return {word: some for word, some in alike.items() if some}


def _stem_beginnings(stems: Iterable[str]) -> set[str]:
    return {stem[:-1] if stem.endswith("al") else stem for stem in stems}  # cheval, chevaux


def _stem(word: str, endings: Sequence[str]) -> str:
    if "aient" in endings and word.endswith("aux") and len(word) > 2 + _STEM:
        return f"{word[:-2]}l"
    ending = next((end for end in endings if word.endswith(end) and len(word) - len(end) >= _STEM), "")
    return porter(word.removesuffix(ending))  # "Haus" has lost its s, "Häuser" only now.


def _slips(
    absent: Sequence[str], names: Collection[str], vocabulary: Vocabulary
) -> dict[str, tuple[str, ...]]:
    beginnings = _slip_beginnings(absent, names)
    alike = vocabulary.beginning(sorted(set(beginnings.values())), MOST_COMPARED) if beginnings else ()
    near = {
        word: [
            (other, held)
            for other, held in alike
            if (other.startswith(half) or other.endswith(rest))
            and other.startswith(beginning)
            and is_slip(word, other)
            and other not in STOP_WORDS
        ]
        for word, beginning in beginnings.items()
        for half, rest in [_left_by_a_slip(word)]
    }
    spelt = {
        other + tail: other
        for word, some in near.items()
        if word not in names
        for other, _ in some
        for tail in TAILS_OF_NAMES
    }
    known = {spelt[name] for name in vocabulary.named(sorted(spelt))} if spelt else set[str]()
    kept = {
        word: _most_held([one for one in some if word in names or one[0] in known])[:_MOST_SLIPS]
        for word, some in near.items()
    }
    return {word: some for word, some in kept.items() if some}


def _slip_beginnings(words: Iterable[str], names: Collection[str]) -> dict[str, str]:
    # Of what is not written like a name fewer are looked through: questions are full of words that a store lacks.
    return {
        word: word[: 1 if word in names else 2]
        for word in words
        if len(word) >= _SLIP - 1 and word not in COMMON
    }


def _left_by_a_slip(word: str) -> tuple[str, str]:
    """A slip leaves the first half of a word as it is, or what follows the letter behind it."""
    half = len(word) // 2
    return word[:half], word[half + 1 :]


def is_slip(word: str, other: str) -> bool:
    """True if one letter was left out, added or changed, or two neighbours were exchanged, in a word of some length."""
    if word == other or min(len(word), len(other)) < _SLIP - 1 or abs(len(word) - len(other)) > 1:
        return False
    first = next(
        (n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    one, two = word[first:], other[first:]
    if len(word) == len(other) and one[:2] == two[1::-1] and one[2:] == two[2:]:
        return True
    return len(word) >= _SLIP and (one[1:] == two[1:] or one[1:] == two or one == two[1:])


def _compounds(words: Sequence[str], vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    pairs = _pairs(words)
    counts = vocabulary.counts(sorted({part for some in pairs.values() for pair in some for part in pair}))
    compounds: dict[str, tuple[str, ...]] = {}
    for word, some in pairs.items():
        held = [(min(map(len, pair)), pair) for pair in some if all(counts[part] for part in pair)]
        if held:
            compounds[word] = (" ".join(max(held)[1]),)
    return compounds


def _pairs(words: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    return {word: _parts(word) for word in words if len(word) >= _COMPOUND}


def _parts(word: str) -> list[tuple[str, str]]:
    return [
        (word[:cut].removesuffix(joint), word[cut:] + tail)
        for tail in _TAILS
        for cut in range(_PART, len(word) - _PART + 1)
        for joint in _JOINTS
        if word[:cut].endswith(joint) and cut - len(joint) >= _PART
    ]


def _most_held(counted: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(word for word, _ in sorted(counted, key=lambda one: (-one[1], one[0]))[:MOST])
