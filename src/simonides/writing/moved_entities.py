"""Entities that items in an archive file mention, as the store knows them: what an export tells of moved items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from simonides.domain.entity import Entity, fold
from simonides.domain.scope import Scope
from simonides.ports.both import Both
from simonides.ports.copying import KnownEntity
from simonides.ports.store import Reader
from simonides.values import dataclass

_PAGE: Final = 512


@dataclass(slots=True)
class MovedEntities:
    """Names and ids that an archive file has for the entities that its items mention.

    An archive file has entities of its own, with ids of its own, under the names that they had when the items moved.
    An item that comes back mentions what that name means in the store by then; what the name means nothing to comes
    into being again.

    Attributes:
        ids: Ids under which an export tells of them, by their ids in the archive file.
        seen: When the first and the last of the moved items happened that mention an entity, by that id.
        unknown: Those that the store does not know, in the order in which the archive file came to know them.
    """

    ids: dict[str, str] = field(default_factory=dict[str, str])
    seen: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    unknown: list[KnownEntity] = field(default_factory=list[KnownEntity])

    @classmethod
    def of(cls, views: Both, scopes: tuple[Scope, ...] | None) -> MovedEntities:
        """Look up what items of these scopes mention."""
        moved = cls()
        if views.there is None:
            return moved
        for page in _pages(views.there, scopes):
            known = _by_name(views.here, [one.entity for one in page])
            for one in page:
                mentioned = one.entity
                id_ = known.get((mentioned.scope, fold(mentioned.name)))
                if id_ is None:
                    moved.unknown.append(one)
                moved._note(mentioned, id_ or mentioned.id)
        return moved

    def _note(self, mentioned: Entity, id_: str) -> None:
        self.ids[mentioned.id] = id_
        first, last = mentioned.first_seen_at, mentioned.last_seen_at or mentioned.first_seen_at
        before = self.seen.get(id_, (first, last))
        self.seen[id_] = min(first, before[0]), max(last, before[1])

    def told(self, known: KnownEntity) -> KnownEntity:
        """An entity of the store, seen also when moved items say so."""
        if (seen := self.seen.get(known.entity.id)) is None:
            return known
        entity = known.entity
        first = min(entity.first_seen_at, seen[0])
        last = max(entity.last_seen_at or entity.first_seen_at, seen[1])
        return known._replace(entity=replace(entity, first_seen_at=first, last_seen_at=last))


def every_entity(reader: Reader, scopes: tuple[Scope, ...] | None) -> Iterator[KnownEntity]:
    """Yield the entities of these scopes in the order in which they became known."""
    for page in _pages(reader, scopes):
        yield from page


def _pages(reader: Reader, scopes: tuple[Scope, ...] | None) -> Iterator[list[KnownEntity]]:
    after = 0
    while page := reader.known_entities(scopes, after, _PAGE):
        yield page
        after = page[-1].key


def _by_name(reader: Reader, entities: Sequence[Entity]) -> Mapping[tuple[Scope, str], str]:
    """Ids of what the names of these entities mean in their scopes; a name that may mean several means none."""
    ids: dict[tuple[Scope, str], set[str]] = {}
    for scope in {entity.scope for entity in entities}:
        names = [fold(entity.name) for entity in entities if entity.scope == scope]
        for name, _, known in reader.entities_named(names, (scope,)):
            ids.setdefault((scope, name), set()).add(known.id)
    return {place: next(iter(some)) for place, some in ids.items() if len(some) == 1}
