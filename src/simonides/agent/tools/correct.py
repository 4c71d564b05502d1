"""memory.correct: replace what a memory says."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped, Target
from simonides.agent.tools.render import candidates, judged
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.item import Item
from simonides.errors import InvalidInput


class Correct(Scoped):
    """Replace a memory that turned out to be wrong or is no longer true.

    The old one ends now and stays in the history. What you did not write yourself waits for the user's approval,
    unless they just said its sentence with another value. If the words fit several memories, nothing changes
    and the candidates are returned.
    """

    target: Target
    content: str = Field(description="What is true now, in a sentence that stands by itself.")


def run(context: Context, given: Correct) -> dict[str, Any]:
    """The verdict about the new content, or candidates."""
    resolved = context.resolve(given.target, given.scope)
    if not isinstance(resolved, Item):
        return candidates(resolved)
    if resolved.type == "chunk":
        raise InvalidInput(f"{resolved.id} is part of a document; it changes with the document")
    return judged(context.request(context.own(resolved), "correct", {"content": given.content}))


TOOL = Tool("memory.correct", Correct, run, effect=Effect.CHANGES)
