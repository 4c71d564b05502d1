"""The store as it was known at an instant: its revisions, put into a store in memory."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable

from simonides.domain.scope import Scope
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.sql.rows import item_of, row_hash
from simonides.storage.sqlite.asof import MemoryView, PastItem


def view_of_past(
    databases: Iterable[PostgresDatabase], at: int, scopes: frozenset[Scope] | None
) -> MemoryView:
    """The items of a store, and of its archive, as their revisions stood at an instant.

    Vectors come along where the text has not changed since; where it has, it mentions what it named then. Entities are
    named as they are today. Links, places and usage are today's and stay out.

    Args:
        databases: The store's view, and the archive's.
    """
    first, *archive = databases

    def named(folded: Collection[str]) -> Iterable[tuple[object, ...]]:
        return first.rows("entities_of_names", folded=list(folded), everywhere=True, scope_keys=[])

    found: dict[str, PastItem] = {}
    entities: list[tuple[object, ...]] = []
    for number, database in enumerate((first, *archive)):
        past = _past_items(database, at, scopes)
        new = [one for one in past if one.item.id not in found]
        keys = [one.key for one in new]
        same = _unchanged(database, new)
        vectors: dict[int, list[tuple[object, ...]]] = {}
        for key, name, fingerprint, dimension, vector in database.rows("vectors_with_models", keys=same):
            data = vector or b""
            vectors.setdefault(key, []).append((name, fingerprint, dimension, zlib.crc32(data), data))
        mentions: dict[int, list[int]] = {}
        # Mentions of what was moved to the archive are not in it.
        renamed = frozenset(keys).difference(() if number else same)
        if number == 0:
            for key, entity in database.rows("mentioned_by_items", keys=same):
                mentions.setdefault(key, []).append(entity)
            known = sorted({entity for some in mentions.values() for entity in some})
            entities = list(database.rows("entities_by_key", keys=known)) if known else []
        for key, one in zip(keys, new, strict=True):
            mentioned = None if key in renamed else mentions.get(key, ())
            found[one.item.id] = one._replace(vectors=vectors.get(key, ()), mentions=mentioned)
    return MemoryView.holding(found.values(), entities, named)


def _past_items(database: PostgresDatabase, at: int, scopes: frozenset[Scope] | None) -> list[PastItem]:
    found: list[PastItem] = []
    for key, text, number, told_at, reason, check in database.rows("states_as_of", at=at):
        item = item_of(text)
        if scopes is None or item.scope in scopes:
            found.append(PastItem(key, item, (number, told_at, reason, None, text), row_hash(text) == check))
    return found


def _unchanged(database: PostgresDatabase, past: list[PastItem]) -> list[int]:
    """Keys of the items that say today what they said then."""
    now = {row[0]: row[1:] for row in database.rows("said_today", keys=[one.key for one in past])}
    return [
        one.key
        for one in past
        if now.get(one.key) == (one.item.title, one.item.content, "\n".join(one.item.entities))
    ]
