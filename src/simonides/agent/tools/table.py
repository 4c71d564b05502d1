"""The table of tools: all there are, in the order in which they are offered."""

from __future__ import annotations

from typing import Any, Final

from simonides.agent.tools import (
    confirm,
    context,
    correct,
    demote,
    entity,
    explain,
    forget,
    history,
    link,
    palace_assign,
    palace_browse,
    palace_get,
    palace_list,
    propose,
    read,
    reinforce,
    search,
    stats,
    timeline,
    update,
    weak,
    write,
)
from simonides.agent.tools.admin import removal, review, upkeep
from simonides.agent.tools.tool import Tool

TABLE: Final[tuple[Tool[Any], ...]] = (
    propose.TOOL,
    write.TOOL,
    search.TOOL,
    context.TOOL,
    read.TOOL,
    update.TOOL,
    link.TOOL,
    palace_list.TOOL,
    palace_get.TOOL,
    palace_assign.TOOL,
    palace_browse.TOOL,
    reinforce.TOOL,
    demote.TOOL,
    confirm.TOOL,
    correct.TOOL,
    forget.TOOL,
    explain.TOOL,
    entity.TOOL,
    stats.TOOL,
    weak.TOOL,
    timeline.TOOL,
    history.TOOL,
)
#: Tools by name and alias.
BY_NAME: Final[dict[str, Tool[Any]]] = {name: tool for tool in TABLE for name in (tool.name, *tool.aliases)}
#: Tools of people, beside those: each that changes something is done with its user's word only.
ADMIN: Final[tuple[Tool[Any], ...]] = (
    review.LIST,
    review.APPROVE,
    review.REJECT,
    upkeep.PLAN,
    upkeep.START,
    upkeep.RUNS,
    upkeep.UNDO,
    removal.PURGE,
    removal.RESTORE,
)
#: All of them by name.
EVERY: Final[dict[str, Tool[Any]]] = BY_NAME | {tool.name: tool for tool in ADMIN}
