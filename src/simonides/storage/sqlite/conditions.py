"""Selections as SQL: a closed set of fixed fragments with bound values.

Each fragment speaks of `i`, a row of `memory_items`. The values of a selection and those of the statements that it
is put into have different names: a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from simonides.domain.entity import fold
from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.storage.sqlite.sql import table

#: The fragments of a selection that nothing can pass.
NOTHING: Final = ["FALSE"]
_TURNS: Final = frozenset({"episode"})
#: Written out, not bound: the partial indexes ask for these very words.
_HAS_STATUS: Final = {status: f"i.status = '{status.value}'" for status in Status}
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
_UNPROTECTED: Final = "i.decay_rate > 0 AND i.pinned = 0 AND i.tier <> 'ltm' AND i.validation <> 'verified'"
_VALID: Final = """coalesce(i.valid_from, i.event_at, i.created_at) <= :valid_at
    AND (i.valid_until IS NULL OR i.valid_until > :valid_at)"""
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
#: Written out: the partial index of records asks for these very words.
_RECORD: Final = "i.type = 'record' AND i.source_id >= '/' AND i.source_id < '0'"
#: '0' follows '/'. The narrower bounds stand first: of several, SQLite walks the index within the first.
_UNDER: Final = f"i.source_id >= :space || '/' AND i.source_id < :space || '0' AND {_RECORD}"

#: A chunk of a document, or of one in a folder. ('0' follows '/'.)
_OF_DOCUMENT: Final = (
    "i.type = 'chunk' AND (i.source_id = :path OR i.source_id >= :path || '/' AND i.source_id < :path || '0')"
)

#: 1 and 1.0 are one number in JSON, and in SQLite; 1 and true are two values here, as in JSON.
_HOLDS_METADATA: Final = """NOT EXISTS (
    SELECT 1 FROM json_each(:metadata) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(coalesce(i.metadata, '{}')) AS held
        WHERE held.key = wanted.key AND held.atom IS wanted.atom
            AND (held.type = wanted.type OR held.type IN ('integer', 'real') AND wanted.type IN ('integer', 'real'))
    )
)"""


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
        if _is_of_turns(selection):
            require("+i.scope_key IN (SELECT value FROM carray(:scope_keys))", scope_keys=table(keys))
        elif len(keys) == 1:
            require("i.scope_key = :scope_key", scope_key=keys[0])
        else:
            require("i.scope_key IN (SELECT value FROM carray(:scope_keys))", scope_keys=table(keys))
    if len(selection.statuses) == 1:
        (status,) = selection.statuses
        require(_HAS_STATUS[status])
    else:
        require("i.status IN (SELECT value FROM carray(:statuses))", statuses=table(selection.statuses))
    if selection.live_at is not None:
        require("(i.expires_at IS NULL OR i.expires_at > :live_at)", live_at=selection.live_at)
    if selection.narrow:
        _narrow(selection, require)
    return fragments, values


def _is_of_turns(selection: Selection) -> bool:
    """True if only turns of one session are wanted.

    They have an index of their own. The conditions are worded so that it is taken: that of the scope gives
    items in order as well, but walks all of them.
    """
    return selection.session_id is not None and selection.types == _TURNS


def _narrow(selection: Selection, require: Callable[..., None]) -> None:
    for field, fragment, bind in _FILTERS:
        value = getattr(selection, field)
        if value is not None and value is not False:
            require(fragment, **bind(value))
    if _is_of_turns(selection):
        require("i.type = 'episode'")
    elif selection.types is not None:
        require("i.type IN (SELECT value FROM carray(:types))", types=table(selection.types))
    if selection.pinned is not None:
        require("i.pinned = 1" if selection.pinned else "i.pinned = 0")
    if selection.injectable is not None:
        require("i.injectable = :injectable", injectable=int(selection.injectable))


def holds_lines(lines: str, wanted: str) -> bool:
    """True if each wanted line is among the lines, without case. Registered as a function: SQL folds ASCII only."""
    return set(wanted.casefold().split("\n")) <= set(lines.casefold().split("\n"))


def _value_of(name: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {name: value}


def _nothing(_: Any) -> dict[str, Any]:
    return {}


#: Fields of a selection with their fragments, and what these bind; in the order in which they are tested.
_FILTERS: Final[tuple[tuple[str, str, Callable[[Any], dict[str, Any]]], ...]] = (
    ("tiers", "i.tier IN (SELECT value FROM carray(:tiers))", lambda tiers: {"tiers": table(tiers)}),
    # Most items have no tags: the function, which is called for each of the others, is slow beside a comparison.
    (
        "tags",
        "(i.tags <> '' OR :tags = '') AND holds_lines(i.tags, :tags)",
        lambda tags: {"tags": "\n".join(sorted(tags))},
    ),
    ("entity", _NAMED, lambda name: {"named": fold(name)}),
    ("after", "coalesce(i.event_at, i.created_at) >= :happened_from", _value_of("happened_from")),
    ("before", "coalesce(i.event_at, i.created_at) < :happened_before", _value_of("happened_before")),
    (
        "valid_at",
        _VALID,
        _value_of("valid_at"),
    ),
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
    ("among", "i.key IN (SELECT value FROM carray(:among))", lambda keys: {"among": table(keys)}),
    ("recorded_since", "i.created_at >= :recorded_since", _value_of("recorded_since")),
    ("expired_at", "i.expires_at <= :expired_at", _value_of("expired_at")),
    ("mentioned", _MENTIONING, lambda keys: {"mentioned": table(keys)}),
    ("place", _PLACED, lambda place: dict(zip(("domain", "room", "shelf"), place, strict=True))),
    ("lacking", _LACKING, _value_of("lacking")),
    ("unprotected", _UNPROTECTED, _nothing),
    ("unnamed", _UNNAMED, _nothing),
    ("held", "i.key IN (SELECT key FROM memory_review)", _nothing),
    ("weak", _WEAK, lambda weak: {"weak_at": weak.at, "weak_below": weak.below}),
)
