"""memory.write: remember one thing."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped
from simonides.agent.tools.propose import ProposalInput, judged
from simonides.agent.tools.render import judged as shown
from simonides.agent.tools.tool import Effect, Tool


class Write(ProposalInput, Scoped):
    """Remember one thing.

    It is judged as a proposal: without a reason in why_store, or where it says of the user what they are not
    recorded to have said, it waits for their approval.
    """

    # Models leave out what they need not give. A call without a reason is judged all the same, and waits.
    model_config = ConfigDict(json_schema_extra={"required": ["content", "why_store"]})


def run(context: Context, given: Write) -> dict[str, Any]:
    """The verdict. The call itself is the source where none is named."""
    proposal = {"source": context.source(TOOL.name)} | given.model_dump(exclude={"scope"}, exclude_none=True)
    [verdict] = judged(context, [proposal], context.place(given.scope))
    return shown(verdict)


TOOL = Tool("memory.write", Write, run, aliases=("memory.add",), effect=Effect.ADDS)
