"""memory.history: every state of a memory."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import brief
from simonides.agent.tools.tool import Tool
from simonides.domain.instant import iso


class History(Named):
    """Show every state of a memory, and of those it replaced or that replaced it, oldest first."""

    limit: int = Field(default=20, ge=1, le=100, description="Most states to return, the latest ones.")


def run(context: Context, given: History) -> dict[str, Any]:
    """The revisions. A link may join memories of several scopes; what cannot be seen is left out."""
    item = context.shown(given.id, given.scope)
    revisions = [
        {
            "number": revision.number,
            "at": iso(revision.at),
            "reason": revision.reason,
            "item": brief(revision.item),
        }
        for revision in context.memory.history(item.id)
        if context.sees(revision.item.scope)
    ]
    return {"revisions": revisions[-given.limit :]}


TOOL = Tool("memory.history", History, run)
