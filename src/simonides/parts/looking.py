"""Items that are found by their ids."""

from __future__ import annotations

from simonides.compose import Parts
from simonides.domain.item import Item
from simonides.domain.scope import ALL, Scopes, looked_from, visible
from simonides.errors import Conflict, NotFound
from simonides.parts.arguments import id_of


def item_of(parts: Parts, item_id: str) -> Item:
    """The item with this id, of the store alone: one in the archive file has to come back first.

    Raises:
        NotFound: There is none.
        Conflict: It is in the archive file.
    """
    with parts.reading() as reader:
        item = reader.get([id_of(item_id)]).get(item_id)
    if item is None:
        found_item(parts, item_id, ALL)
        raise Conflict(f"{item_id} was moved to the archive file; restore it first")
    return item


def found_item(parts: Parts, item_id: str, scope: str | Scopes | None) -> Item:
    """The item with this id, of the archive file too, that is visible from a scope.

    Raises:
        NotFound: There is none.
    """
    where = visible(looked_from(scope))
    id_of(item_id)
    with parts.reading() as reader:
        item = reader.get([item_id]).get(item_id)
    if item is None and parts.store.archive is not None:
        with parts.reading_all() as views:
            item = views.get([item_id]).get(item_id)
    if item is None or (where is not None and item.scope not in where):
        raise NotFound(f"there is no item {item_id!r}")
    return item
