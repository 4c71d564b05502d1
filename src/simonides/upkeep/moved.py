"""Bringing back from the archive file what a run is to be taken back of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from simonides.domain.run import LeftAlone, RunChange
from simonides.errors import Conflict
from simonides.ports.store import Store

#: Items that come back in one transaction.
_PIECE: Final = 50


def moved_ids(changes: Sequence[RunChange]) -> list[str]:
    """Items that these changes moved to the archive file, and those that they changed and another run moved."""
    ids: dict[str, None] = {}
    for change in changes:
        details = change.details
        named = [details.get("moved_item"), details.get("moved_other")]
        ids |= dict.fromkeys(id_ for id_ in named if id_ is not None)
        if change.kind == "moved":
            ids |= dict.fromkeys(details["item_ids"])
    return list(ids)


def bring_back(store: Store, run_ids: Sequence[str], told: Callable[[LeftAlone], None]) -> None:
    """Bring back what these runs changed: from then on their changes are those of items that are here.

    Args:
        told: Called with what cannot come back, and why.
    """
    with store.read() as reader:
        changes = [change for run_id in run_ids for change in reader.run_changes(run_id, left=True)]
    if not (away := moved_ids(changes)):
        return
    for first in range(0, len(away), _PIECE):
        _piece(store, away[first : first + _PIECE], told)
    store.settle_archive(away)


def _piece(store: Store, item_ids: Sequence[str], told: Callable[[LeftAlone], None]) -> None:
    try:
        store.write(lambda tx: tx.bring_back(item_ids))
    except Conflict as conflict:
        if len(item_ids) > 1:
            for item_id in item_ids:
                _piece(store, [item_id], told)
        else:
            told(LeftAlone(tuple(item_ids), str(conflict)))
