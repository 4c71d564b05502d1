"""memory.confirm: make a memory certain."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool


class Confirm(Named):
    """Make a memory certain, because the user has just said that it is true. It no longer fades."""


def run(context: Context, given: Confirm) -> dict[str, Any]:
    """The item, verified."""
    item = context.own(context.shown(given.id, given.scope))
    confirmed = context.memory.confirm(item.id)
    return {"item": brief(confirmed, validation=confirmed.validation.value)}


TOOL = Tool("memory.confirm", Confirm, run)
