"""Profiles: which tools a client is offered, under which names and with which fields. One table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Final

from mcp_types import Tool as OfferedTool
from mcp_types import ToolAnnotations

from simonides.agent.tools.dispatch import schema
from simonides.agent.tools.table import ADMIN, EVERY, TABLE
from simonides.agent.tools.tool import Effect
from simonides.values import dataclass


class ToolProfile(StrEnum):
    """Profiles of tools, as they are named at the command line.

    Attributes:
        CORE: Five tools that most agents need, in at most 2,000 tokens of schema.
        FULL: Every tool.
        ADMIN: These, and those of people: reviews, upkeep, purges.
        CONNECTOR: `search` and `fetch` as chat services want them of a connector.
    """

    CORE = "core"
    FULL = "full"
    ADMIN = "admin"
    CONNECTOR = "connector"


#: Tools of the smallest profile, and the fields that they show: the rest is rarely given, and costs every request.
_CORE: Final[dict[str, tuple[str, ...] | None]] = {
    "memory.search": ("query", "k", "types", "tags", "entity", "after", "before"),
    "memory.add": ("content", "type", "tags", "event_at", "why_store"),
    "memory.context": None,
    "memory.get": None,
    "memory.forget": None,
}
_HINTS: Final = {
    Effect.READS: ToolAnnotations(read_only_hint=True, open_world_hint=False),
    Effect.ADDS: ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
    Effect.WEIGHS: ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
    ),
    Effect.CHANGES: ToolAnnotations(
        read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
    ),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as a client is offered it.

    Attributes:
        calls: The tool of memory that a call goes to, with dots.
        connector: The answer has the form that connectors want.
    """

    described: OfferedTool
    calls: str
    connector: bool = False

    @property
    def reads(self) -> bool:
        """True if nothing is changed by it."""
        return EVERY[self.calls].effect is Effect.READS


def offers(profile: ToolProfile) -> Mapping[str, Offer]:
    """The tools of a profile by the names that clients call, always in the same order."""
    match profile:
        case ToolProfile.CORE:
            offered = [_offer(name, fields) for name, fields in _CORE.items()]
        case ToolProfile.FULL | ToolProfile.ADMIN:
            tools = TABLE if profile is ToolProfile.FULL else (*TABLE, *ADMIN)
            offered = [_offer(tool.aliases[0] if tool.aliases else tool.name) for tool in tools]
        case ToolProfile.CONNECTOR:
            offered = [
                _for_connectors("search", "memory.search", "query"),
                _for_connectors("fetch", "memory.get", "id"),
            ]
    return {offer.described.name: offer for offer in offered}


def _offer(name: str, fields: tuple[str, ...] | None = None) -> Offer:
    tool = EVERY[name]
    described_as = schema(tool, dots=False, bound=True, name=name, fields=fields)
    described = OfferedTool(
        name=described_as["name"],
        description=described_as["description"],
        input_schema=described_as["parameters"],
        annotations=_HINTS[tool.effect],
    )
    return Offer(described, name)


def _for_connectors(name: str, calls: str, field: str) -> Offer:
    described_as = schema(EVERY[calls], dots=False, bound=True, fields=(field,))
    described = OfferedTool(
        name=name,
        description=described_as["description"],
        input_schema=described_as["parameters"],
        annotations=_HINTS[Effect.READS],
    )
    return Offer(described, calls, connector=True)


@cache
def called(profile: ToolProfile) -> Mapping[str, str]:
    """Names by which clients call the tools of a profile, by those that tools have here."""
    return {EVERY[offer.calls].name: name for name, offer in offers(profile).items()}


def names_of(offered: Mapping[str, Any]) -> str:
    """Names of what is offered, for an error."""
    return ", ".join(offered)
