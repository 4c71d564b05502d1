"""Turns and narratives that tell what no longer holds: all that was stored of them has been replaced since."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.domain.scope import Scope
from simonides.governance.known import restates
from simonides.ports.store import Reader
from simonides.recall.question.speech import TELLING_OF_TURNS, quotations

#: Replacements of replacements that are followed.
_MOST_STEPS: Final = 8


def replaced(reader: Reader, items: Sequence[Item], scopes: Collection[Scope] | None) -> dict[str, str]:
    """Ids of the turns and narratives among items that tell what no longer holds, to the id of what holds instead.

    That is the item that replaced the last of it, or a turn among the items that says the same.

    A turn whose every statement was corrected or ended since, a narrative that quotes one of these. What was merged
    with other items, or put in other words, still holds.

    Args:
        scopes: Those that may be seen, None for all: what is of another one replaces nothing.
    """
    turns = {item.id for item in items if item.type == "episode"}
    narratives = {item.id: item for item in items if item.type in TELLING_OF_TURNS}
    sources: dict[str, set[str]] = {}
    for link in reader.links(sorted(narratives), [Relation.DERIVED_FROM]) if narratives else ():
        if link.src in narratives:
            sources.setdefault(link.src, set()).add(link.dst)
    asked = sorted(turns.union(*sources.values()))
    made: dict[str, set[str]] = {}
    for link in reader.links(asked, [Relation.DERIVED_FROM]) if asked else ():
        made.setdefault(link.dst, set()).add(link.src)
    stored = _seen(reader, {id_ for ids in made.values() for id_ in ids}, scopes)
    statements = {id_: item for id_, item in stored.items() if item.type not in TELLING_OF_TURNS}
    heirs = _heirs(reader, statements.values(), scopes)
    found: dict[str, str] = {}
    for turn in turns:
        told = [statements[id_] for id_ in sorted(made.get(turn, ())) if id_ in statements]
        if told and all(item.id in heirs for item in told):
            found[turn] = heirs[max(told, key=lambda item: item.updated_at).id]
    for id_, narrative in narratives.items():
        ended = [
            statements[one]
            for turn in sorted(sources.get(id_, ()))
            for one in sorted(made.get(turn, ()))
            if one in heirs
        ]
        quoted = quotations(narrative.content)
        if gone := next((one for one in ended if any(restates(one.content, said) for said in quoted)), None):
            found[id_] = heirs[gone.id]
    said = _said_in(reader, {*found.values()} - {item.id for item in items}, turns)
    return {id_: said.get(heir, heir) for id_, heir in found.items()}


def _said_in(reader: Reader, heirs: Iterable[str], turns: Collection[str]) -> dict[str, str]:
    """Ids of items that were taken from some turns, to one of these."""
    wanted = sorted(heirs)
    links = reader.links(wanted, [Relation.DERIVED_FROM]) if wanted else ()
    return {link.src: link.dst for link in links if link.dst in turns}


def _seen(reader: Reader, item_ids: Iterable[str], scopes: Collection[Scope] | None) -> dict[str, Item]:
    """Items by id, without those of scopes that cannot be seen: links and successions may lead there."""
    stored = reader.get(sorted(item_ids))
    return {id_: item for id_, item in stored.items() if scopes is None or item.scope in scopes}


def _heirs(reader: Reader, items: Iterable[Item], scopes: Collection[Scope] | None) -> dict[str, str]:
    """Ids of the items that have been replaced by something else, to the id of the last that replaced them."""
    ended = {
        item.id: item for item in items if item.superseded_by is not None and item.valid_until is not None
    }
    heirs = {id_: item.superseded_by for id_, item in ended.items() if item.superseded_by is not None}
    known: dict[str, Item] = {}
    for _ in range(_MOST_STEPS):
        known |= _seen(reader, {*heirs.values()} - known.keys(), scopes)
        further = {
            id_: next_
            for id_, heir in heirs.items()
            if heir in known and (next_ := known[heir].superseded_by)
        }
        if not further:
            break
        heirs |= further
    return {
        id_: heir
        for id_, heir in heirs.items()
        if heir in known and not restates(ended[id_].content, known[heir].content)
    }
