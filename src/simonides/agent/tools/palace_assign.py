"""memory.palace.assign: put a memory into a room."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named, NewPlaceName
from simonides.agent.tools.render import judged
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.verdict import Outcome


class PalaceAssign(Named):
    """Put a memory into a room of the palace; domain and shelf stay as they were if they are left out.

    Where the user put it somewhere, it waits for their approval.
    """

    room: NewPlaceName
    domain: NewPlaceName | None = None
    shelf: NewPlaceName | None = None


def run(context: Context, given: PalaceAssign) -> dict[str, Any]:
    """Its place from now on."""
    item = context.own(context.shown(given.id, given.scope))
    verdict = context.request(
        item, "assign", given.model_dump(include={"room", "domain", "shelf"}, exclude_none=True)
    )
    if verdict.outcome is not Outcome.ACCEPTED:
        return judged(verdict)
    return {"place": context.memory.palace.where(item.id).to_dict()}


TOOL = Tool("memory.palace.assign", PalaceAssign, run, effect=Effect.CHANGES)
