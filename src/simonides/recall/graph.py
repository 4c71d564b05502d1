"""Walking the graph of a memory: from items over links to items, and to the entities they mention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from simonides.domain.entity import Entity
from simonides.domain.item import Item, Status
from simonides.domain.link import Relation
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.written import as_written
from simonides.ports.entities import Edge, EntitySelection
from simonides.ports.store import Reader
from simonides.values import dataclass

#: Items that are reached through one entity, the newest.
_THROUGH_ENTITY: Final = 20
_BELIEVED_ONCE: Final = frozenset({Status.ACTIVE, Status.ARCHIVED})


class Direction(StrEnum):
    """Way in which links are followed."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Walk:
    """Course of a walk.

    Attributes:
        selection: What may be reached. Of a chain of corrections the archived members are, too, and a
            chain is followed to both its ends whatever the depth.
        depth: Links between the start and what is reached, >= 0.
        limit: Most nodes, the start among them; the nearest are kept.
    """

    selection: Selection
    relations: frozenset[Relation] = frozenset(Relation)
    depth: int = 1
    limit: int = 100
    direction: Direction = Direction.BOTH


class Spot(NamedTuple):
    """A place in the graph: an item or an entity, by its key."""

    kind: str
    key: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A spot, and the way to it from the start: the first of the shortest, itself included."""

    spot: Spot
    depth: int
    path: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class WalkResult:
    """Items that a walk reached, the nearest first, and every link between two of these."""

    nodes: tuple[Reached, ...]
    edges: tuple[tuple[Spot, Spot, Relation, float], ...]


@dataclass(frozen=True, slots=True)
class Node:
    """An item or an entity of a graph.

    Attributes:
        kind: `item` or `entity`.
        type: Of the item or the entity.
        label: Title, else the beginning of the content; the name of an entity.
        status: Of an item, else None.
        path: Ids on the way from the start, itself included.
    """

    id: str
    kind: str
    type: str
    label: str
    status: str | None
    depth: int
    path: tuple[str, ...]

    to_dict = as_written


@dataclass(frozen=True, slots=True)
class Joint:
    """A link between two nodes of a graph, by their ids."""

    src: str
    dst: str
    rel: Relation
    weight: float

    to_dict = as_written


@dataclass(frozen=True, slots=True)
class Graph:
    """Surroundings of an item: nodes, the nearest first, and the links between them."""

    nodes: tuple[Node, ...]
    edges: tuple[Joint, ...]

    to_dict = as_written


def traverse(reader: Reader, start: Sequence[int], walk: Walk) -> WalkResult:
    """Walk from items over links, breadth first.

    Nothing that may not be seen is reached or passed through, and no link to it is told. Mentions lead
    to entities, and from these to the newest items that mention them.

    Args:
        start: Keys of items; of these only the scope must be in sight, whatever their status.

    Returns:
        Nodes by depth: within a depth items before entities, by key, then what their chains brought.
    """
    scopes = walk.selection.scopes
    anything = Selection(scopes=scopes, live_at=None, statuses=frozenset(Status))
    reached: dict[Spot, Reached] = {}
    for key in _passing(reader, start, anything):
        spot = Spot("item", key)
        reached[spot] = Reached(spot, 0, (spot,))
    _follow_chains(reader, list(reached), reached, walk)
    frontier = list(reached)
    for depth in range(1, walk.depth + 1):
        before = len(reached)
        for origin, spot in _neighbours(reader, frontier, walk):
            if spot not in reached and len(reached) < walk.limit:
                reached[spot] = Reached(spot, depth, (*reached[origin].path, spot))
        _follow_chains(reader, list(reached)[before:], reached, walk)
        frontier = list(reached)[before:]
    return WalkResult(tuple(reached.values()), _edges_between(reader, reached, walk))


def graph_of(reader: Reader, start: Sequence[int], walk: Walk) -> Graph:
    """The graph around items, with what is shown of each node."""
    found = traverse(reader, start, walk)
    items = reader.load([node.spot.key for node in found.nodes if node.spot.kind == "item"])
    entities = reader.entities(
        EntitySelection(keys=[node.spot.key for node in found.nodes if node.spot.kind == "entity"])
    )
    ids = {Spot("item", key): item.id for key, item in items.items()} | {
        Spot("entity", key): entity.id for key, entity in entities.items()
    }
    return Graph(
        tuple(_node(reached, ids, items, entities) for reached in found.nodes),
        tuple(Joint(ids[src], ids[dst], rel, weight) for src, dst, rel, weight in found.edges),
    )


def _node(
    reached: Reached, ids: Mapping[Spot, str], items: Mapping[int, Item], entities: Mapping[int, Entity]
) -> Node:
    kind, key = reached.spot
    path = tuple(ids[spot] for spot in reached.path)
    if kind == "entity":
        entity = entities[key]
        return Node(entity.id, kind, entity.type.value, entity.name, None, reached.depth, path)
    item = items[key]
    return Node(item.id, kind, item.type, item.headline, item.status.value, reached.depth, path)


def _follow_chains(
    reader: Reader, frontier: Sequence[Spot], reached: dict[Spot, Reached], walk: Walk
) -> None:
    """Reach the whole chains of corrections that items of the frontier are part of."""
    if Relation.SUPERSEDES not in walk.relations:
        return
    believed = Selection(scopes=walk.selection.scopes, live_at=None, statuses=_BELIEVED_ONCE)
    chain = Walk(believed, frozenset({Relation.SUPERSEDES}))
    waiting = list(frontier)
    while waiting:
        fresh: list[Spot] = []
        for origin, spot in _neighbours(reader, waiting, chain):
            if spot not in reached and len(reached) < walk.limit:
                way = reached[origin]
                reached[spot] = Reached(spot, way.depth, (*way.path, spot))
                fresh.append(spot)
        waiting = fresh


def _neighbours(reader: Reader, frontier: Sequence[Spot], walk: Walk) -> list[tuple[Spot, Spot]]:
    """(spot of the frontier, spot one link away that may be reached), in the order of the latter."""
    items = [spot.key for spot in frontier if spot.kind == "item"]
    steps = _steps(reader.links_from_keys(items, walk.relations), frozenset(items), walk.direction)
    if Relation.MENTIONS in walk.relations:
        steps += _mentioned(reader, items, frontier, walk)
    ends = [spot.key for _, spot in steps if spot.kind == "item"]
    visible = frozenset(_passing(reader, ends, walk.selection))
    allowed = [pair for pair in steps if pair[1].kind == "entity" or pair[1].key in visible]
    nearest = {spot: place for place, spot in enumerate(frontier)}
    return sorted(
        dict.fromkeys(allowed), key=lambda pair: (pair[1].kind == "entity", pair[1].key, nearest[pair[0]])
    )


def _passing(reader: Reader, keys: Iterable[int], selection: Selection) -> list[int]:
    """Those of the keys whose items pass, ascending."""
    among = tuple(sorted(set(keys)))
    return reader.keys(replace(selection, among=among), ItemOrder.OLDEST, limit=len(among)) if among else []


def _steps(edges: Iterable[Edge], frontier: frozenset[int], direction: Direction) -> list[tuple[Spot, Spot]]:
    steps: list[tuple[Spot, Spot]] = []
    for edge in edges:
        if edge.src in frontier and direction is not Direction.IN:
            steps.append((Spot("item", edge.src), Spot("item", edge.dst)))
        if edge.dst in frontier and direction is not Direction.OUT:
            steps.append((Spot("item", edge.dst), Spot("item", edge.src)))
    return steps


def _mentioned(
    reader: Reader, items: Sequence[int], frontier: Sequence[Spot], walk: Walk
) -> list[tuple[Spot, Spot]]:
    """Over mentions: to the entities of items, and to the newest items of entities."""
    steps: list[tuple[Spot, Spot]] = []
    if walk.direction is not Direction.IN:
        steps += (
            (Spot("item", item), Spot("entity", entity)) for item, entity in reader.look((), items).mentions
        )
    if walk.direction is not Direction.OUT:
        for spot in frontier:
            if spot.kind == "entity":
                mentioning = replace(walk.selection, mentioned=(spot.key,))
                keys = reader.keys(mentioning, limit=_THROUGH_ENTITY)
                steps += ((spot, Spot("item", key)) for key in keys)
    return steps


def _edges_between(
    reader: Reader, reached: Mapping[Spot, Reached], walk: Walk
) -> tuple[tuple[Spot, Spot, Relation, float], ...]:
    """Every link of the walk's relations whose two ends were reached."""
    items = [spot.key for spot in reached if spot.kind == "item"]
    found = [
        (Spot("item", edge.src), Spot("item", edge.dst), edge.rel, edge.weight)
        for edge in reader.links_from_keys(items, walk.relations)
    ]
    if Relation.MENTIONS in walk.relations:
        found += (
            (Spot("item", item), Spot("entity", entity), Relation.MENTIONS, 1.0)
            for item, entity in reader.look((), items).mentions
        )
    return tuple(sorted(edge for edge in found if edge[0] in reached and edge[1] in reached))
