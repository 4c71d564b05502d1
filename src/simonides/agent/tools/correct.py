"""memory.correct: replace what a memory says."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.context import Context
from simonides.agent.tools.fields import RESERVED, Scoped, Target
from simonides.agent.tools.propose import judged
from simonides.agent.tools.render import candidates
from simonides.agent.tools.tool import Tool
from simonides.domain.item import Item
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput


class Correct(Scoped):
    """Replace a memory that turned out to be wrong or is no longer true.

    The old one ends now and stays in the history. If the words fit several memories, nothing changes
    and the candidates are returned.
    """

    target: Target
    content: str = Field(description="What is true now, in a sentence that stands by itself.")


def run(context: Context, given: Correct) -> dict[str, Any]:
    """The verdict about the new content, or candidates."""
    found = context.meant(given.target, given.scope)
    if not isinstance(found, Item):
        return candidates(found)
    return replaced(context, context.own(found), given.content).to_dict()


def replaced(context: Context, item: Item, content: str) -> Verdict:
    """Let an item give way to what a model says instead.

    The new text is proposed first, so it is judged, and kept, as a model's word like every other; only
    if it was accepted does the old item end, superseded by it.
    """
    if item.type == "chunk":
        raise InvalidInput(f"{item.id} is part of a document; it changes with the document")
    proposal = {
        "content": content,
        "type": "fact" if item.type in RESERVED else item.type,
        "title": item.title or None,
        "tags": list(item.tags),
        "entities": list(item.entities),
        "importance": item.importance,
        "why_store": f"corrects {item.id}",
        "source": context.source(TOOL.name),
    }
    [verdict] = judged(context, [proposal], item.scope)
    if verdict.outcome not in {Outcome.ACCEPTED, Outcome.MERGED}:
        return verdict
    # The engine finds what was just stored and links the two, instead of storing the text as the user's.
    ended = context.memory.correct(item.id, content)
    assert isinstance(ended, Verdict), "an id names one item"
    return verdict if ended.item_id == verdict.item_id else ended


TOOL = Tool("memory.correct", Correct, run)
