"""Entities: who and what the memory speaks of, and what is known of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from simonides.domain.entity import EntityType
from simonides.domain.ids import is_id
from simonides.edges.page.rows import row_of
from simonides.edges.page.visit import View, Visit
from simonides.errors import NotFound

_LISTED: Final = 60
_MOST: Final = 1000
_FACTS: Final = 20


def listing(visit: Visit) -> View:
    """Entities, the most often mentioned first, and those that may be one and the same."""
    count = visit.count("k", _LISTED, _MOST)
    kind, prefix = visit.query.get("type") or None, visit.query.get("q", "").strip() or None
    found = visit.memory.entities.list(scope=visit.scope, limit=count + 1, type=kind, prefix=prefix)
    alike = (
        visit.memory.entities.alike(scope=visit.scope, limit=10) if kind is None and prefix is None else []
    )
    shown: dict[str, Any] = {
        "here": "Entities",
        "entities": found[:count],
        "most": max((entity.mention_count for entity in found), default=1) or 1,
        "types": [kind.value for kind in EntityType],
        "type": kind,
        "prefix": prefix or "",
        "alike": alike,
        "more": visit.address(k=count + _LISTED) if len(found) > count else None,
    }
    return View(
        template="entities", shown=shown, data={"entities": [entity.to_dict() for entity in found[:count]]}
    )


def place(visit: Visit) -> View:
    """One entity: what is known of it, what is mentioned beside it, and when."""
    name = visit.names["name"]
    # An id names its entity from anywhere: what it is seen from must be the visitor's.
    profile = visit.memory.entities.get(name, scope=None if is_id(name) else visit.scope, limit=_FACTS)
    if not visit.shows(profile.entity.scope):
        raise NotFound(f"there is no entity {name!r}")
    profile = replace(
        profile,
        facts=tuple(item for item in profile.facts if visit.shows(item.scope)),
        timeline=tuple(item for item in profile.timeline if visit.shows(item.scope)),
        related=tuple(one for one in profile.related if visit.shows(one.entity.scope)),
    )
    shown: dict[str, Any] = {
        "here": "Entities",
        "profile": profile,
        "entity": profile.entity,
        "facts": [row_of(item, visit) for item in profile.facts],
        "told": [row_of(item, visit) for item in profile.timeline[::-1]],
        "related": profile.related,
    }
    return View(template="entity", shown=shown, data=profile.to_dict())
