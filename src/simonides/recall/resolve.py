"""Resolving words to the item that they mean: one beyond doubt, or none. A change of memories must not guess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.text import normalised
from simonides.recall.question.speech import TELLING_OF_TURNS
from simonides.recall.result import Candidates, Hit

#: How well the best hit must match by itself, and by how much it must lead.
_RELEVANT: Final = 0.6
_LEAD: Final = 0.15
#: A hit that holds nearly as many of the words may be meant as well, however much nearer another one is.
_AS_MANY_WORDS: Final = 0.8
_TURN: Final = "episode"


def resolved(hits: Sequence[Hit], words: str) -> Item | Candidates:
    """The item that is meant, if its text is these words or it alone matches them well.

    A turn and a statement that was taken from it are no rivals; the one that alone says as much is meant.
    What tells of a conversation is no rival of what was said in it either, and is not meant where that says as much.

    Returns:
        The item; else the candidates with the reason why none was taken.
    """
    wanted = normalised(words).casefold()
    same = [hit for hit in hits if normalised(hit.item.content).casefold() == wanted]
    if len(same) == 1:
        return _said_by(same[0], hits)
    hits = [hit for hit in hits if not any(_tells_of(hit, other) for other in hits)]
    ranked = sorted(hits, key=lambda hit: -hit.relevance)
    if not ranked or ranked[0].relevance < _RELEVANT:
        return Candidates(tuple(ranked), "no item matches these words well; name one by its id")
    if any(_rivals(ranked[0], hit) for hit in ranked[1:] if not _of_one_turn(ranked[0].item, hit.item)):
        return Candidates(tuple(ranked), "several items match these words; name one by its id")
    return _said_by(ranked[0], hits)


def _tells_of(hit: Hit, other: Hit) -> bool:
    """True of a summary of the conversation that the other is of, if the other holds as many of the words."""
    one, said = hit.item, other.item
    if one.type not in TELLING_OF_TURNS or said.type in TELLING_OF_TURNS or one.session_id is None:
        return False
    return (one.scope, one.session_id) == (said.scope, said.session_id) and _holds_as_many(hit, other)


def _of_one_turn(one: Item, other: Item) -> bool:
    """True if one is the turn that the other was taken from."""
    return (one.type == _TURN and other.provenance.source_id == one.id) or (
        other.type == _TURN and one.provenance.source_id == other.id
    )


def _said_by(best: Hit, hits: Sequence[Hit]) -> Item:
    """The best item, or of a turn the one statement of those taken from it that holds as many of the words."""
    if best.item.type != _TURN:
        return best.item
    told = TELLING_OF_TURNS | {_TURN}
    taken = [hit for hit in hits if hit.item.type not in told and _of_one_turn(best.item, hit.item)]
    stating = [hit for hit in taken if _holds_as_many(best, hit)]
    return stating[0].item if len(stating) == 1 else best.item


def _rivals(best: Hit, other: Hit) -> bool:
    return best.relevance - other.relevance < _LEAD or _holds_as_many(best, other)


def _holds_as_many(best: Hit, other: Hit) -> bool:
    return other.matches.get("coverage", 0.0) >= _AS_MANY_WORDS * best.matches.get("coverage", 0.0)
