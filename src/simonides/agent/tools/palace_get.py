"""memory.palace.get: the memories of one place."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import PlaceName, Scoped
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool


class PalaceGet(Scoped):
    """Read the memories of a domain, of one of its rooms, or of a shelf there, newest first."""

    domain: PlaceName
    room: PlaceName | None = None
    shelf: PlaceName | None = None
    limit: int = Field(default=20, ge=1, le=100, description="Most memories to return.")

    @model_validator(mode="after")
    def _shelf_of_a_room(self) -> Self:
        if self.shelf is not None and self.room is None:
            raise ValueError("a shelf is named with its room")
        return self


def run(context: Context, given: PalaceGet) -> dict[str, Any]:
    """The cards of the place."""
    cards = context.memory.palace.get(
        given.domain, given.room, given.shelf, scope=context.look(given.scope), limit=given.limit
    )
    return {"items": [brief(item) for item in cards]}


TOOL = Tool("memory.palace.get", PalaceGet, run)
