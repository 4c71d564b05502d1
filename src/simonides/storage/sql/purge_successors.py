"""Taking what successors took over from purged items out of them, in all their states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from simonides.domain.item import Item
from simonides.governance.carried import TAKING_OVER, TakenOver
from simonides.language.names import names_of
from simonides.storage.sql.rows import row_hash, snapshot
from simonides.storage.sql.writer import SqlWriter


def take_from_successors(
    writer: SqlWriter, purged: AbstractSet[str], states: Sequence[Item], at: int, actor: str
) -> None:
    """Take title, tags, names and metadata that came from purged items out of what superseded them.

    Args:
        states: Of the purged items.
    """
    successors = [id_ for id_ in _successors(writer, states) if id_ not in purged]
    if not successors:
        return
    leave_in(writer, successors, TakenOver.of(states).left_in, at, actor)


def leave_in(
    writer: SqlWriter, item_ids: Sequence[str], left_in: Callable[[Item], Item], at: int, actor: str
) -> None:
    """Leave in items, and in all their former states, what `left_in` leaves in a state."""
    for item_id in item_ids:
        key = writer.key(item_id)
        item = writer.load([key])[key] if key is not None else None
        if key is None or item is None:
            continue
        left = left_in(item)
        if left != item:
            left = replace(left, updated_at=max(at, item.updated_at))
            writer.revise(left, reason="purge", action="update", actor=actor, names=names_of(left))
        for revision in writer.revisions(item_id):
            if (state := left_in(revision.item)) != revision.item:
                text = snapshot(state)
                writer.database.execute("reword_revision", (text, row_hash(text), key, revision.number))


def _successors(writer: SqlWriter, states: Sequence[Item]) -> Iterator[str]:
    """Ids of what took the place of items, and of that in turn, where it may have taken fields over."""
    known: set[str] = set()
    frontier = [state.superseded_by for state in states]
    while frontier:
        id_ = frontier.pop()
        if id_ is None or id_ in known:
            continue
        known.add(id_)
        revisions = writer.revisions(id_)
        if revisions and revisions[0].reason in TAKING_OVER:
            yield id_
            frontier += [revision.item.superseded_by for revision in revisions]
