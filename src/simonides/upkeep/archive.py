"""Bringing back what was archived: faded, expired, forgotten, or moved to the archive file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.ids import new_id
from simonides.domain.instant import days_between
from simonides.domain.item import Item, Status, changed_at
from simonides.domain.retention import FADED_BELOW, effective_confidence
from simonides.domain.run import LeftAlone, RunChange
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import Conflict, NotFound
from simonides.language.names import names_of
from simonides.ports.both import Both, both
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import Store, Writer
from simonides.writing.embedded import Embedded, embedded
from simonides.writing.holders import holder as holder_of

#: Items that come back in one transaction.
_PIECE: Final = 50


class Restorer:
    """Lets archived items live again, as they were before they were archived."""

    def __init__(self, store: Store, embedder: Embedder, clock: Clock) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock

    def restore(self, item_id: str, *, actor: str = "user") -> Verdict:
        """Bring an item back, with its history, links, vectors and use.

        What had faded counts as used: it begins to fade anew. An expiry that has passed is taken off.

        Returns:
            `accepted`; or `merged` with the item that says the same by now, or that replaced it: then the item
            is back in the store, and stays archived.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not archived; or it was replaced by what still stands, and was never moved away.
        """
        with both(self._store) as views:
            gone = _gone(views, item_id)
            once_held = _alive_once_held(views, item_id)
        # What waited for a decision lost its vector, or never had one.
        vectors = embedded(self._embedder, [] if once_held is None else [once_held.text])
        verdict = self._store.write(lambda tx: self._restored(tx, item_id, gone, actor, vectors))
        self._store.settle_archive([item_id])
        return verdict

    def _restored(self, tx: Writer, item_id: str, gone: str | None, actor: str, vectors: Embedded) -> Verdict:
        at = self._clock.now()
        came = tx.key(item_id) is None and bool(tx.bring_back([item_id]))
        item = tx.get([item_id]).get(item_id)
        if item is None:
            raise NotFound(f"there is no item {item_id!r}")
        if came and item.status is Status.ACTIVE:
            return Verdict(Outcome.ACCEPTED, item_id)
        if item.status is not Status.ARCHIVED:
            raise Conflict(f"{item_id} is {item.status}, not archived; there is nothing to restore")
        if item.superseded_by not in (None, gone):
            if not came:
                raise Conflict(
                    f"{item_id} was replaced by {item.superseded_by}; correct that one, or undo the run that did it"
                )
            return Verdict(Outcome.MERGED, item.superseded_by, ("superseded: another item replaced it",))
        alive = _alive(tx, item, at)
        holder = holder_of(tx, alive, at)
        if holder not in (None, item_id):
            tx.revise(
                changed_at(item, at, superseded_by=holder),
                reason="restore",
                action="restore",
                actor=actor,
            )
            return Verdict(Outcome.MERGED, holder, ("duplicate: another item says the same by now",))
        names = names_of(alive)
        tx.revise(alive, reason="restore", action="restore", actor=actor, names=names)
        if vectors.model is not None and (key := tx.key(item_id)) is not None:
            tx.put_vectors(vectors.model, [(key, vectors.vectors[0])])
        if _has_faded(alive, at):  # To take back that it was forgotten or corrected is no use of it.
            tx.use([item_id], f"restore:{new_id(at)}", at)
        return Verdict(Outcome.ACCEPTED, item_id)


def _gone(views: Both, item_id: str) -> str | None:
    """Successor of an item, where that was forgotten or purged since, and nothing stands in its place."""
    item = views.get([item_id]).get(item_id)
    first = last = None if item is None else item.superseded_by
    seen = {item_id}
    while last is not None and last not in seen:
        seen.add(last)
        item = views.get([last]).get(last)
        if item is None or (item.status is Status.ARCHIVED and item.superseded_by is None):
            return first
        last = item.superseded_by
    return None


def _alive_once_held(views: Both, item_id: str) -> Item | None:
    """The item as it last was before it was archived, where it ever waited for a decision; else None."""
    states = [revision.item for revision in reversed(views.revisions(item_id))]
    if not states or all(state.status is not Status.QUARANTINED for state in states):
        return None
    return _before(states)


def _before(states: Sequence[Item]) -> Item:
    """The last active one of an item's states, newest first; the newest where it never was."""
    return next((state for state in states if state.status is Status.ACTIVE), states[0])


def _has_faded(item: Item, at: int) -> bool:
    days = days_between(item.last_used_at or item.created_at, at)
    return effective_confidence(item.confidence, item.decay_rate, days) < FADED_BELOW


def _alive(tx: Writer, item: Item, at: int) -> Item:
    """The item as it last was before it was archived."""
    before = _before([revision.item for revision in reversed(tx.revisions(item.id))])
    expired = before.expires_at is not None and before.expires_at <= at
    return replace(
        before,
        status=Status.ACTIVE,
        confidence=max(before.confidence, item.confidence),
        superseded_by=None,
        expires_at=None if expired else before.expires_at,
        updated_at=max(at, item.updated_at),
    )


def _moved_ids(changes: Sequence[RunChange]) -> list[str]:
    """Items that these changes moved to the archive file, and those that they changed and another run moved."""
    ids: dict[str, None] = {}
    for change in changes:
        details = change.details
        named = [details.get("moved_item"), details.get("moved_other")]
        ids |= dict.fromkeys(id_ for id_ in named if id_ is not None)
        if change.kind == "moved":
            ids |= dict.fromkeys(details["item_ids"])
    return list(ids)


def bring_back(store: Store, run_ids: Sequence[str], report: Callable[[LeftAlone], None]) -> None:
    """Bring back what these runs changed: from then on their changes are those of items that are here.

    Args:
        report: Called with what cannot come back, and why.
    """
    with store.read() as reader:
        changes = [change for run_id in run_ids for change in reader.run_changes(run_id, left=True)]
    if not (away := _moved_ids(changes)):
        return
    for piece in batches(away, _PIECE):
        _piece(store, piece, report)
    store.settle_archive(away)


def _piece(store: Store, item_ids: Sequence[str], report: Callable[[LeftAlone], None]) -> None:
    try:
        store.write(lambda tx: tx.bring_back(item_ids))
    except Conflict as conflict:
        if len(item_ids) > 1:
            for item_id in item_ids:
                _piece(store, [item_id], report)
        else:
            report(LeftAlone(tuple(item_ids), str(conflict)))
