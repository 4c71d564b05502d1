"""memory.palace.browse: a domain or a room as a tree, with its memories."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import PlaceName, Scoped
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool
from simonides.domain.scope import Scope


class PalaceBrowse(Scoped):
    """Walk through a domain of the palace, or one room of it: its rooms and shelves with their memories.

    Without a domain, which domains there are.
    """

    domain: PlaceName | None = None
    room: PlaceName | None = None
    limit: int = Field(
        default=30, ge=1, le=100, description="Most memories to return; further places give their counts."
    )


def run(context: Context, given: PalaceBrowse) -> dict[str, Any]:
    """Rooms by name, their shelves by name, their cards newest first, as long as the limit lasts."""
    scope = context.look(given.scope)
    if given.domain is None:
        domains = context.memory.palace.list(scope=scope)
        return {"domains": [{"domain": name, "cards": cards} for name, cards in domains.items()]}
    rooms = context.memory.palace.list(given.domain, scope=scope)
    left = given.limit
    tree: list[dict[str, Any]] = []
    for room, cards in rooms.items():
        if given.room in (None, room):
            shelves = _shelves(context, given.domain, room, scope, left)
            left -= sum(len(shelf["items"]) for shelf in shelves)
            tree.append({"room": room, "cards": cards, "shelves": shelves})
    return {"rooms": tree}


def _shelves(context: Context, domain: str, room: str, scope: Scope, left: int) -> list[dict[str, Any]]:
    """The shelves of a room; once `left` items are taken the rest are only counted."""
    palace = context.memory.palace
    shelves: list[dict[str, Any]] = []
    for shelf, cards in palace.list(domain, room, scope=scope).items() if left > 0 else ():
        items = palace.get(domain, room, shelf, scope=scope, limit=left) if left > 0 else []
        left -= len(items)
        shelves.append({"shelf": shelf, "cards": cards, "items": [brief(item) for item in items]})
    return shelves


TOOL = Tool("memory.palace.browse", PalaceBrowse, run)
