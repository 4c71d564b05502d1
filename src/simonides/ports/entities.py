"""Entities and links between items: the part of the store's port for the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from simonides.domain.entity import Entity, EntityType, MergedEntity, Name
from simonides.domain.link import Relation
from simonides.domain.scope import Scope
from simonides.values import dataclass


class Edge(NamedTuple):
    """A link between two items, by their keys.

    Attributes:
        valid_from: Since when it holds, microseconds; of `co_recalled`, when its items were last used together.
    """

    src: int
    dst: int
    rel: Relation
    weight: float
    valid_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySelection:
    """A filter over entities: those of keys, the one of an id, or those that pass the rest.

    Attributes:
        keys: Those that do not exist are left out.
        id: Of one that was merged: what it was merged into.
        scopes: Each meant exactly; None for every scope.
        prefix: Beginning of a name or alias, folded; None for any.
        type: None for any.
        told: Only those about which somebody said something: a type or an alias.
    """

    keys: Sequence[int] | None = None
    id: str | None = None
    scopes: tuple[Scope, ...] | None = None
    prefix: str | None = None
    type: EntityType | None = None
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMerge:
    """A merge that can be taken back.

    Attributes:
        key, into: Of what was merged, and of what took it over.
        known: Keys of the items that mentioned one of the two.
    """

    key: int
    into: int
    known: frozenset[int]
    merged: MergedEntity


class EntityReader(Protocol):
    """Entities and links, by key. An entity has a `key`, as an item has."""

    def entities_named(
        self, folded: Sequence[str], scopes: tuple[Scope, ...] | None
    ) -> list[tuple[str, int, Entity]]:
        """Entities that have one of these names or aliases, compared as `domain.entity.fold` leaves them.

        Returns:
            (name that was asked for, key, entity), by name, then key: one per name and visible scope.
        """
        ...

    def told_by(self, item_ids: Sequence[str]) -> list[Entity]:
        """Entities with a summary that any of these items mentions, in the order in which they became known."""
        ...

    def entities(self, selection: EntitySelection, limit: int = 1 << 53) -> dict[int, Entity]:
        """Entities that pass, by key.

        Those of keys or of an id in the order of their keys; others most often mentioned first, then by name.
        """
        ...

    def entity_merges(self, keys: Sequence[int]) -> list[EntityMerge]:
        """Merges into these entities that can be taken back, by the key of what was merged."""
        ...

    def altered_entities(self, entity_ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids whose entities were changed outside the store, as far as it can tell, or are not there."""
        ...

    def links_from_keys(
        self, keys: Sequence[int], relations: Iterable[Relation], limit: int = 10_000
    ) -> list[Edge]:
        """Links of these relations from and to these items, by source, destination and relation.

        Of more than `limit` the strongest, ties by source, destination and relation.

        `mentions` joins no items and is never among them. The other end may be of any scope and status:
        select it among what passes before anything of it shows.
        """
        ...


def entity_of(reader: EntityReader, entity_id: str) -> tuple[int, Entity] | None:
    """Key and entity of an id; None if there is none."""
    return next(iter(reader.entities(EntitySelection(id=entity_id)).items()), None)


class EntityWriter(EntityReader, Protocol):
    """Changes of entities. What items mention is written with the items."""

    def name_items(self, named: Sequence[tuple[int, Sequence[Name]]] | None, *, more: bool = False) -> None:
        """Let items, by ascending key, mention these names instead of what they mentioned.

        What is unnamed up to the last of them is done by it.

        Args:
            named: None lets every item count as unnamed again, and mends the registry where it is damaged.
            more: They mention only those of the names that the last write made known, and beside what they mention.
        """
        ...

    def put_entity(self, key: int | None, entity: Entity, merged: Sequence[str] = ()) -> int:
        """Give an entity these names, this type and summary; its key.

        Args:
            key: None makes one, with its own id and instants, which nothing mentions yet.
            merged: Ids that lead to it from now on, as those of entities that were merged into it, if they are free.

        Raises:
            Conflict: One of its names is another entity's, or the id of a new one is taken.
            NotFound: There is no such entity.
        """
        ...

    def merge_entities(self, keep: int, gone: int) -> None:
        """Make two entities of a scope one: `keep` gets the names and mentions of `gone`, whose id leads to it.

        Raises:
            InvalidInput: They are the same, or of different scopes.
            NotFound: One of them does not exist.
        """
        ...

    def unmerge_entity(self, gone: int, since: Sequence[tuple[int, Sequence[Name]]]) -> None:
        """Let an entity that was merged into another be one by itself again, with what it had and is still there.

        Of the two there stays none that nothing mentions and nobody said anything about.

        Args:
            since: Items that mention the other one since, and their names, which say whom they mean.

        Raises:
            NotFound: It is none that was merged, or not into the one that its id leads to by now.
            Conflict: Of one of the two no name is left.
        """
        ...
