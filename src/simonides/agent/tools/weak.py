"""memory.weak: memories that are fading."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped, Share
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool


class Weak(Scoped):
    """List memories that are fading, weakest first: worth confirming with the user, or forgetting."""

    below: Share = Field(default=0.3, description="Only those whose confidence has sunk below this.")
    limit: int = Field(default=20, ge=1, le=100, description="Most memories to return.")


def run(context: Context, given: Weak) -> dict[str, Any]:
    """Items with what decay has left of their confidence."""
    weak = context.memory.weak(scope=context.look(given.scope), below=given.below, limit=given.limit)
    return {"items": [brief(one.item, effective_confidence=one.effective_confidence) for one in weak]}


TOOL = Tool("memory.weak", Weak, run)
