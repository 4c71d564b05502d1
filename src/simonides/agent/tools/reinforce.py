"""memory.reinforce: let a memory rise."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Effect, Tool


class Reinforce(Named):
    """Say that a memory proved useful: it rises."""


def run(context: Context, given: Reinforce) -> dict[str, Any]:
    """The item with its score. By how much it moves is not for the model to say."""
    item = context.own(context.shown(given.id, given.scope))
    moved = context.memory.reinforce(item.id, actor=context.actor)
    return {"item": brief(moved, reinforcement=moved.reinforcement)}


TOOL = Tool("memory.reinforce", Reinforce, run, effect=Effect.WEIGHS)
