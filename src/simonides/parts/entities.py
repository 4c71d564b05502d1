"""The entities of a Memory: who and what its items mention."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from simonides.compose import Parts
from simonides.domain.entity import Entity, EntityProfile, EntityType, Related, entity_type, fold
from simonides.domain.ids import is_id
from simonides.domain.item import Item
from simonides.domain.scope import Scope, Scopes, looked_from, visible
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Kind
from simonides.domain.text import short_text
from simonides.errors import InvalidScope, NotFound
from simonides.language.same_names import Alike, alike
from simonides.parts.arguments import count, person_or_engine
from simonides.ports.entities import EntitySelection, entity_of
from simonides.ports.store import Reader
from simonides.writing.entities import unknown

#: Items that a profile is made from, the newest.
_LOOKED_AT: Final = 500
_MOST_RELATED: Final = 10
#: Entities that are compared with one another.
_COMPARED: Final = 1000
_TURNS: Final = frozenset({"episode", "chunk"})


class Entities:
    """The people, projects, organizations, places, concepts and tools that items mention.

    They are found by how names are written, without a model, and belong to the scope of the items that
    mention them. A reader sees those of every scope in sight, and what has one name there as one. A
    change concerns the entity of exactly the scope that is named; an id names its entity from anywhere. Changes are
    made by people, `actor` says who; a model that tries gets NeedsApproval.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        type: str | None = None,  # noqa: A002 - the word for it
        prefix: str | None = None,
    ) -> list[Entity]:
        """Entities of the scopes in sight, the most often mentioned first, then by name.

        Args:
            type: person, project, organization, place, concept or tool.
            prefix: Beginning of a name or alias, in any case.
        """
        kind = None if type is None else entity_type(type)
        begin = None if prefix is None else fold(short_text(prefix, name="the prefix"))
        most = count(limit, "limit")
        with self._parts.reading() as reader:
            selection = EntitySelection(scopes=visible(looked_from(scope)), prefix=begin, type=kind)
            entities = reader.entities(selection, most)
        return builtins.list(entities.values())

    def get(self, name: str, *, scope: str | Scopes | None = None, limit: int = 20) -> EntityProfile:
        """Return what is known of an entity.

        Args:
            name: A name or alias, in any case, or an id.
            scope: From where to look; an id is looked up everywhere unless it is given, and its entity
                is then seen from its own scope.
            limit: Most facts, and most entries of the timeline.

        Raises:
            NotFound: There is none in sight; the message names those with a similar name.
        """
        short_text(name, name="the name")
        count(limit, "limit")
        with self._parts.reading() as reader:
            scopes, entities = self._found(reader, name, scope)
            keys = [key for key, _ in entities]
            selection = Selection(scopes=scopes, live_at=self._parts.clock.now(), mentioned=tuple(keys))
            by_key = reader.select(selection, limit=_LOOKED_AT)
            related = _related(reader, list(by_key), frozenset(keys))
            merges = reader.entity_merges(keys)
        # Of what happened at one instant the first told comes first.
        in_time = sorted(by_key, key=lambda key: (by_key[key].happened_at, key))
        return EntityProfile(
            entity=_as_one([entity for _, entity in entities]),
            facts=self._facts(list(by_key.values()))[:limit],
            timeline=tuple(by_key[key] for key in in_time[-limit:]),
            related=related,
            merged=tuple(merge.merged for merge in merges),
        )

    def alike(self, *, scope: str | Scopes | None = None, limit: int = 100) -> builtins.list[Alike]:
        """Entities that may be one and the same, by how their names are written, for somebody to decide.

        `merge` makes them one. Looked at are the entities that are mentioned most often.
        """
        count(limit, "limit")
        with self._parts.reading() as reader:
            entities = reader.entities(EntitySelection(scopes=visible(looked_from(scope))), _COMPARED)
        return alike(builtins.list(entities.values()))[:limit]

    def merge(self, keep: str, other: str, *, scope: str | None = None, actor: str = "user") -> Entity:
        """Make two entities one: `keep` gets the names and mentions of `other`, whose id leads to it.

        `unmerge` takes it back.

        Raises:
            NotFound: One of them does not exist in this scope.
            InvalidInput: They are one already, or belong to different scopes.
        """
        return self._parts.registrar.merge(
            keep, other, _place(scope), actor=person_or_engine(self._parts, actor)
        )

    def unmerge(self, other: str, *, scope: str | None = None, actor: str = "user") -> Entity:
        """Take back that an entity was merged into another.

        It gets back the names, mentions, type and summary that it had, as far as they are there and nothing of them
        was purged; so does the other one. Of items that mention one of them since, their names say which.

        Args:
            other: The id of what was merged, or a name that it had; `get` tells them (`merged`).

        Returns:
            What is there again; where nothing mentions it any more, the one that it was merged into.

        Raises:
            NotFound: Nothing of this name was merged into another in this scope, or no name of one of the two is left.
            Conflict: Nothing mentions either of the two any more.
        """
        return self._parts.registrar.unmerge(other, _place(scope), actor=person_or_engine(self._parts, actor))

    def alias(self, name: str, alias: str, *, scope: str | None = None, actor: str = "user") -> Entity:
        """Give an entity a further name.

        Raises:
            NotFound: There is no such entity in this scope.
            Conflict: Another entity of its scope has the name; `merge` makes them one.
            InvalidText: The name holds a secret or an order.
        """
        return self._parts.registrar.alias(
            name, alias, _place(scope), actor=person_or_engine(self._parts, actor)
        )

    def rename(self, name: str, to: str, *, scope: str | None = None, actor: str = "user") -> Entity:
        """Give an entity another name; the former one stays an alias.

        Raises:
            NotFound: There is no such entity in this scope.
            Conflict: Another entity of its scope has the name.
            InvalidText: The name holds a secret or an order.
        """
        return self._parts.registrar.rename(
            name, to, _place(scope), actor=person_or_engine(self._parts, actor)
        )

    def retype(
        self,
        name: str,
        type: str,  # noqa: A002 - the word for it
        *,
        scope: str | None = None,
        actor: str = "user",
    ) -> Entity:
        """Say what an entity is: person, project, organization, place, concept or tool.

        Raises:
            NotFound: There is no such entity in this scope.
            InvalidInput: There is no such type.
        """
        return self._parts.registrar.retype(
            name, entity_type(type), _place(scope), actor=person_or_engine(self._parts, actor)
        )

    def _found(
        self, reader: Reader, name: str, scope: str | Scopes | None
    ) -> tuple[tuple[Scope, ...] | None, Sequence[tuple[int, Entity]]]:
        """The scopes in sight, and the entities of this name in them, the nearest scope's first."""
        names, scopes = {fold(name)}, visible(looked_from(scope))
        # Something may be called as ids are.
        if is_id(name) and (match := entity_of(reader, name)) is not None:
            entity = match[1]
            if scope is None:
                scopes = entity.scope.visible()
            elif scopes is not None and entity.scope not in scopes:
                raise NotFound(f"there is no entity {name!r}")
            names = {fold(known) for known in entity.names}
        entities = _with_these_names(reader, names, scopes)
        # What has an alias here may have it for a name in another scope.
        names |= {fold(known) for entity in entities.values() for known in entity.names}
        entities = _with_these_names(reader, names, scopes)
        if not entities:
            raise unknown(reader, name, scopes)
        nearest = {} if scopes is None else {place: n for n, place in enumerate(scopes)}
        return scopes, sorted(entities.items(), key=lambda pair: (nearest.get(pair[1].scope, 0), pair[0]))

    def _facts(self, items: Sequence[Item]) -> tuple[Item, ...]:
        taxonomy = self._parts.taxonomy
        facts = [
            item
            for item in items
            if taxonomy[item.type].kind is not Kind.EPISODIC and item.type not in _TURNS
        ]
        return tuple(sorted(facts, key=lambda item: (-item.importance, -item.created_at, item.id)))


def _place(scope: str | None) -> Scope:
    """The scope whose entity is changed."""
    place = looked_from(scope)
    if not isinstance(place, Scope):
        raise InvalidScope("an entity belongs to one scope; ALL is for reading only")
    return place


def _with_these_names(reader: Reader, names: set[str], scopes: tuple[Scope, ...] | None) -> dict[int, Entity]:
    return {key: entity for _, key, entity in reader.entities_named(sorted(names), scopes)}


def _as_one(entities: Sequence[Entity]) -> Entity:
    """Entities of one name in several scopes as one: the nearest, with the names and counts of all."""
    first = entities[0]
    names = {fold(name): name for entity in reversed(entities) for name in reversed(entity.names)}
    names.pop(fold(first.name))
    settled = [entity.type for entity in entities if entity.settled]
    kinds = settled or [entity.type for entity in entities if entity.type is not EntityType.CONCEPT]
    return replace(
        first,
        type=kinds[0] if kinds else first.type,
        settled=bool(settled),
        aliases=tuple(reversed(names.values())),
        summary=next((entity.summary for entity in entities if entity.summary), None),
        mention_count=sum(entity.mention_count for entity in entities),
        first_seen_at=min(entity.first_seen_at for entity in entities),
        last_seen_at=max(entity.last_seen_at or entity.first_seen_at for entity in entities),
    )


def _related(reader: Reader, mentions: Sequence[int], own: frozenset[int]) -> tuple[Related, ...]:
    """Entities that these items mention beside their own, the most often shared first."""
    pairs = [(item, entity) for item, entity in reader.look((), mentions).mentions if entity not in own]
    entities = reader.entities(EntitySelection(keys=sorted({entity for _, entity in pairs})))
    # One name in several scopes is one; an item that mentions it counts once.
    shared = Counter(name for name, _ in {(fold(entities[entity].name), item) for item, entity in pairs})
    first = {fold(entity.name): entity for _, entity in sorted(entities.items(), reverse=True)}
    ranked = sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_RELATED]
    return tuple(Related(first[name], count) for name, count in ranked)
