"""Reading entities, mentions and links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from simonides.domain.entity import Entity, EntityType, MergedEntity
from simonides.domain.link import Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.language.russian_names import forms
from simonides.ports.entities import Edge, EntityMerge, EntitySelection
from simonides.ports.recalling import Taken, TakenItem
from simonides.storage.sql.merges import MergeRecord
from simonides.storage.sql.rows import parsed
from simonides.storage.sql.statement_reader import StatementReader

# Enum members by value: calling the enum costs several times as much.
_RELATIONS: Final = {relation.value: relation for relation in Relation}
_TYPES: Final = {type_.value: type_ for type_ in EntityType}
_LAST_CHARACTER: Final = "\U0010ffff"
_MOST_EDGES: Final = 10_000


class SqlEntityReader(StatementReader):
    """Meets `ports.entities.EntityReader`."""

    def entities_named(
        self, folded: Sequence[str], scopes: tuple[Scope, ...] | None
    ) -> list[tuple[str, int, Entity]]:
        if not folded:
            return []
        written = names_by_form(folded)
        rows = self._database.rows("entities_of_names", folded=list(written), **self._seen_from(scopes))
        return named_of(rows, written)

    def entities(self, selection: EntitySelection, limit: int = 1 << 53) -> dict[int, Entity]:
        if selection.keys is not None:
            return self._entities_of(selection.keys)
        if selection.id is not None:
            key: int | None = self._database.value("key_of_entity", id=selection.id)
            return {} if key is None else self._entities_of([key])
        seen = self._seen_from(selection.scopes)
        only: list[int] = []
        if (prefix := selection.prefix) is not None:
            rows = self._database.rows(
                "entities_of_prefix", prefix=prefix, before=prefix + _LAST_CHARACTER, **seen
            )
            only = [key for (key,) in rows]
        rows = self._database.rows(
            "entities_most_mentioned_first",
            only=prefix is not None,
            keys=only,
            type=selection.type,
            told=selection.told,
            limit=limit,
            **seen,
        )
        keys = [key for (key,) in rows]
        entities = self._entities_of(keys)
        return {key: entities[key] for key in keys}

    def _entities_of(self, keys: Sequence[int]) -> dict[int, Entity]:
        if not len(keys):
            return {}
        return {row[0]: to_entity(row) for row in self._database.rows("entities_by_key", keys=keys)}

    def entity_merges(self, keys: Sequence[int]) -> list[EntityMerge]:
        entities = self._entities_of(keys)
        rows = self._database.rows("merged_into", keys=keys) if entities else ()
        merges: list[EntityMerge] = []
        for key, id_, into, attributes in rows:
            record = MergeRecord.read(attributes)
            if record is None or record.into != into or None in record.names_apart(entities[into].names):
                continue
            merged = MergedEntity(id=id_, names=record.names, scope=entities[into].scope)
            merges.append(EntityMerge(key=key, into=into, known=record.known, merged=merged))
        return merges

    def told_by(self, item_ids: Sequence[str]) -> list[Entity]:
        rows = self._database.rows("entities_told_by", ids=frozenset(item_ids)) if item_ids else ()
        return [to_entity(row) for row in rows]

    def mentioned_by(self, keys: Sequence[int]) -> list[tuple[int, int]]:
        if not len(keys):
            return []
        return [(item, entity) for item, entity in self._database.rows("mentioned_by_items", keys=keys)]

    def links_from_keys(
        self, keys: Sequence[int], relations: Iterable[Relation], limit: int = _MOST_EDGES
    ) -> list[Edge]:
        wanted = frozenset(relations) - {Relation.MENTIONS}
        if not len(keys) or not wanted:
            return []
        rows = self._database.rows("edges_from_items", keys=keys, relations=wanted, limit=limit)
        return [Edge(src, dst, _RELATIONS[rel], weight, since) for src, dst, rel, weight, since in rows]

    def surroundings(
        self,
        seeds: Sequence[int],
        relations: frozenset[Relation],
        around: Sequence[int],
        reach: int,
        selection: Selection,
    ) -> tuple[list[Edge], frozenset[int], list[int]]:
        """Links from and to seeds, the ends of these that pass, and the turns around others that pass."""
        values: dict[str, Any] = {
            "keys": seeds,
            "relations": relations - {Relation.MENTIONS},
            "limit": _MOST_EDGES,
        }
        rows = self._selected("surroundings", selection, **values, around=around, reach=reach)
        return surroundings_of(rows)

    def successors(self, keys: Sequence[int]) -> dict[int, int]:
        if not len(keys):
            return {}
        return dict(self._database.rows("living_successors", keys=keys))

    def taken(
        self, keys: Sequence[int], narratives: Collection[str], scopes: tuple[Scope, ...] | None
    ) -> Taken:
        return taken_of(self._taken_rows(keys, narratives, scopes))

    def _taken_rows(
        self, keys: Sequence[int], narratives: Collection[str], scopes: tuple[Scope, ...] | None
    ) -> Iterable[Sequence[Any]]:
        bound = {"keys": keys, "narratives": frozenset(narratives)} | self._seen_from(scopes)
        return self._database.rows("taken_from_turns", **bound) if len(keys) else ()


def _place(edge: Sequence[Any]) -> tuple[int, int, str]:
    return edge[0], edge[1], edge[2]


def surroundings_of(
    rows: Iterable[Sequence[Any]],
) -> tuple[list[Edge], frozenset[int], list[int]]:
    """Links, ends that pass and turns around, of rows of `surroundings`."""
    edges: list[tuple[Any, ...]] = []
    ends: list[int] = []
    turns: list[int] = []
    for kind, *row in rows:
        if kind == 0:
            edges.append(tuple(row))
        else:
            (ends if kind == 1 else turns).append(row[0])
    return (
        [
            Edge(src, dst, _RELATIONS[rel], weight, since)
            for src, dst, rel, weight, since in sorted(edges, key=_place)
        ],
        frozenset(ends),
        sorted({*turns}),
    )


def to_entity(row: Sequence[Any]) -> Entity:
    """The entity of a row of `entities_by_key`."""
    (
        _key,
        id_,
        scope,
        name,
        type_,
        aliases,
        summary,
        mention_count,
        first_seen_at,
        last_seen_at,
        attributes,
    ) = row[:11]
    return Entity(
        id=id_,
        name=name,
        scope=Scope(scope),
        type=_TYPES[type_],
        settled=row[11] == 1,
        aliases=tuple(parsed(aliases)),
        summary=summary,
        mention_count=mention_count,
        first_seen_at=first_seen_at,
        last_seen_at=last_seen_at,
        attributes=parsed(attributes),
    )


def names_by_form(folded: Iterable[str]) -> dict[str, list[str]]:
    """Names that each of their forms may stand for."""
    written: dict[str, list[str]] = {}
    for name in sorted(set(folded)):
        # Only Russian names have other forms, and a question names a hundred phrases.
        for form in (name,) if name.isascii() else forms(name):
            written.setdefault(form, []).append(name)
    return written


def named_of(
    rows: Iterable[Sequence[Any]], written: Mapping[str, Sequence[str]]
) -> list[tuple[str, int, Entity]]:
    """Names with the key of the entity and itself, of rows of `entities_of_names`.

    A name in another case stands for one that is known, where it is not known itself.
    """
    known = [(row[0], row[1], to_entity(row[1:])) for row in rows]
    exact, wanted = {form for form, _, _ in known}, {name for names in written.values() for name in names}
    return [
        (name, key, entity)
        for form, key, entity in known
        for name in ([form] if form in wanted else [one for one in written[form] if one not in exact])
    ]


def taken_of(rows: Iterable[Sequence[Any]]) -> Taken:
    """Items that were taken from turns, of rows of `taken_from_turns`."""
    items: dict[str, list[TakenItem]] = {}
    successors: dict[str, TakenItem] = {}
    for teller, *row in rows:
        one = TakenItem(*row)
        if teller is None:
            successors[one.id] = one
        else:
            items.setdefault(teller, []).append(one)
    return Taken(items, successors)
