"""Entities: who and what the memory speaks of, and what is known of each."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from simonides.domain.entity import Entity, EntityProfile, EntityType, fold
from simonides.domain.ids import is_id
from simonides.edges.page.drawn_graph import DrawnGraph, Neighbour, drawn
from simonides.edges.page.rows import row_of
from simonides.edges.page.visit import WRITER, Elsewhere, NotAllowed, Notice, Undo, View, Visit, address
from simonides.edges.page.wording import many
from simonides.errors import InvalidInput, NotFound

_LISTED: Final = 60
_MOST: Final = 1000
_FACTS: Final = 20
#: Arcs of a drawing: more could not be told apart.
_ARCS: Final = 8
_DONE: Final[Mapping[str, str]] = {
    "rename": "Renamed; the former name still leads to it.",
    "alias": "It is known by this name, too.",
    "retype": "Noted; no guess changes it any more.",
    "merge": "They are one now, with the names and mentions of both.",
    "unmerge": "They are two again, each with what it had.",
}


def listing(visit: Visit) -> View:
    """Entities, the most often mentioned first, and those that may be one and the same."""
    count = visit.count("k", _LISTED, _MOST)
    kind, prefix = visit.query.get("type") or None, visit.query.get("q", "").strip() or None
    entities = visit.memory.entities.list(scope=visit.scope, limit=count + 1, type=kind, prefix=prefix)
    alike = (
        visit.memory.entities.alike(scope=visit.scope, limit=10) if kind is None and prefix is None else []
    )
    shown: dict[str, Any] = {
        "here": "Entities",
        "entities": entities[:count],
        "most": max((entity.mention_count for entity in entities), default=1) or 1,
        "types": [kind.value for kind in EntityType],
        "type": kind,
        "prefix": prefix or "",
        "alike": [(pair, _changes(visit, pair.keep) and _changes(visit, pair.other)) for pair in alike],
        "more": visit.address(k=count + _LISTED) if len(entities) > count else None,
    }
    return View(
        template="entities", shown=shown, data={"entities": [entity.to_dict() for entity in entities[:count]]}
    )


def place(visit: Visit) -> View:
    """One entity: what is known of it, what is mentioned beside it, and when."""
    name = visit.names["name"]
    # An id names its entity from anywhere: what it is seen from must be the visitor's.
    profile = visit.memory.entities.get(name, scope=None if is_id(name) else visit.scope, limit=_FACTS)
    if not visit.shows(profile.entity.scope):
        raise NotFound(f"there is no entity {name!r}")
    profile = profile.seen(visit.shows)
    shown: dict[str, Any] = {
        "here": "Entities",
        "profile": profile,
        "entity": profile.entity,
        "facts": [row_of(item, visit) for item in profile.facts],
        "told": [row_of(item, visit) for item in profile.timeline[::-1]],
        "graph": _drawn(profile),
        "types": [kind.value for kind in EntityType],
        "changes": _changes(visit, profile.entity),
        "notice": _notice(visit),
    }
    return View(template="entity", shown=shown, data=profile.to_dict())


def _drawn(profile: EntityProfile) -> DrawnGraph:
    """Entities that are mentioned beside one, and which of them are named together in what is told of it."""
    near = [
        Neighbour(
            id=one.entity.id,
            kind="entity",
            label=one.entity.name,
            relation=many(one.shared, "memory in common", "memories in common"),
            weight=one.shared,
        )
        for one in profile.related
    ]
    # A summary of a conversation names whoever came up in it: that joins nobody.
    items = {item.id: item for item in (*profile.facts, *profile.timeline) if item.type != "narrative"}
    texts = [fold(item.content) for item in items.values()]
    names = {one.id: fold(one.label) for one in near}
    together = {
        (one, other): sum(names[one.id] in text and names[other.id] in text for text in texts)
        for one, other in combinations(near, 2)
    }
    most = sorted((pair for pair in together if together[pair]), key=lambda pair: -together[pair])[:_ARCS]
    return drawn(near, [(one.id, other.id, f"{one.label} and {other.label}") for one, other in most])


def _changes(visit: Visit, entity: Entity) -> bool:
    """True if the visitor may change an entity."""
    return visit.may(WRITER) and (visit.visitor.unbound or visit.visitor.holds(entity.scope))


def act(visit: Visit) -> Elsewhere:
    """Rename an entity, give it a further name or a type, make it one with another, or two again."""
    visit.require(WRITER)
    entity = _own(visit, visit.names["id"])
    entities, actor = visit.memory.entities, visit.visitor.actor
    given = visit.form.get("name", "").strip()
    carried: dict[str, str] = {}
    match visit.names["verb"]:
        case "rename":
            made = entities.rename(entity.id, _required(given), actor=actor)
            carried = {"was": entity.name}
        case "alias":
            made = entities.alias(entity.id, _required(given), actor=actor)
        case "retype":
            made = entities.retype(entity.id, visit.form.get("type", ""), actor=actor)
            carried = {"was": entity.type.value} if entity.settled else {}
        case "merge":
            other = _own(visit, visit.form.get("other") or _named(visit, entity, _required(given)))
            made = entities.merge(entity.id, other.id, actor=actor)
            carried = {"was": other.id}
        case "unmerge":
            merged = entities.get(entity.id, limit=1).merged
            other_id = visit.form.get("other", "")
            if other_id not in {one.id for one in merged if one.scope == entity.scope}:
                raise NotFound(
                    "this was not merged into it, or was taken out of it again; nothing was changed"
                )
            made = entities.unmerge(other_id, actor=actor)
        case verb:
            raise NotFound(f"there is nothing called {verb!r} that can be done with an entity")
    return Elsewhere(path=address(f"/entities/{made.id}", done=visit.names["verb"], **carried))


def _required(name: str) -> str:
    if not name:
        raise InvalidInput("write a name; nothing was changed")
    return name


def _own(visit: Visit, entity_id: str) -> Entity:
    """The entity with an id, for a change.

    Raises:
        NotFound: There is none that the visitor sees.
        NotAllowed: The visitor may not change it.
    """
    entity = visit.memory.entities.get(entity_id, limit=1).entity if is_id(entity_id) else None
    if entity is None or not visit.shows(entity.scope):
        raise NotFound(f"there is no entity {entity_id!r}")
    if not _changes(visit, entity):
        raise NotAllowed(
            f"this belongs to {entity.scope}, and this key is for {visit.visitor.scope}; nothing was changed"
        )
    return entity


def _named(visit: Visit, entity: Entity, name: str) -> str:
    """The id of another entity of the same scope, by its name."""
    same = visit.memory.entities.get(name, scope=entity.scope, limit=1).entity
    if same.scope != entity.scope:
        raise NotFound(f"there is no entity {name!r} in {entity.scope}; those of two scopes stay two")
    return same.id


def _notice(visit: Visit) -> Notice | None:
    """The notice of what was just done with an entity; of a name, a type and a merge with the way back."""
    verb, was = visit.query.get("done", ""), visit.query.get("was", "")
    if verb not in _DONE:
        return None
    undo = None
    match verb:
        case "rename" if was:
            says = f"It is {was} again; the other name still leads to it."
            undo = Undo(path=f"{visit.path}/rename", fields={"name": was}, says=says)
        case "retype" if was:
            undo = Undo(path=f"{visit.path}/retype", fields={"type": was}, says=f"It is a {was} again.")
        case "merge" if was:
            says = "They are two again, each with what it had."
            undo = Undo(path=f"{visit.path}/unmerge", fields={"other": was}, says=says)
        case _:
            pass
    return Notice(text=_DONE[verb], undo=undo)
