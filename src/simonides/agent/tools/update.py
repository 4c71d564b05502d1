"""memory.update: change fields of a memory."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named, Share, Time, Title, TypeName, Words
from simonides.agent.tools.render import judged
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.provenance import FROM_USER


class Update(Named):
    """Change fields of a memory; its former state stays in its history.

    What you did not write yourself waits for the user's approval. New content for what the user said, or for a
    turn of a chat, is stored as a correction: `item_id` of the answer names its successor.
    """

    content: str | None = Field(default=None, description="What it says from now on.")
    title: Title | None = None
    type: TypeName | None = None
    tags: Words | None = Field(default=None, description="All its tags from now on.")
    entities: Words | None = Field(default=None, description="All it is about, from now on.")
    importance: Share | None = Field(default=None, description="How much it matters.")
    event_at: Time | None = Field(default=None, description="When it happened (ISO 8601).")
    valid_from: Time | None = Field(default=None, description="Since when it has been true (ISO 8601).")
    valid_until: Time | None = Field(default=None, description="Until when it was true (ISO 8601).")
    expires_at: Time | None = Field(default=None, description="When it may be left out (ISO 8601).")


def run(context: Context, given: Update) -> dict[str, Any]:
    """The verdict; `rejected` means that nothing was changed."""
    item = context.own(context.shown(given.id, given.scope))
    changes = given.model_dump(exclude={"id", "scope"}, exclude_none=True)
    # Words that the user said, or that stand in a chat, stay as they are: others take their place.
    replaces = "content" in changes and (item.origin in FROM_USER or item.type == "episode")
    return judged(context.request(item, "correct" if replaces else "update", changes))


TOOL = Tool("memory.update", Update, run, effect=Effect.CHANGES)
