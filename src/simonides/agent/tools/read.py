"""memory.read: one memory by its id."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import whole
from simonides.agent.tools.tool import Tool
from simonides.domain.item import Status


class Read(Named):
    """Read one memory by its id, in full. This counts as a use."""


def run(context: Context, given: Read) -> dict[str, Any]:
    """The item, whatever its status. What is quarantined gains nothing by being read."""
    item = context.shown(given.id, given.scope)
    if item.status is not Status.QUARANTINED:
        item = context.shown(given.id, given.scope, used=True)
    return {"item": whole(item)}


TOOL = Tool("memory.read", Read, run, aliases=("memory.get",))
