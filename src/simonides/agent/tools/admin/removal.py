"""memory.purge and memory.restore: out of the store for good, and back out of the archive."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from simonides.agent.tools.admin.deciding import decided, own, shown_to_person
from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import ItemId, Named, Scoped
from simonides.agent.tools.render import judged
from simonides.agent.tools.tool import Effect, Tool

#: More would not be read by whoever decides.
_MOST: Final = 10


class Purge(Scoped):
    """Delete memories with every trace, for good, and what was made from them. The user is asked."""

    ids: list[ItemId] = Field(min_length=1, max_length=_MOST)


def purge(context: Context, given: Purge) -> dict[str, Any]:
    """Counts of what went, with the user's word."""
    items = [own(context, item_id, given.scope) for item_id in dict.fromkeys(given.ids)]
    ids = [item.id for item in items]
    made = context.memory.derived(*ids, purge=True)
    along = [one.item.id for one in made if one.item.id not in ids and one.then != "left"]
    shown = [
        "Delete this for good? It cannot be undone.",
        *(line for item in items for line in shown_to_person(item)),
    ]
    if along:
        shown.append(f"Made from it, and touched as well: {', '.join(along)}")
    return decided(
        context,
        shown,
        lambda: {"outcome": "purged", "counts": dict(context.memory.purge(ids))},
        f"simonides purge {' '.join(ids)}",
    )


class Restore(Named):
    """Bring a memory back out of the archive. The user is asked."""


def restore(context: Context, given: Restore) -> dict[str, Any]:
    """The verdict, with the user's word."""
    item = own(context, given.id, given.scope)
    return decided(
        context,
        ["Bring this back?", *shown_to_person(item)],
        lambda: judged(context.memory.restore(item.id)),
        f"simonides restore {item.id}",
    )


PURGE = Tool("memory.purge", Purge, purge, effect=Effect.CHANGES)
RESTORE = Tool("memory.restore", Restore, restore, effect=Effect.CHANGES)
