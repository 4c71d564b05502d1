"""Conversations that go on after their turns were moved to the archive file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from simonides.domain.item import Item, Status
from simonides.domain.scope import Scope
from simonides.errors import Conflict
from simonides.ports.store import Store, Writer


def bring_back_turns(store: Store, scope: Scope, session_id: str, at: int) -> None:
    """Let a session be whole again: its client may send all of it once more, and no turn is stored twice."""
    archive = store.archive
    if archive is None:
        return
    with archive.read() as reader:
        ids = [turn.id for turn in reader.conversation(scope, session_id).turns]
    if not ids:
        return

    def write(tx: Writer) -> None:
        for item_id in ids:
            with suppress(Conflict):  # The session holds this turn again already.
                tx.bring_back([item_id])
        for item in tx.get(ids).values():
            if (before := _before_pruning(tx, item)) is not None:
                tx.revise(
                    replace(before, updated_at=max(at, item.updated_at)), reason="restore", action="restore"
                )

    store.write(write)
    store.settle_archive(ids)


def _before_pruning(tx: Writer, item: Item) -> Item | None:
    """The state that pruning took a turn out of; None if it was archived for another reason."""
    revisions = tx.revisions(item.id)
    if item.status is not Status.ARCHIVED or len(revisions) < 2 or revisions[-1].reason != "prune":
        return None
    return revisions[-2].item
