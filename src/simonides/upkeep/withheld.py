"""Turns, and narratives of them, that state nothing but what was forgotten or taken back: no prompt is given them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from simonides.domain.item import Item, Validation
from simonides.domain.link import Relation
from simonides.governance.known import of_the_user, restates
from simonides.ports.both import Both
from simonides.ports.store import Reader
from simonides.recall.question.speech import TELLING_OF_TURNS, quotations, stated

#: Turns that are looked at for what was made of one item; of a topic of so many none is all that tells of it.
_MOST: Final = 50


def withheld(views: Reader | Both, lost: Sequence[Item]) -> list[Item]:
    """The turns that items were made of, and narratives of these, with nothing left to tell; each as it stands.

    They are found as ever by whoever searches. A turn that states something else as well stays in prompts.

    Args:
        lost: Items that are forgotten, or held back because their speaker took them back.
    """
    gone = {item.id: item for item in lost if item.type != "episode"}
    links = views.links(sorted(gone), [Relation.DERIVED_FROM])
    sources = sorted({link.dst for link in links if link.src in gone})[:_MOST]
    if not sources:
        return []
    turns = {id_: item for id_, item in views.get(sources).items() if item.type == "episode"}
    made = views.links(sorted(turns), [Relation.DERIVED_FROM])
    others = views.get(sorted({link.src for link in made if link.dst in turns} - gone.keys()))
    silent = [_claim_of(item) for item in chain(gone.values(), _retracted(others.values()))]
    narratives = [item for item in others.values() if item.type in TELLING_OF_TURNS]
    return [item for item in (*turns.values(), *narratives) if item.injectable and _says_only(item, silent)]


def _retracted(items: Iterable[Item]) -> list[Item]:
    return [
        item
        for item in items
        if item.validation is Validation.RETRACTED and item.type not in TELLING_OF_TURNS
    ]


def _claim_of(item: Item) -> str:
    return of_the_user(item.content.removeprefix(f"{item.metadata.get('sender')}: "), item.scope)


def _says_only(item: Item, silent: Sequence[str]) -> bool:
    """True if each sentence of a turn, or any quotation of a narrative, is among what is to be told no more."""
    if item.type in TELLING_OF_TURNS:
        return any(restates(said, text) for said in quotations(item.content) for text in silent)
    claims = stated(item.content)
    return bool(claims) and all(any(restates(claim, text) for text in silent) for claim in claims)
