"""memory.stats: how much is remembered."""

from __future__ import annotations

from typing import Any, Final

from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped
from simonides.agent.tools.tool import Tool

#: Counts of what can be seen. The size of the file and of its index would tell of other scopes.
_COUNTS: Final = ("items", "by_tier", "by_type", "by_status", "by_scope")


class Stats(Scoped):
    """Count memories by tier, type, status and scope."""


def run(context: Context, given: Stats) -> dict[str, Any]:
    """The counts."""
    counts = context.memory.stats(scope=context.look(given.scope))
    return {name: counts[name] for name in _COUNTS}


TOOL = Tool("memory.stats", Stats, run)
