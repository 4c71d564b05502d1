"""Earlier items that name what became known later: what an entity is mentioned by does not depend on the order."""

from __future__ import annotations

from typing import Final

from simonides.language.names import names_of
from simonides.ports.store import Mentioned, Writer

#: Items that are looked through for the names that one write made known: a write must not take the longer the larger
#: the store is. What is left, `backfill(again=True)` finds.
MOST_EARLIER: Final = 64


def attach_earlier(tx: Writer, mentioned: Mentioned) -> None:
    """Let what was stored before mention the entities that a write made known."""
    if mentioned.earlier:
        tx.name_items([(key, names_of(item)) for key, item in mentioned.earlier], more=True)
