"""Entities that one item mentions: what they are without it, and that they are the same once it is back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.entity import Entity, EntityType, Name, fold
from simonides.domain.item import Item, Status
from simonides.domain.selection import Selection
from simonides.language.names import names_of
from simonides.ports.entities import EntitySelection, entity_of
from simonides.ports.store import Reader, Writer

#: Items that are asked, newest first, what an entity is that one item made a guess about.
_LOOKED_AT: Final = 1000


def mentioned_by(reader: Reader, item: Item) -> list[Entity]:
    """Entities that an item mentions, in the order in which they became known."""
    key = reader.key(item.id)
    pairs = () if key is None else reader.look((), [key]).mentions
    return list(reader.entities(EntitySelection(keys=[entity for _, entity in pairs])).values())


def gone_since(reader: Reader, mentioned: Iterable[Entity], names: Sequence[Name]) -> dict[str, int]:
    """Those of some entities that are known no longer: the place of their name among these, by their id.

    No text: it stands in the item whose names these are, and nowhere else once that waits for a decision.
    """
    places = {fold(name.text): place for place, name in enumerate(names)}
    return {
        entity.id: places[fold(entity.name)]
        for entity in mentioned
        if fold(entity.name) in places and entity_of(reader, entity.id) is None
    }


def know_again(tx: Writer, item: Item, gone: Mapping[str, int], names: Sequence[Name]) -> None:
    """Know entities under their former ids that `gone_since` named, unless their names mean others by now."""
    for id_, place in gone.items():
        if place >= len(names) or entity_of(tx, id_) is not None:
            continue
        name = names[place]
        if not tx.entities_named([fold(name.text)], (item.scope,)):
            entity = Entity(
                id=id_,
                name=name.text,
                scope=item.scope,
                type=name.type,
                first_seen_at=item.happened_at,
                last_seen_at=item.happened_at,
            )
            tx.put_entity(None, entity)


def guess_again(tx: Writer, entity_ids: Iterable[str]) -> None:
    """Take entities for what those items make of them that still mention them."""
    every = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
    for entity_id in entity_ids:
        keyed = entity_of(tx, entity_id)
        if keyed is None or keyed[1].id != entity_id or keyed[1].settled:
            continue
        key, entity = keyed
        own = {fold(name) for name in (entity.name, *entity.aliases)}
        items = tx.select(replace(every, mentioned=(key,)), limit=_LOOKED_AT).values()
        names = (name for item in items for name in names_of(item))
        types = (name.type for name in names if not name.known_only and fold(name.text) in own)
        guess = next((type_ for type_ in types if type_ is not EntityType.CONCEPT), EntityType.CONCEPT)
        tx.put_entity(key, replace(entity, type=guess))
