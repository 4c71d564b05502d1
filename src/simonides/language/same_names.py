"""Entities of a scope that may be one and the same, by the writing of their names. Pure; somebody has to decide."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from simonides.domain.entity import Entity, EntityType, fold
from simonides.domain.written import as_written
from simonides.values import dataclass

#: Words that a name may do without.
_FORMS: Final = frozenset(
    [
        "inc",
        "corp",
        "corporation",
        "co",
        "company",
        "ltd",
        "llc",
        "gmbh",
        "ag",
        "sa",
        "sarl",
        "plc",
        "project",
        "the",
        "team",
    ]
)
#: Words of a name that is abbreviated to their initials, at least.
_INITIALS: Final = 3
#: A word that more names share tells nothing.
_COMMON: Final = 100
_PART: Final = re.compile(r"[^\W_]+")
#: From so many letters on, names that differ in one may be one name, misspelt.
_LONG: Final = 6


@dataclass(frozen=True, slots=True)
class Alike:
    """Two entities of one scope that may be one.

    Attributes:
        keep: The one that is mentioned more often.
        why: What their names have in common.
    """

    keep: Entity
    other: Entity
    why: str

    to_dict = as_written


def alike(entities: Sequence[Entity]) -> list[Alike]:
    """Pairs that may be one: of one scope, and of types that agree.

    One is written differently (Zoë and Zoe, Node.js and NodeJS), abbreviated (NYC and New York City), misspelt, has a
    legal form (Acme Corp), or is a part of the other's name (Ana and Ana Lopez), unless it is a part of several.

    Returns:
        The most often mentioned first.
    """
    by_scope: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        by_scope[entity.scope].append(entity)
    pairs = [pair for some in by_scope.values() for pair in _pairs(some)]
    return sorted(pairs, key=lambda pair: (-pair.keep.mention_count, pair.keep.name, pair.other.name))


def _pairs(entities: Sequence[Entity]) -> Iterator[Alike]:
    longer: dict[str, list[Alike]] = defaultdict(list)
    for one, other in _near(entities):
        if not _types_agree(one, other):
            continue
        keep, less = sorted((one, other), key=lambda entity: (-entity.mention_count, entity.name, entity.id))
        for mine in keep.names:
            why = next((why for theirs in less.names if (why := _alike(mine, theirs))), None)
            if why is not None:
                break
        else:
            why = None
        if why == _A_PART:
            short = min((one, other), key=lambda entity: len(_words(entity.name)))
            longer[short.id].append(Alike(keep, less, why))
        elif why is not None:
            yield Alike(keep, less, why)
    # "Ana" is a part of Ana Lopez and of Ana Silva: which one is meant, no name tells.
    yield from (pairs[0] for pairs in longer.values() if len(pairs) == 1)


def _near(entities: Sequence[Entity]) -> list[tuple[Entity, Entity]]:
    """Pairs whose names share a word, the initials of one, or all letters but one; not every pair there is."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, entity in enumerate(entities):
        for key in {key for name in entity.names for key in _keys(_words(name))}:
            groups[key].append(place)
    telling = (places for places in groups.values() if len(places) <= _COMMON)
    pairs = {pair for places in telling for pair in combinations(places, 2)}
    return [(entities[one], entities[other]) for one, other in sorted(pairs)]


def _keys(words: Sequence[str]) -> Iterator[str]:
    yield from words
    joined = "".join(words)
    yield joined
    if len(words) >= _INITIALS:
        yield "".join(word[0] for word in words)
    if len(joined) >= _LONG and joined.isalpha():
        yield from (joined[:n] + joined[n + 1 :] for n in range(len(joined)))


_A_PART: Final = "one name is a part of the other"


def _types_agree(one: Entity, other: Entity) -> bool:
    return one.type is other.type or any(
        entity.type is EntityType.CONCEPT and not entity.settled for entity in (one, other)
    )


def _alike(one: str, other: str) -> str | None:
    """Likeness of two names; None where they have too little in common."""
    mine, theirs = _words(one), _words(other)
    if not mine or not theirs:
        return None
    if "".join(mine) == "".join(theirs):
        return "written differently"
    if _plain(mine) == _plain(theirs) and _plain(mine):
        return "the same but for a legal form"
    for short, long in ((mine, theirs), (theirs, mine)):
        if len(long) >= _INITIALS and short == ["".join(word[0] for word in long)]:
            return "one is the other's initials"
    if set(mine) < set(theirs) or set(theirs) < set(mine):
        return _A_PART
    if min(len("".join(mine)), len("".join(theirs))) >= _LONG and _one_apart("".join(mine), "".join(theirs)):
        return "one letter apart"
    return None


def _words(name: str) -> list[str]:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFD", fold(name)) if not unicodedata.combining(letter)
    )
    return _PART.findall(plain)


def _plain(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _FORMS]


def _one_apart(one: str, other: str) -> bool:
    """True if one letter was changed, left out, put in, or two neighbours changed places; digits never."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    start = next((n for n, letter in enumerate(one) if letter != other[n]), len(one))
    if len(one) < len(other):
        return one[start:] == other[start + 1 :] and not other[start].isdigit()
    rest, theirs = one[start:], other[start:]
    swapped = rest[:2] == theirs[:2][::-1] and rest[2:] == theirs[2:]
    return (rest[1:] == theirs[1:] or swapped) and not (rest[:1] + theirs[:1]).isdigit()
