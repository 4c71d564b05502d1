"""Rows of memories in databases of others, whose columns go by several names; the rest of them is metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.domain.instant import first_instant, iso
from simonides.domain.item import Usage
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin
from simonides.domain.taxonomy import TAXONOMY, Tier
from simonides.importers.databases import Row, first_of, json_in, rest_of, share_in, words_in
from simonides.importers.files import an_id, an_object
from simonides.ports.importer import Refusal, SourceEntry, SourceItem, SourceLink

#: Names under which columns go, the usual one first. The table of the docs is made of this.
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "memory_id", "node_id", "uuid"),
    "content": ("content", "text", "memory", "body", "summary", "label", "name"),
    "title": ("title", "heading"),
    "type": ("type", "memory_type", "kind", "node_type", "category"),
    "tier": ("tier", "level", "layer"),
    "tags": ("tags", "keywords"),
    "entities": ("entities",),
    "confidence": ("confidence",),
    "importance": ("importance", "salience"),
    "session_id": ("session_id", "conversation_id"),
    "event_at": ("event_at", "occurred_at", "date", "day"),
    "valid_from": ("valid_from",),
    "valid_until": ("valid_until", "valid_to"),
    "expires_at": ("expires_at",),
    "created_at": ("created_at", "timestamp", "created", "added_at"),
    "updated_at": ("updated_at", "modified_at", "updated"),
    "archived_at": ("archived_at", "deleted_at"),
    "reinforcement": ("reinforcement", "reinforcement_score", "score", "strength"),
    "usage_count": ("usage_count", "access_count", "use_count", "hits"),
    "last_used_at": ("last_used_at", "last_accessed_at", "last_accessed", "accessed_at"),
    "last_hit_at": ("last_hit_at", "last_reinforced_at", "last_hit"),
    "user_id": ("user_id", "user"),
    "agent_id": ("agent_id", "agent"),
    "project": ("project", "project_id"),
    "metadata": ("metadata", "meta", "attributes"),
    "status": ("status",),
    "pinned": ("pinned", "is_pinned", "core"),
}
#: Columns that say whose a row is.
OWNERS: Final = ("user_id", "agent_id", "project")
_TIERS: Final = {
    "stm": Tier.STM, "short": Tier.STM, "short_term": Tier.STM, "short-term": Tier.STM, "working": Tier.STM,
    "mtm": Tier.MTM, "mid": Tier.MTM, "mid_term": Tier.MTM, "medium": Tier.MTM, "mid-term": Tier.MTM,
    "ltm": Tier.LTM, "long": Tier.LTM, "long_term": Tier.LTM, "long-term": Tier.LTM, "core": Tier.LTM,
    "1": Tier.STM, "2": Tier.MTM, "3": Tier.LTM,
}  # fmt: skip
_GONE: Final = frozenset({"archived", "deleted", "superseded", "expired", "inactive"})
_LINK_ENDS: Final = {
    "src": ("src", "source", "source_id", "from_id", "src_id", "from_node"),
    "dst": ("dst", "target", "target_id", "to_id", "dst_id", "to_node"),
    "rel": ("rel", "relation", "relation_type", "type", "predicate", "edge_type", "label"),
    "weight": ("weight", "strength"),
}
_RELATIONS: Final = {
    **{rel.value: rel for rel in Relation if rel is not Relation.MENTIONS},
    "related": Relation.REFERENCES,
    "relates_to": Relation.REFERENCES,
    "related_to": Relation.REFERENCES,
    "similar_to": Relation.SIMILAR,
    "caused_by": Relation.CAUSAL,
    "causes": Relation.CAUSAL,
    "follows": Relation.TEMPORAL,
    "next": Relation.TEMPORAL,
}


def has_content(columns: tuple[str, ...]) -> bool:
    """True if a table has a column that may hold the text of a memory."""
    return any(name in columns for name in COLUMNS["content"])


def item_of(row: Row, place: str, table: str, *, archived: bool = False, **fields: Any) -> SourceEntry:
    """The memory that a row is.

    Args:
        table: A key is unique in it alone.
        archived: Its table holds what was given up.
        **fields: Fields that the table implies, where the row does not tell.
    """
    columns = {what: first_of(row, *names) for what, names in COLUMNS.items()}
    content = columns["content"]
    if not isinstance(content, str) or not content.strip():
        return Refusal(place=place, reason="the row has no text")
    key = columns["id"]
    if key is None:
        return Refusal(place=place, reason="the row has no id")
    used = {name for what, names in COLUMNS.items() for name in names if columns[what] is not None}
    given = {**fields, **_fields_of(row, columns)}
    metadata = (
        dict(an_object(json_in(columns["metadata"]))) | rest_of(row, used) | _not_understood(columns, given)
    )
    if metadata:
        given["metadata"] = {name: value for name, value in metadata.items() if not isinstance(value, bytes)}
    gone = (
        str(columns["status"]).casefold() in _GONE or first_instant(row, *COLUMNS["archived_at"]) is not None
    )
    return SourceItem(
        place=place,
        key=f"{table}:{key}",
        content=content,
        fields=given,
        whose={name: columns[name] for name in OWNERS},
        origin=Origin.IMPORT,
        created_at=first_instant(row, *COLUMNS["created_at"]),
        updated_at=first_instant(row, "archived_at", "deleted_at", *COLUMNS["updated_at"]),
        archived=archived or gone,
        usage=_usage_of(row, columns),
    )


def _fields_of(row: Row, columns: Row) -> dict[str, Any]:
    """The fields of a memory that a row tells in a form which this memory has, too."""
    given: dict[str, Any] = {}
    for name in ("title", "type"):
        if isinstance(columns[name], str):
            given[name] = columns[name][:200] if name == "title" else columns[name]
    if session_id := an_id(columns["session_id"]):
        given["session_id"] = session_id
    for name in ("tags", "entities"):
        if words := words_in(columns[name]):
            given[name] = words
    for name in ("confidence", "importance"):
        if (share := share_in(columns[name])) is not None:
            given[name] = share
    for name in ("event_at", "valid_from", "valid_until", "expires_at"):
        if (at := first_instant(row, *COLUMNS[name])) is not None:
            given[name] = iso(at)
    if (tier := _TIERS.get(str(columns["tier"]).casefold())) is not None:
        given["tier"] = tier.value
    if columns["pinned"] in (1, True, "1", "true"):
        given["pinned"] = True
    return given


def _not_understood(columns: Row, given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of a column that this memory words otherwise, or cannot hold."""
    understood = {
        "tier": "tier" in given,
        "type": str(given.get("type", "note")) in TAXONOMY.specs,
        "confidence": "confidence" in given,
        "importance": "importance" in given,
        "status": str(columns["status"]).casefold() in _GONE | {"active"},
        "reinforcement": isinstance(columns["reinforcement"], int | float),
    }
    return {
        name: columns[name] for name, known in understood.items() if not known and columns[name] is not None
    }


def _usage_of(row: Row, columns: Row) -> Usage:
    reinforcement, uses = columns["reinforcement"], columns["usage_count"]
    return Usage(
        reinforcement=float(reinforcement) if isinstance(reinforcement, int | float) else 0.0,
        usage_count=uses if isinstance(uses, int) and uses >= 0 else 0,
        last_used_at=first_instant(row, *COLUMNS["last_used_at"]),
        last_hit_at=first_instant(row, *COLUMNS["last_hit_at"]),
    )


def link_of(row: Row, place: str, table: str) -> SourceEntry:
    """The link that a row is, between two memories of a table; a relation unknown here becomes a reference."""
    src, dst = (first_of(row, *_LINK_ENDS[end]) for end in ("src", "dst"))
    if src is None or dst is None:
        return Refusal(place=place, reason="the row does not name both ends of its link")
    rel, weight = first_of(row, *_LINK_ENDS["rel"]), first_of(row, *_LINK_ENDS["weight"])
    name = str(rel or "").strip().casefold().replace(" ", "_")
    known = _RELATIONS.get(name, Relation.REFERENCES)
    return SourceLink(
        place=place,
        src=f"{table}:{src}",
        dst=f"{table}:{dst}",
        rel=known,
        weight=float(weight) if isinstance(weight, int | float) and weight >= 0 else 1.0,
        evidence=str(rel) if rel is not None and name != known.value else None,
        created_at=first_instant(row, *COLUMNS["created_at"]),
    )
