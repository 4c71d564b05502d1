"""memory.palace.assign: put a memory into a room."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.context import Context
from simonides.agent.tools.fields import Named, NewPlaceName
from simonides.agent.tools.tool import Tool


class PalaceAssign(Named):
    """Put a memory into a room of the palace; domain and shelf stay as they were if they are left out."""

    room: NewPlaceName
    domain: NewPlaceName | None = None
    shelf: NewPlaceName | None = None


def run(context: Context, given: PalaceAssign) -> dict[str, Any]:
    """Where it stands now."""
    item = context.own(context.shown(given.id, given.scope))
    place = context.memory.palace.assign(item.id, room=given.room, domain=given.domain, shelf=given.shelf)
    return {"place": place.to_dict()}


TOOL = Tool("memory.palace.assign", PalaceAssign, run)
