"""memory.forget: take a memory out of recall."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.context import Context
from simonides.agent.tools.fields import Scoped, Target
from simonides.agent.tools.render import brief, candidates
from simonides.agent.tools.tool import Tool
from simonides.domain.item import Item


class Forget(Scoped):
    """Take a memory out of recall; it is archived, not deleted.

    If the words fit several memories, nothing changes and the candidates are returned.
    """

    target: Target


def run(context: Context, given: Forget) -> dict[str, Any]:
    """The archived item, or candidates."""
    found = context.meant(given.target, given.scope)
    if not isinstance(found, Item):
        return candidates(found)
    gone = context.memory.forget(context.own(found).id)
    return {"item": brief(gone)} if isinstance(gone, Item) else candidates(gone)


TOOL = Tool("memory.forget", Forget, run)
