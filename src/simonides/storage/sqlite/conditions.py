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
from simonides.storage.sqlite.sql import carray

#: The fragments of a selection that nothing can pass.
NOTHING: Final = ["FALSE"]
_TURNS: Final = frozenset({"episode"})
#: Written out, not bound: the partial indexes ask for these very words.
_HAS_STATUS: Final = {status: f"i.status = '{status.value}'" for status in Status}
#: Named by hand, or by a mention of what has the name as its own or as an alias. An entity is mentioned by items
#: of its own scope only, so that no scope has to be compared here.
_NAMED: Final = """(holds_lines(i.entities, :named) OR i.key IN (
    SELECT l.src FROM memory_entity_names AS n CROSS JOIN memory_links AS l ON l.dst = n.entity AND l.rel = 'mentions'
    WHERE n.folded = :named
))"""

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
            require("+i.scope_key IN (SELECT value FROM carray(:scope_keys))", scope_keys=keys_array(keys))
        elif len(keys) == 1:
            require("i.scope_key = :scope_key", scope_key=keys[0])
        else:
            require("i.scope_key IN (SELECT value FROM carray(:scope_keys))", scope_keys=keys_array(keys))
    if len(selection.statuses) == 1:
        (status,) = selection.statuses
        require(_HAS_STATUS[status])
    else:
        require("i.status IN (SELECT value FROM carray(:statuses))", statuses=words_array(selection.statuses))
    if selection.live_at is not None:
        require("(i.expires_at IS NULL OR i.expires_at > :live_at)", live_at=selection.live_at)
    if selection.narrow:
        _narrow(selection, require)
    return fragments, values


def _is_of_turns(selection: Selection) -> bool:
    """Whether only turns of one session are wanted.

    They have an index of their own. The conditions are worded so that it is taken: that of the scope gives
    items in order as well, but walks all of them.
    """
    return selection.session_id is not None and selection.types == _TURNS


def _narrow(selection: Selection, require: Callable[..., None]) -> None:
    if selection.tiers is not None:
        require("i.tier IN (SELECT value FROM carray(:tiers))", tiers=words_array(selection.tiers))
    if _is_of_turns(selection):
        require("i.type = 'episode'")
    elif selection.types is not None:
        require("i.type IN (SELECT value FROM carray(:types))", types=words_array(selection.types))
    if selection.tags is not None:
        require("holds_lines(i.tags, :tags)", tags="\n".join(sorted(selection.tags)))
    if selection.entity is not None:
        require(_NAMED, named=fold(selection.entity))
    if selection.after is not None:
        require("coalesce(i.event_at, i.created_at) >= :happened_from", happened_from=selection.after)
    if selection.before is not None:
        require("coalesce(i.event_at, i.created_at) < :happened_before", happened_before=selection.before)
    if selection.valid_at is not None:
        require("coalesce(i.valid_from, i.event_at, i.created_at) <= :valid_at", valid_at=selection.valid_at)
        require("(i.valid_until IS NULL OR i.valid_until > :valid_at)")
    if selection.begun_at is not None:
        require("(i.valid_from IS NULL OR i.valid_from <= :begun_at)", begun_at=selection.begun_at)
    if selection.lasting_at is not None:
        require("(i.valid_until IS NULL OR i.valid_until > :lasting_at)", lasting_at=selection.lasting_at)
    if selection.replaced:
        require("(i.status <> 'archived' OR i.superseded_by IS NOT NULL)")
    if selection.session_id is not None:
        require("i.session_id = :session_id", session_id=selection.session_id)
    if selection.task_id is not None:
        require("i.task_id = :task_id", task_id=selection.task_id)
    if selection.corpus_id is not None:
        require("i.corpus_id = :corpus_id", corpus_id=selection.corpus_id)
    if selection.metadata is not None:
        require(
            _HOLDS_METADATA, metadata=f"{{{','.join(f'{json.dumps(k)}:{v}' for k, v in selection.metadata)}}}"
        )
    if selection.pinned is not None:
        require("i.pinned = 1" if selection.pinned else "i.pinned = 0")
    if selection.injectable is not None:
        require("i.injectable = :injectable", injectable=int(selection.injectable))


def keys_array(keys: Sequence[int]) -> object:
    """Integers as a bound table for `carray`. It must not be empty."""
    return carray(tuple(keys))


def words_array(words: Any) -> object:
    """Strings as a bound table for `carray`; a word that cannot occur where there are none."""
    return carray(tuple(sorted(str(word) for word in words)) or ("\x01",))


def holds_lines(lines: str, wanted: str) -> bool:
    """Whether each wanted line is among the lines, without case. Registered as a function: SQL folds ASCII only."""
    return set(wanted.casefold().split("\n")) <= set(lines.casefold().split("\n"))
