"""memory.timeline: memories in the order in which things happened."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Filtered
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool


class Timeline(Filtered):
    """List memories in the order in which what they tell happened, oldest first; of many the latest."""

    limit: int = Field(default=20, ge=1, le=100, description="Most memories to return.")


def run(context: Context, given: Timeline) -> dict[str, Any]:
    """The items, oldest first."""
    scope, filters = context.look(given.scope), given.filters()
    items = context.memory.timeline(scope=scope, limit=given.limit, **filters)
    if not items:
        return {"items": [], "hints": list(context.memory.page(scope=scope, limit=1, **filters).hints)}
    return {"items": [brief(item) for item in items]}


TOOL = Tool("memory.timeline", Timeline, run)
