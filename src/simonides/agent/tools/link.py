"""memory.link: join two memories."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import ItemId, Scoped, beside
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.link import HAND_MADE, PEOPLES_LINKS


class LinkInput(Scoped):
    """Join two memories: src supports, contradicts, refines, depends on … dst."""

    src: ItemId
    dst: ItemId
    rel: str = Field(
        default="references",
        max_length=40,
        description="What src is to dst.",
        json_schema_extra={"enum": [str(rel) for rel in sorted(HAND_MADE - PEOPLES_LINKS)]},
    )
    evidence: Annotated[str, AfterValidator(beside)] | None = Field(
        default=None, max_length=500, description="Why they belong together."
    )


def run(context: Context, given: LinkInput) -> dict[str, Any]:
    """The link. Its source speaks, so that is the one that calls from here must be able to change."""
    src = context.own(context.shown(given.src, given.scope))
    dst = context.shown(given.dst, given.scope)
    made = context.memory.link(src.id, dst.id, given.rel, evidence=given.evidence, actor=context.actor)
    return {"link": made.to_dict()}


TOOL = Tool("memory.link", LinkInput, run, effect=Effect.ADDS)
