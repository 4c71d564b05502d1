"""Items that the parts find by their ids."""

from __future__ import annotations

from simonides.compose import Parts
from simonides.domain.ids import is_id
from simonides.domain.item import Item
from simonides.errors import NotFound


def item_of(parts: Parts, item_id: str) -> Item:
    """The item with this id.

    Raises:
        NotFound: There is none.
    """
    item = None
    if is_id(item_id):
        with parts.store.read() as reader:
            item = reader.get([item_id]).get(item_id)
    if item is None:
        raise NotFound(f"there is no item {str(item_id)[:80]!r}")
    return item
