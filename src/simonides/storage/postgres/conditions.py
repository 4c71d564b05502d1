"""Selections as SQL: a closed set of fixed fragments with bound values.

Each fragment speaks of `i`, a row of `memory_items`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from simonides.domain.entity import fold
from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection

#: The fragments of a selection that nothing can pass.
NOTHING: Final = ["FALSE"]
#: Written out, not bound: the partial indexes ask for these very words.
_HAS_STATUS: Final = {status: f"i.status = '{status.value}'" for status in Status}
_NAMED: Final = """(i.entities_folded @> :named_line OR EXISTS (
    SELECT 1 FROM memory_entity_names AS n JOIN memory_links AS l
        ON l.tenant = n.tenant AND l.dst = n.entity AND l.rel = 'mentions'
    WHERE n.tenant = :tenant AND l.tenant = :tenant AND n.folded = :named AND l.src = i.key
))"""
_WEAK: Final = """(
    SELECT effective_confidence(w.confidence, w.decay_rate, coalesce(w.last_used_at, w.created_at), :weak_at)
    FROM memory_item_rows AS w WHERE w.tenant = :tenant AND w.key = i.key
) < :weak_below"""
_UNPROTECTED: Final = "i.decay_rate > 0 AND i.pinned = 0 AND i.tier <> 'ltm' AND i.validation <> 'verified'"
_VALID: Final = """coalesce(i.valid_from, i.event_at, i.created_at) <= :valid_at
    AND (i.valid_until IS NULL OR i.valid_until > :valid_at)"""
_FORMER: Final = """(i.status <> 'archived' OR i.superseded_by IS NOT NULL AND i.validation <> 'retracted'
    AND CASE WHEN i.valid_until IS NULL THEN :former_copies = 1
        ELSE :former_since::bigint IS NULL OR i.valid_until > :former_since END
    AND (i.valid_from IS NULL OR i.valid_from < :former_until)
    AND EXISTS (
        WITH RECURSIVE later (id) AS (
            SELECT i.superseded_by
            UNION
            SELECT n.superseded_by FROM later JOIN memory_items AS n ON n.tenant = :tenant AND n.id = later.id
            WHERE n.tenant = :tenant AND n.superseded_by IS NOT NULL
        )
        SELECT 1 FROM later JOIN memory_items AS n ON n.tenant = :tenant AND n.id = later.id
        WHERE n.tenant = :tenant AND n.status = 'active'
    ))"""
_MENTIONING: Final = """EXISTS (
    SELECT 1 FROM memory_links AS l
    WHERE l.tenant = :tenant AND l.dst = ANY(:mentioned) AND l.rel = 'mentions' AND l.src = i.key
)"""
_PLACED: Final = """EXISTS (
    SELECT 1 FROM memory_places AS p
    WHERE p.tenant = :tenant AND p.key = i.key AND (:domain::text IS NULL OR p.domain = :domain)
        AND (:room::text IS NULL OR p.room = :room) AND (:shelf::text IS NULL OR p.shelf = :shelf)
)"""
_LACKING: Final = """NOT EXISTS (
    SELECT 1 FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
    WHERE e.tenant = :tenant AND m.tenant = :tenant AND e.item = i.key AND m.fingerprint = :lacking
)"""
_UNNAMED: Final = """EXISTS (
    SELECT 1 FROM memory_heads AS h
    WHERE h.tenant = :tenant AND i.key > coalesce(h.names_after, 0) AND i.key <= coalesce(h.names_until, 0)
)"""
_HELD: Final = "EXISTS (SELECT 1 FROM memory_review AS q WHERE q.tenant = :tenant AND q.key = i.key)"
#: Written out: the partial index of records asks for these very words.
_RECORD: Final = "i.type = 'record' AND i.source_id >= '/' AND i.source_id < '0'"
#: '0' follows '/'.
_UNDER: Final = f"i.source_id >= :space || '/' AND i.source_id < :space || '0' AND {_RECORD}"
#: A chunk of a document, or of one in a folder.
_OF_DOCUMENT: Final = (
    "i.type = 'chunk' AND (i.source_id = :path OR i.source_id >= :path || '/' AND i.source_id < :path || '0')"
)
#: As text, so that 1 and 1.0 are one number, and 1 and true are two values.
#: What is written as \\u0000 no jsonb holds.
_HOLDS_METADATA: Final = r"replace(coalesce(i.metadata, '{}'), '\u0000', '')::jsonb @> :metadata::jsonb"


def conditions(
    selection: Selection, scope_keys: Callable[[Sequence[Scope]], list[int]]
) -> tuple[list[str], dict[str, Any]]:
    """The fragments that a selection needs, and their values."""
    fragments: list[str] = []
    values: dict[str, Any] = {}

    def require(fragment: str, **bound: Any) -> None:
        fragments.append(fragment)
        values.update(bound)

    if selection.scopes is not None:
        keys = scope_keys(selection.scopes)
        if not keys:
            return NOTHING, {}
        if len(keys) == 1:
            require("i.scope_key = :scope_key", scope_key=keys[0])
        else:
            require("i.scope_key = ANY(:scope_keys)", scope_keys=keys)
    if len(selection.statuses) == 1:
        (status,) = selection.statuses
        require(_HAS_STATUS[status])
    else:
        require("i.status = ANY(:statuses)", statuses=sorted(selection.statuses))
    if selection.live_at is not None:
        require("(i.expires_at IS NULL OR i.expires_at > :live_at)", live_at=selection.live_at)
    if selection.narrow:
        _narrow(selection, require)
    return fragments, values


def _narrow(selection: Selection, require: Callable[..., None]) -> None:
    for field, fragment, bind in _FILTERS:
        value = getattr(selection, field)
        if value is not None and value is not False:
            require(fragment, **bind(value))
    if selection.types is not None:
        require("i.type = ANY(:types)", types=sorted(selection.types))
    if selection.pinned is not None:
        require("i.pinned = 1" if selection.pinned else "i.pinned = 0")
    if selection.injectable is not None:
        require("i.injectable = :injectable", injectable=int(selection.injectable))


def folded_lines(text: str) -> list[str]:
    """Lines as they are compared, without case: SQL folds otherwise."""
    return sorted(set(text.casefold().split("\n"))) if text else []


def _value_of(name: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {name: value}


def _nothing(_: Any) -> dict[str, Any]:
    return {}


#: Fields of a selection with their fragments, and what these bind; in the order in which they are tested.
_FILTERS: Final[tuple[tuple[str, str, Callable[[Any], dict[str, Any]]], ...]] = (
    ("tiers", "i.tier = ANY(:tiers)", lambda tiers: {"tiers": sorted(tiers)}),
    ("tags", "i.tags_folded @> :tags::text[]", lambda tags: {"tags": folded_lines("\n".join(sorted(tags)))}),
    ("entity", _NAMED, lambda name: {"named": fold(name), "named_line": folded_lines(fold(name))}),
    ("after", "coalesce(i.event_at, i.created_at) >= :happened_from", _value_of("happened_from")),
    ("before", "coalesce(i.event_at, i.created_at) < :happened_before", _value_of("happened_before")),
    ("valid_at", _VALID, _value_of("valid_at")),
    ("begun_at", "(i.valid_from IS NULL OR i.valid_from <= :begun_at)", _value_of("begun_at")),
    ("lasting_at", "(i.valid_until IS NULL OR i.valid_until > :lasting_at)", _value_of("lasting_at")),
    ("replaced", "(i.status <> 'archived' OR i.superseded_by IS NOT NULL)", _nothing),
    (
        "former",
        _FORMER,
        lambda held: {
            "former_since": held.since,
            "former_until": held.until,
            "former_copies": int(held.copies),
        },
    ),
    ("session_id", "i.session_id = :session_id", _value_of("session_id")),
    ("task_id", "i.task_id = :task_id", _value_of("task_id")),
    ("corpus_id", "i.corpus_id = :corpus_id", _value_of("corpus_id")),
    (
        "metadata",
        _HOLDS_METADATA,
        lambda held: {"metadata": f"{{{','.join(f'{json.dumps(k)}:{v}' for k, v in held)}}}"},
    ),
    ("source_id", "i.source_id = :source_id", _value_of("source_id")),
    ("address", f"{_RECORD} AND i.source_id = :address", _value_of("address")),
    ("space", _UNDER, _value_of("space")),
    ("path", _OF_DOCUMENT, _value_of("path")),
    ("among", "i.key = ANY(:among)", lambda keys: {"among": [int(key) for key in keys]}),
    ("recorded_since", "i.created_at >= :recorded_since", _value_of("recorded_since")),
    ("expired_at", "i.expires_at <= :expired_at", _value_of("expired_at")),
    ("mentioned", _MENTIONING, lambda keys: {"mentioned": [int(key) for key in keys]}),
    ("place", _PLACED, lambda place: dict(zip(("domain", "room", "shelf"), place, strict=True))),
    ("lacking", _LACKING, _value_of("lacking")),
    ("unprotected", _UNPROTECTED, _nothing),
    ("unnamed", _UNNAMED, _nothing),
    ("held", _HELD, _nothing),
    ("weak", _WEAK, lambda weak: {"weak_at": weak.at, "weak_below": weak.below}),
)
