"""memory.explain: why a memory is there and what it is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Named
from simonides.agent.tools.render import whole
from simonides.agent.tools.tool import Tool

_OF_THE_ITEM: Final = (
    "origin", "trust", "provenance", "validation", "status", "importance", "reinforcement", "usage_count",
    "last_used_at", "created_at", "valid_from", "valid_until", "expires_at",
)  # fmt: skip
#: Links and events that are shown, the latest ones.
_MOST: Final = 50


class Explain(Named):
    """Explain why a memory is there and what it is worth.

    Where it came from, what the policy said of it, how sure it is by now, what it is linked to, where
    it stands, and what was done to it.
    """


def run(context: Context, given: Explain) -> dict[str, Any]:
    """The explanation, without whatever belongs to scopes that cannot be seen from here."""
    item = context.shown(given.id, given.scope)
    explained = context.memory.explain(item.id)
    explained = replace(explained, links=explained.links[-_MOST:]).seen(context.sees, context.visible)
    fields = explained.to_dict()
    events = [
        {"action": event["action"], "at": event["at"], "actor": event["actor"]} for event in fields["events"]
    ]
    return {
        "item": whole(explained.item),
        **{name: fields["item"][name] for name in _OF_THE_ITEM},
        "effective_confidence": explained.effective_confidence,
        "retention": explained.retention,
        "verdict": fields["verdict"],
        "links": fields["links"],
        "place": fields["place"],
        "revisions": len(explained.revisions),
        "events": events[-_MOST:],
    }


TOOL = Tool("memory.explain", Explain, run)
