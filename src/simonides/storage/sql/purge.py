"""Purging: items go with every trace of what they said, as far as rows hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.records import AuditEvent
from simonides.errors import NotFound
from simonides.storage.sql.database import Database
from simonides.storage.sql.purge_documents import take_from_documents
from simonides.storage.sql.purge_names import PurgedWords, purge_names
from simonides.storage.sql.purge_successors import take_from_successors
from simonides.storage.sql.purge_words import Traces, look_for_traces, take_out, traces_of
from simonides.storage.sql.writer import SqlWriter

#: Items of which is asked in one go.
_PAGE: Final = 200
#: What hangs on an item, by what it is counted as.
_OF_ITEM: Final = (
    ("revisions", "purge_revisions"), ("vectors", "drop_vectors_of_item"), ("links", "drop_links_of_item"),
)  # fmt: skip


def purge_rows(
    writer: SqlWriter,
    item_ids: Sequence[str],
    at: int,
    other: Database | None = None,
    *,
    scope: str | None = None,
    actor: str = "user",
) -> tuple[Mapping[str, int], Traces]:
    """Delete items, their revisions, vectors, links, names and words; and what they alone said beside items.

    What successors took over from them goes, too, wherever the successors' content does not say it.

    Args:
        other: The archive: what is said there, too, is said by others.
        scope: The scope that goes as a whole: its sessions and what was asked from it go as well.

    Returns:
        Counts of what went, by kind; and what only these items said.

    Raises:
        NotFound: An id is unknown, and was not purged before; nothing was removed.
    """
    keys = _keys_of(writer, item_ids)
    database = writer.database
    purged = PurgedWords()
    for page in batches(keys, _PAGE):
        purged.note(writer, [key for _, key in page])
    going = {item_id for item_id, _ in keys}
    take_from_successors(writer, going, purged.states, at, actor)
    take_from_documents(writer, going, purged.states, at, actor)
    purged.look(database)
    gone = [count for item_id, key in keys for count in _delete(database, item_id, key)]
    counts = {"items": 0, "revisions": 0, "vectors": 0, "links": 0, "entities": 0, "injections": 0}
    counts["entities"] = purge_names(writer, purged)
    traces = traces_of(purged.states, scope)
    look_for_traces(database)
    traces = traces.alone(database)
    traces = traces if other is None else traces.alone(other)
    counts["injections"] = take_out(database, traces)
    for kind, count in gone:
        counts[kind] += count()
    writer.record(
        [
            AuditEvent(action="purge", at=at, item_id=item_id, actor=actor, details={"receipt": counts})
            for item_id, _ in keys
        ]
    )
    return counts, traces


def _keys_of(writer: SqlWriter, item_ids: Sequence[str]) -> list[tuple[str, int]]:
    """Ids of items with their keys, but for those that were purged before.

    Raises:
        NotFound: An id is unknown.
    """
    keys: list[tuple[str, int]] = []
    for item_id in dict.fromkeys(item_ids):
        key = writer.key(item_id)
        if key is not None:
            keys.append((item_id, key))
        elif not _purged_before(writer, item_id):
            raise NotFound(f"there is no item {item_id!r}; nothing was purged")
    return keys


def _delete(database: Database, item_id: str, key: int) -> list[tuple[str, Callable[[], int]]]:
    """Delete the rows of an item; by kind, what will tell how many went."""
    values = {"key": key, "item": key}
    gone = [(kind, database.count(name, dict(values))) for kind, name in _OF_ITEM]
    gone.append(("injections", database.count("purge_injections", {"item_id": item_id})))
    # The key may be given again: what a job knows of it must not be taken for the next item's.
    database.execute("keep_bookmarks", {"key": key})
    database.execute("purge_judged", {"key": key})
    gone.append(("items", database.count("delete_item", dict(values))))
    return gone


def _purged_before(writer: SqlWriter, item_id: str) -> bool:
    return any(event.action == "purge" for event in writer.events(item_ids=[item_id]))
