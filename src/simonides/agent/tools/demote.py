"""memory.demote: let a memory sink."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Effect, Tool


class Demote(Named):
    """Say that a memory was of no use: it sinks, what you did not write yourself no lower than it began."""


def run(context: Context, given: Demote) -> dict[str, Any]:
    """The item with its score. By how much it moves is not for the model to say."""
    item = context.own(context.shown(given.id, given.scope))
    moved = context.memory.demote(item.id, actor=context.actor)
    return {"item": brief(moved, reinforcement=moved.reinforcement)}


TOOL = Tool("memory.demote", Demote, run, effect=Effect.WEIGHS)
