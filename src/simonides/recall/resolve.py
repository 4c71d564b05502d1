"""Resolving words to the item that they mean: one beyond doubt, or none. A change of memories must not guess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.text import normalised
from simonides.recall.result import Candidates, Hit

#: How well the best hit must match by itself, and by how much it must lead.
_RELEVANT: Final = 0.6
_LEAD: Final = 0.15
#: A hit that holds nearly as many of the words may be meant as well, however much nearer another one is.
_AS_MANY_WORDS: Final = 0.8
_TURN: Final = "episode"


def resolved(hits: Sequence[Hit], words: str) -> Item | Candidates:
    """The item that is meant, if its text is these words or it alone matches them well.

    A turn and the statement that was taken from it are one: the statement is meant.

    Returns:
        The item; else the candidates with the reason why none was taken.
    """
    taken_from = {hit.item.provenance.source_id for hit in hits if hit.item.type != _TURN}
    hits = [hit for hit in hits if hit.item.type != _TURN or hit.item.id not in taken_from]
    wanted = normalised(words).casefold()
    same = [hit for hit in hits if normalised(hit.item.content).casefold() == wanted]
    if len(same) == 1:
        return same[0].item
    ranked = sorted(hits, key=lambda hit: -hit.relevance)
    if not ranked or ranked[0].relevance < _RELEVANT:
        return Candidates(tuple(ranked), "no item matches these words well; name one by its id")
    if any(_rivals(ranked[0], hit) for hit in ranked[1:]):
        return Candidates(tuple(ranked), "several items match these words; name one by its id")
    return ranked[0].item


def _rivals(best: Hit, other: Hit) -> bool:
    held = best.matches.get("coverage", 0.0)
    return (
        best.relevance - other.relevance < _LEAD
        or other.matches.get("coverage", 0.0) >= _AS_MANY_WORDS * held
    )
