"""Moving items between a store and its archive, whole: all that hangs on an item goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simonides.domain.batches import batches
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import EntityType, Name
from simonides.domain.link import Link, Relation
from simonides.errors import NotFound
from simonides.storage.sql.database import Database
from simonides.storage.sql.registry import Naming
from simonides.storage.sql.rows import item_of, row_hash, to_row

if TYPE_CHECKING:
    from simonides.storage.sql.writer import SqlWriter

_PIECE = 500


def copy(source: SqlWriter, target: SqlWriter, item_ids: Sequence[str], *, out: bool) -> None:
    """Copy items with revisions, vectors, usage, verdict, place, mentions, links, and how they wait for extraction.

    An item keeps its key where that is free: it then stands in its old place in every order. What the target
    has of an item already, left over from a move that was interrupted, is replaced.

    Args:
        source, target: Both in a transaction.
        out: From the store to its archive; else back.

    Raises:
        NotFound: The source does not have an item.
        Conflict: The target holds what may be there once.
    """
    for item_id in item_ids:
        if target.key(item_id) is not None:
            remove(target, [item_id], known=False)
        _copy_one(source, target, item_id)
    links = source.links(item_ids)
    if out:
        rows = [_row(link, link.src, link.dst) for link in links]
        target.database.executemany("put_moved_link", rows)
        return
    for link in links:
        # One whose other end is still in the archive stays there, and comes back with it.
        src, dst = target.key(link.src), target.key(link.dst)
        if src is not None and dst is not None:
            if link.rel is Relation.CO_RECALLED:
                src, dst = min(src, dst), max(src, dst)
            target.database.execute("put_link", _row(link, src, dst))
    target.rejoin_run_changes(item_ids)


def remove(writer: SqlWriter, item_ids: Sequence[str], *, known: bool) -> None:
    """Take items out that are kept elsewhere; what runs did to them can still be told.

    Args:
        known: Whether entities that nothing mentions any more stay known.
    """
    database = writer.database
    kept = database.execute("any_run_changes").get
    for item_id in item_ids:
        key = writer.key(item_id)
        if key is None:
            continue
        if kept:
            database.execute("note_moved_changes", {"key": key, "id": item_id})
            database.execute("note_moved_others", {"key": key, "id": item_id})
        if known:
            database.execute("unmention", {"item": key})
        else:
            writer.registry.name([Naming(key, 0, 0, 0, ())], new=False)
        for name in ("drop_links_of_item", "drop_vectors_of_item", "purge_revisions", "delete_item"):
            database.execute(name, {"key": key, "item": key})
    for item_id in item_ids:
        database.execute("drop_moved_links", {"id": item_id})


def present(database: Database, item_ids: Sequence[str]) -> set[str]:
    """Those of the ids that a store or its archive has."""
    there: set[str] = set()
    for piece in batches(item_ids, _PIECE):
        there.update(row[0] for row in database.execute("present_ids", {"ids": piece}))
    return there


def drop_known(archive: SqlWriter, store: Database, item_ids: Sequence[str]) -> int:
    """Drop from an archive what its store has of these; how many items that were."""
    known = sorted(present(store, item_ids) & present(archive.database, item_ids))
    remove(archive, known, known=False)
    return len(known)


def _copy_one(source: SqlWriter, target: SqlWriter, item_id: str) -> None:
    key, here, there = source.key(item_id), source.database, target.database
    if key is None:
        raise NotFound(f"there is no item {item_id!r}")
    states = here.execute("revisions_with_hashes", {"item": key}).fetchall()
    text: str = states[-1][4]
    item = item_of(text)
    new = target.place_item(
        key, to_row(item, target.scope_key(item.scope), item.content_hash, row_hash(text))
    )
    there.executemany("add_revision", [(new, *state) for state in states])
    usage = here.execute("usage_of_item", {"item": key}).fetchone()
    if usage is not None:
        names = ("reinforcement", "usage_count", "last_used_at", "last_hit_at", "gain")
        there.execute("put_usage", dict(zip(names, usage, strict=True)) | {"item": new})
    uses = here.execute("uses_of_item", {"item": key})
    there.executemany("add_use", [(new, *use) for use in uses])
    # A turn that is archived waits on, and is extracted once it is active again.
    for _, session_id, *waits in here.rows("buffered_items", keys=[key]).fetchall():
        there.execute("put_buffered", (new, session_id, *waits))
    for name, fingerprint, dimension, checksum, vector in here.rows("vectors_of_item", item=key).fetchall():
        model = target.model_key(EmbedderIdentity(name, fingerprint, dimension))
        there.execute("put_vector", (new, model, checksum, vector))
    verdict = here.execute("verdict_of_item", {"item": key}).fetchone()
    if verdict is not None:
        there.execute("put_whole_verdict", (new, *verdict))
    if (place := source.place(item_id, given=True)) is not None:
        target.assign(item_id, place)
    mentioned = here.execute("names_mentioned", {"item": key}).fetchall()
    names = tuple(Name(text, EntityType(kind)) for text, kind in mentioned)
    naming = Naming(new, target.scope_key(item.scope), item.happened_at, item.updated_at, names)
    target.registry.name([naming], new=True)


def _row(link: Link, src: object, dst: object) -> tuple[object, ...]:
    return (
        src, dst, link.rel.value, link.predicate, link.weight, link.confidence, link.evidence,
        link.valid_from, link.valid_until, link.created_at,
    )  # fmt: skip
