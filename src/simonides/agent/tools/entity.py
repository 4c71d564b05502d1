"""memory.entity: what is known of a person, project, place or thing."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool
from simonides.domain.ids import is_id


class EntityInput(Scoped):
    """Tell what is known of a person, project, organization, place, concept or tool.

    Its other names, facts about it, what happened when, and what is often mentioned beside it.
    """

    name: str = Field(min_length=1, max_length=200, description="A name, another name of it, or its id.")
    limit: int = Field(default=10, ge=1, le=50, description="Most facts, and most dates of the timeline.")


def run(context: Context, given: EntityInput) -> dict[str, Any]:
    """The profile, as seen from the scope."""
    scope = context.sight(given.scope) if is_id(given.name) else context.look(given.scope)
    profile = context.memory.entities.get(given.name, scope=scope, limit=given.limit)
    facts = {item.id for item in profile.facts}
    return {
        "entity": profile.entity.to_dict(),
        "facts": [brief(item) for item in profile.facts],
        # What stands among the facts is not said twice.
        "timeline": [brief(item) for item in profile.timeline if item.id not in facts],
        "related": [entry.to_dict() for entry in profile.related],
    }


TOOL = Tool("memory.entity", EntityInput, run)
