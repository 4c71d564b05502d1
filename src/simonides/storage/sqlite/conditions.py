"""Selections as SQLite words them.

Each fragment speaks of `i`, a row of `memory_items`. The values of a selection and those of the statements that it
is put into have different names: a test compares them.
"""

from __future__ import annotations

from typing import Final

from simonides.domain.entity import fold
from simonides.domain.selection import Selection
from simonides.storage.sql.conditions import Conditions
from simonides.storage.sqlite.sql import table

_TURNS: Final = frozenset({"episode"})
#: Named by hand, or by a mention of what has the name as its own or as an alias. An entity is mentioned by items
#: of its own scope only, so that no scope has to be compared here.
_NAMED: Final = """((i.entities <> '' OR :named = '') AND holds_lines(i.entities, :named) OR i.key IN (
    SELECT l.src FROM memory_entity_names AS n CROSS JOIN memory_links AS l ON l.dst = n.entity AND l.rel = 'mentions'
    WHERE n.folded = :named
))"""

#: What is left of the confidence of an item, as it stands with its use, by the registered function.
_WEAK: Final = """(
    SELECT effective_confidence(w.confidence, w.decay_rate, coalesce(w.last_used_at, w.created_at), :weak_at)
    FROM memory_item_rows AS w WHERE w.key = i.key
) < :weak_below"""
_FORMER: Final = """(i.status <> 'archived' OR i.superseded_by IS NOT NULL AND i.validation <> 'retracted'
    AND CASE WHEN i.valid_until IS NULL THEN :former_copies = 1
        ELSE :former_since IS NULL OR i.valid_until > :former_since END
    AND (i.valid_from IS NULL OR i.valid_from < :former_until)
    AND EXISTS (
        WITH RECURSIVE later (id) AS (
            SELECT i.superseded_by
            UNION
            SELECT n.superseded_by FROM later CROSS JOIN memory_items AS n ON n.id = later.id
            WHERE n.superseded_by IS NOT NULL
        )
        SELECT 1 FROM later CROSS JOIN memory_items AS n ON n.id = later.id WHERE n.status = 'active'
    ))"""
_MENTIONING: Final = """i.key IN (
    SELECT src FROM memory_links WHERE dst IN (SELECT value FROM carray(:mentioned)) AND rel = 'mentions'
)"""
_PLACED: Final = """EXISTS (
    SELECT 1 FROM memory_places AS p
    WHERE p.key = i.key AND (:domain IS NULL OR p.domain = :domain)
        AND (:room IS NULL OR p.room = :room) AND (:shelf IS NULL OR p.shelf = :shelf)
)"""
#: An empty vector marks a text that embeds to nothing.
_LACKING: Final = """NOT EXISTS (
    SELECT 1 FROM memory_embeddings AS e
    WHERE e.item = i.key AND e.model = (SELECT key FROM memory_models WHERE fingerprint = :lacking)
)"""
#: `meta` holds the bounds of what nobody has looked through: behind `names_after` up to `names_until`.
_UNNAMED: Final = """i.key > (SELECT coalesce(max(value), 0) FROM meta WHERE name = 'names_after')
    AND i.key <= (SELECT coalesce(max(value), 0) FROM meta WHERE name = 'names_until')"""
#: 1 and 1.0 are one number in JSON, and in SQLite; 1 and true are two values here, as in JSON.
_HOLDS_METADATA: Final = """NOT EXISTS (
    SELECT 1 FROM json_each(:metadata) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(coalesce(i.metadata, '{}')) AS held
        WHERE held.key = wanted.key AND held.atom IS wanted.atom
            AND (held.type = wanted.type OR held.type IN ('integer', 'real') AND wanted.type IN ('integer', 'real'))
    )
)"""


def holds_lines(lines: str, wanted: str) -> bool:
    """True if each wanted line is among the lines, without case. Registered as a function: SQL folds ASCII only."""
    return set(wanted.casefold().split("\n")) <= set(lines.casefold().split("\n"))


class _SqliteConditions(Conditions):
    def _is_of_turns(self, selection: Selection) -> bool:
        """True if only turns of one session are wanted.

        They have an index of their own. The conditions are worded so that it is taken: that of the scope gives
        items in order as well, but walks all of them.
        """
        return selection.session_id is not None and selection.types == _TURNS


conditions: Final = _SqliteConditions(
    words={
        "after": "coalesce(i.event_at, i.created_at) >= :happened_from",
        "before": "coalesce(i.event_at, i.created_at) < :happened_before",
        # Most items have no tags: the function, called for each of the others, is slow beside a comparison.
        "tags": "(i.tags <> '' OR :tags = '') AND holds_lines(i.tags, :tags)",
        "entity": _NAMED,
        "former": _FORMER,
        "metadata": _HOLDS_METADATA,
        "mentioned": _MENTIONING,
        "place": _PLACED,
        "lacking": _LACKING,
        "unnamed": _UNNAMED,
        "held": "i.key IN (SELECT key FROM memory_review)",
        "weak": _WEAK,
    },
    bindings={
        "tags": lambda tags: {"tags": "\n".join(sorted(tags))},
        "entity": lambda name: {"named": fold(name)},
    },
    one_of="IN (SELECT value FROM carray({}))",
    bound=table,
)
