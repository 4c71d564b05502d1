"""memory.confirm: make a memory certain."""

from __future__ import annotations

from typing import Any

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import brief, judged, remarks
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.verdict import Outcome


class Confirm(Named):
    """Ask the user to make a memory certain: it is verified and no longer fades once they approve.

    What you wrote yourself only rises.
    """


def run(context: Context, given: Confirm) -> dict[str, Any]:
    """The item as it stands now, or the verdict on what waits for the user."""
    item = context.own(context.shown(given.id, given.scope))
    verdict = context.request(item, "confirm")
    if verdict.outcome is not Outcome.ACCEPTED:
        return judged(verdict)
    now = context.memory.get(item.id)
    confirmed = brief(now, validation=now.validation.value, reinforcement=now.reinforcement)
    return {"item": confirmed, **remarks(verdict)}


TOOL = Tool("memory.confirm", Confirm, run, effect=Effect.WEIGHS)
