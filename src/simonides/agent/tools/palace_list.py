"""memory.palace.list: what stands on one level of the palace."""

from __future__ import annotations

from typing import Any, Self

from pydantic import model_validator

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import PlaceName, Scoped
from simonides.agent.tools.tool import Tool


class PalaceList(Scoped):
    """List places of the palace, where memories stand by subject, with how many each holds.

    Without a domain all domains, with one its rooms, with a room too its shelves.
    """

    domain: PlaceName | None = None
    room: PlaceName | None = None

    @model_validator(mode="after")
    def _room_of_a_domain(self) -> Self:
        if self.room is not None and self.domain is None:
            raise ValueError("a room is named with its domain")
        return self


def run(context: Context, given: PalaceList) -> dict[str, Any]:
    """Places of the level below the one that is named."""
    places = context.memory.palace.list(given.domain, given.room, scope=context.look(given.scope))
    level = "domains" if given.domain is None else "rooms" if given.room is None else "shelves"
    return {"level": level, "places": [{"name": name, "cards": count} for name, count in places.items()]}


TOOL = Tool("memory.palace.list", PalaceList, run)
