"""Contesting of what was kept of a speaker and is over by what they tell later, in passing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.domain.item import Item, Validation
from simonides.domain.provenance import FROM_USER
from simonides.domain.selection import Selection
from simonides.governance.speakers import speaker, without_sender
from simonides.language.ended import ended, may_end_something
from simonides.language.spoken import own_words
from simonides.ports.store import Reader

#: What speakers say of themselves, and how they want to be answered; the latest of it are looked through.
TYPES: Final = frozenset({"identity", "fact", "preference"})
_MOST: Final = 200
#: What is contested already is so by each turn that ends it: one of them may be forgotten.
_OPEN: Final = frozenset({Validation.UNVERIFIED, Validation.CONTESTED})


def overtaken(reader: Reader, new: Sequence[Item], kept: Selection) -> list[tuple[Item, list[Item]]]:
    """New turns of users, each with the items of the same speakers that are over by what it tells.

    Not what a person pinned or verified.

    Args:
        new: Turns that were meant, in their order.
        kept: Items of these types in the scope of the turns.
    """
    telling = [
        (turn, words)
        for turn in new
        if turn.origin in FROM_USER
        and turn.injectable
        and may_end_something(words := own_words(turn.content))
    ]
    if not telling:
        return []
    items = [
        item
        for item in reader.select(kept, limit=_MOST).values()
        if item.origin in FROM_USER and item.validation in _OPEN and not item.settled
    ]
    pairs: list[tuple[Item, list[Item]]] = []
    for turn, words in telling:
        over = [
            item
            for item in items
            if item.age < turn.age and speaker(item) == speaker(turn) and ended(without_sender(item), words)
        ]
        items = [item for item in items if item not in over]
        if over:
            pairs.append((turn, over))
    return pairs
