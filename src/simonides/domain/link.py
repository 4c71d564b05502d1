"""Links: typed, weighted, dated edges of the memory graph."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

from simonides.domain.item import as_stored
from simonides.domain.text import short_text
from simonides.domain.written import Written, as_written
from simonides.errors import InvalidInput
from simonides.values import dataclass


class Relation(StrEnum):
    """Relations of one end of a link to the other. All join item to item, except `MENTIONS` (item to entity)."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    REFINES = "refines"
    SUPERSEDES = "supersedes"
    DEPENDS_ON = "depends_on"
    REFERENCES = "references"
    DERIVED_FROM = "derived_from"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    MENTIONS = "mentions"
    CO_RECALLED = "co_recalled"
    SIMILAR = "similar"
    CONTAINS = "contains"
    ADJACENT = "adjacent"
    EXTRACTED_FROM = "extracted_from"
    SAME_RULE = "same_rule"
    EVOLVED_FROM = "evolved_from"


#: What a caller or a model may link by hand; the rest is made by the engine.
HAND_MADE = frozenset(
    {
        Relation.SUPPORTS,
        Relation.CONTRADICTS,
        Relation.REFINES,
        Relation.SUPERSEDES,
        Relation.DEPENDS_ON,
        Relation.REFERENCES,
        Relation.DERIVED_FROM,
        Relation.CAUSAL,
        Relation.SIMILAR,
    }
)

#: Links that only the engine and people make: what is retracted, what replaced what, and what ends where the other
#: side of a contradiction is confirmed follows from them.
PEOPLES_LINKS = frozenset({Relation.DERIVED_FROM, Relation.SUPERSEDES, Relation.CONTRADICTS})


def hand_made(name: object) -> Relation:
    """The relation of this name, if a link of it may be made by hand.

    Raises:
        InvalidInput: There is none, or only the engine makes such links.
    """
    if not isinstance(name, str):
        raise InvalidInput(f"a relation is a text, not {type(name).__name__}")
    kind = relation(name)
    if kind not in HAND_MADE:
        raise InvalidInput(
            f"{name!r} links are made by the engine; use one of {', '.join(sorted(HAND_MADE))}"
        )
    return kind


def relation(name: str) -> Relation:
    """The relation of this name.

    Raises:
        InvalidInput: There is none.
    """
    word = short_text(name, name="the relation").strip().lower()
    try:
        return Relation(word)
    except ValueError:
        raise InvalidInput(f"unknown relation {name!r}; use one of {', '.join(sorted(HAND_MADE))}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Written):
    """An edge from `src` to `dst`, both ids; unique by (src, dst, rel).

    Attributes:
        predicate: The relation in words, where the relation's name is too coarse.
        weight: >= 0; of `co_recalled` it grows by 1 with each use together.
        confidence: In [0, 1].
        evidence: Why the link was made.
    """

    src: str
    dst: str
    rel: Relation
    predicate: str | None = None
    weight: float = 1.0
    confidence: float = 1.0
    evidence: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    created_at: int = field(default=0)

    def __post_init__(self) -> None:
        if self.src == self.dst:
            raise InvalidInput("an item cannot be linked to itself")
        if not (self.weight >= 0 and 0 <= self.confidence <= 1):
            raise InvalidInput("a link needs weight >= 0 and confidence in [0, 1]")
        as_stored(self, "weight", "confidence")

    def to_dict(self) -> dict[str, Any]:
        """JSON with ISO times; what is unknown is left out."""
        return {name: value for name, value in as_written(self).items() if value is not None}
