"""The SQL of the store as psycopg takes it: named statements beside this module, and those that all databases share."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, LiteralString, NamedTuple, cast

from simonides.storage.sql.rows import COLUMNS
from simonides.storage.sql.statements import named, shared

_TABLE: Final = re.compile(r"\b(?:memory_\w+|corpora|documents)\b")
#: Tables that views read.
_VIEWS: Final = {
    "memory_item_rows": ("memory_items", "memory_usage", "memory_scopes"),
    "memory_places": ("memory_items", "memory_scopes", "memory_palace_locations"),
    "memory_review": ("memory_items", "memory_verdicts"),
}
#: A named part that several statements share; parts may hold others.
_PART: Final = re.compile(r"/\*(part_\w+)\*/")
#: Keys or numbers of which there may be none.
_KEYS: Final = re.compile(r"(?<![:\w]):([a-z]\w*)::bigint\[\]")
#: A line of a statement that finds all by keys: one plan serves whatever the values.
_ONCE: Final = re.compile(r"^-- planned: once$", re.MULTILINE)
#: A value by its name, or the next of a row.
_VALUE: Final = re.compile(r"(?<![:\w]):([a-z]\w*)|\?")
#: A value by its name as psycopg takes it, or a doubled sign.
_NAMED: Final = re.compile(r"%(?:\((\w+)\)s|%)")
#: Columns of `memory_item_rows` as `to_item` reads them.
_ROW: Final = [
    "key",
    "id",
    "scope",
    "tier",
    "type",
    "status",
    "validation",
    "origin",
    "trust",
    "injectable",
    "pinned",
    "base_confidence",
    "confidence",
    "importance",
    "decay_rate",
    "created_at",
    "updated_at",
    "event_at",
    "valid_from",
    "valid_until",
    "expires_at",
    "superseded_by",
    "session_id",
    "ordinal",
    "task_id",
    "narrative_id",
    "corpus_id",
    "rule_id",
    "source_kind",
    "source_id",
    "source_role",
    "source_details",
    "metadata",
    "title",
    "content",
    "tags",
    "entities",
    "reinforcement",
    "usage_count",
    "last_used_at",
    "last_hit_at",
    "scope_key",
    "content_hash",
    "row_hash",
]
#: Columns of a `Sketch`, of an item `i` and its usage `u`.
SKETCH: Final = r"""i.key, i.type, i.title, i.content, i.tags, i.derived,
    CASE i.type WHEN 'episode' THEN split_part(i.entities, E'\n', 1) ELSE '' END,
    i.source_role, i.scope_key, i.session_id, i.ordinal, i.validation,
    least(1.0, i.confidence + coalesce(u.confidence_gain, 0)), i.importance, i.decay_rate, i.created_at,
    coalesce(i.event_at, i.created_at),
    coalesce(u.reinforcement, 0.0), u.last_used_at, u.last_hit_at, i.entities, i.source_kind,
    coalesce(strpos(i.source_details, '"content_hashes"') > 0, FALSE)::integer, i.trust, i.pinned::integer,
    i.valid_until, i.superseded_by, i.valid_from"""
#: Columns of an item that only this store has: lines as they are compared.
FOLDED: Final = ("tags_folded", "entities_folded")
_STORED: Final = (*COLUMNS, *FOLDED)
_PARTS: Final = {
    "/*row*/": ", ".join(f"r.{name}" for name in _ROW),
    "/*sketch*/": SKETCH,
    "/*columns*/": ", ".join(_STORED),
    "/*values*/": ", ".join("?" * (len(_STORED) + 1)),
    "/*assignments*/": ", ".join(f"{name} = ?" for name in _STORED),
}


class NamedStatement(NamedTuple):
    """A statement for psycopg.

    Attributes:
        text: Its values stand in it by name.
        names: The names of its values but the tenant's, in the order in which they first occur.
        writes: It changes rows.
        tables: The tables that it reads or changes.
        once: It may be planned once for all values.
        keys: The names of values that are arrays of bigint.
    """

    text: LiteralString
    names: tuple[str, ...]
    writes: bool
    tables: frozenset[str]
    once: bool = False
    keys: frozenset[str] = frozenset()


def ours(text: str) -> LiteralString:
    """A statement that was written here, and by nobody who asks."""
    return cast("LiteralString", text)


@cache
def statements() -> dict[str, str]:
    """Every named statement."""
    return shared() | named("simonides.storage.postgres")


@lru_cache(maxsize=2048)
def query(name: str, *conditions: str) -> NamedStatement:
    """A named statement, with its `/*conditions*/` replaced by fragments of `conditions.py`, joined by AND."""
    return query_of(statements()[name], *conditions)


def query_of(text: str, *conditions: str) -> NamedStatement:
    """A statement, as it is written in the files."""
    once = _ONCE.search(text) is not None
    text = _without_comments(text)
    while _PART.search(text):
        text = _PART.sub(lambda mark: _without_comments(statements()[mark[1]]), text)
    text = text.replace("/*conditions*/", " AND ".join(conditions) or "TRUE")
    for mark, columns in _PARTS.items():
        text = text.replace(mark, columns)
    names: dict[str, None] = {}
    unnamed = 0

    def value(match: re.Match[str]) -> str:
        nonlocal unnamed
        name = match[1]
        if name is None:
            unnamed += 1
            name = f"_{unnamed}"
        names[name] = None
        return f"%({name})s"

    # What is no value is doubled before: psycopg reads a single one as the beginning of one.
    keys = frozenset(_KEYS.findall(text))
    written = _VALUE.sub(value, text.replace("%", "%%"))
    tables = frozenset(table for found in _TABLE.findall(text) for table in _VIEWS.get(found, (found,)))
    return NamedStatement(
        ours(written), tuple(name for name in names if name != "tenant"), _writes(text), tables, once, keys
    )


def with_figures(asked: NamedStatement, **figures: int) -> NamedStatement:
    """A statement with numbers in place of marks of their names: the planner takes a partial index for no value."""
    text = asked.text
    for name, figure in figures.items():
        text = ours(text.replace(f"/*{name}*/", str(int(figure))))
    return asked._replace(text=text)


@lru_cache(maxsize=2048)
def numbered(text: LiteralString) -> tuple[LiteralString, tuple[str, ...]]:
    """A statement as the server takes it, its values by numbers, and their names in order.

    psycopg, which does the same for what it is given, reads a statement of more than 4,096 bytes anew each time.
    """
    places: dict[str, int] = {}
    written = _NAMED.sub(
        lambda match: f"${places.setdefault(match[1], len(places) + 1)}" if match[1] else "%", text
    )
    return ours(written), tuple(places)


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def _writes(text: str) -> bool:
    return (
        re.search(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+\w", text) is not None and "FOR UPDATE" not in text
    )
