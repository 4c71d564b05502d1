"""Tallies of an item's words, many of them asked about at once: whole numbers in a sparse vector.

A word has a place by its hash, where a row has how often it occurs. The inner product with powers of four at the places
of some words is the sum of these numbers, each in two bits of its own.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from simonides.domain.kept import kept
from simonides.storage.postgres.arrays import array

#: Most different tokens that a sparsevec of pgvector has room for.
_MOST_TALLIED: Final = 16_000
#: Places in it: a hash of so many hexadecimal digits.
_PLACE_DIGITS: Final = 7
#: Occurrences that it tells apart, and one more for all others.
_MOST_TOLD: Final = 3
#: So many are asked for at a time, each by its power: a sum of them is exact in single precision.
_DOZEN: Final = 12
_POWERS: Final = tuple((_MOST_TOLD + 1) ** number for number in range(_DOZEN))


@kept(1 << 16)
def place_of(token: str) -> int:
    """The place of a token in the tallies of items, from 1; others may share it. What SQL calls `simonides_place`."""
    return 1 + int(hashlib.sha256(token.encode()).hexdigest()[:_PLACE_DIGITS], 16)


def tallies(counts: Mapping[str, int]) -> str | None:
    """Occurrences of each token, as a sparsevec is written; None of too many tokens. `simonides_tallies` in SQL."""
    if len(counts) > _MOST_TALLIED:
        return None
    placed: dict[int, int] = {}
    for token, count in counts.items():
        place = place_of(token)
        placed[place] = min(max(count, placed.get(place, 0)), _MOST_TOLD)
    return _sparse(placed)


def tally_questions(tokens: Iterable[str]) -> dict[str, Any]:
    """Questions about these tokens for the tallies of items, as `simonides_search` takes them."""
    forms = list(dict.fromkeys(tokens))
    spots = [place_of(form) for form in forms]
    asked = [
        dict(zip(spots[first : first + _DOZEN], _POWERS, strict=False))
        for first in range(0, len(spots), _DOZEN)
    ]
    return {
        "forms": array(forms),
        "spots": array(spots),
        "share": array([spot for spot, times in Counter(spots).items() if times > 1]),
        "asked": [_sparse(dozen) for dozen in asked],
    }


def _sparse(placed: Mapping[int, int]) -> str:
    """Numbers by their places, as a sparsevec is written."""
    return f"{{{','.join([f'{place}:{number}' for place, number in placed.items()])}}}/{16**_PLACE_DIGITS}"
