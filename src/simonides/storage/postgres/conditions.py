"""Selections as PostgreSQL words them.

Each fragment speaks of `i`, a row of `memory_items`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from simonides.domain.entity import fold
from simonides.storage.sql.conditions import Conditions

#: COALESCE would keep row-level security from looking it up by an index.
_HAPPENED: Final = "CASE WHEN i.event_at IS NULL THEN i.created_at ELSE i.event_at END"
_NAMED: Final = """(i.entities_folded @> :named_line OR EXISTS (
    SELECT 1 FROM memory_entity_names AS n JOIN memory_links AS l
        ON l.tenant = n.tenant AND l.dst = n.entity AND l.rel = 'mentions'
    WHERE n.tenant = :tenant AND l.tenant = :tenant AND n.folded = :named AND l.src = i.key
))"""
_WEAK: Final = """(
    SELECT effective_confidence(w.confidence, w.decay_rate, coalesce(w.last_used_at, w.created_at), :weak_at)
    FROM memory_item_rows AS w WHERE w.tenant = :tenant AND w.key = i.key
) < :weak_below"""
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
#: As text, so that 1 and 1.0 are one number, and 1 and true are two values.
_HOLDS_METADATA: Final = (
    "simonides_without_nul(coalesce(i.metadata, '{}'))::jsonb @> simonides_without_nul(:metadata)::jsonb"
)


def folded_lines(text: str) -> list[str]:
    """Lines as they are compared, without case: SQL folds otherwise."""
    return sorted(set(text.casefold().split("\n"))) if text else []


def _listed(values: Collection[Any]) -> list[Any]:
    """Values as an array; keys may be numpy's."""
    return sorted(value if isinstance(value, str) else int(value) for value in values)


conditions: Final = Conditions(
    words={
        "tags": "i.tags_folded @> :tags::text[]",
        "entity": _NAMED,
        "after": f"{_HAPPENED} >= :happened_from",
        "before": f"{_HAPPENED} < :happened_before",
        "former": _FORMER,
        "metadata": _HOLDS_METADATA,
        "mentioned": _MENTIONING,
        "place": _PLACED,
        "lacking": _LACKING,
        "unnamed": _UNNAMED,
        "held": _HELD,
        "weak": _WEAK,
    },
    bindings={
        "tags": lambda tags: {"tags": folded_lines("\n".join(sorted(tags)))},
        "entity": lambda name: {"named": fold(name), "named_line": folded_lines(fold(name))},
    },
    one_of="= ANY({})",
    bound=_listed,
)
