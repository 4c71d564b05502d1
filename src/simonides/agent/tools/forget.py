"""memory.forget: take a memory out of recall."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped, Target
from simonides.agent.tools.render import brief, candidates, judged, remarks
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.item import Item
from simonides.domain.verdict import Outcome


class Forget(Scoped):
    """Take a memory out of recall; it is archived, not deleted.

    What you did not write yourself waits for the user's approval, unless they just asked to forget it.
    If the words fit several memories, nothing changes and the candidates are returned.
    """

    target: Target


def run(context: Context, given: Forget) -> dict[str, Any]:
    """The archived item, candidates, or the verdict on what waits for the user."""
    resolved = context.resolve(given.target, given.scope)
    if not isinstance(resolved, Item):
        return candidates(resolved)
    verdict = context.request(context.own(resolved), "forget")
    if verdict.outcome is not Outcome.ACCEPTED:
        return judged(verdict)
    return {"item": brief(context.memory.get(resolved.id)), **remarks(verdict)}


TOOL = Tool("memory.forget", Forget, run, effect=Effect.CHANGES)
