"""Callers: whose calls a connection makes, and from which scope."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mcp.server.context import ServerRequestContext

from simonides.agent.tools import Tools
from simonides.domain.scope import Scope
from simonides.edges.mcp.profiles import Offer, ToolProfile, called
from simonides.memory import Memory
from simonides.values import dataclass

Request: TypeAlias = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Caller:
    """Caller of a request.

    Attributes:
        scope: Where everything is looked for and written.
        tools: Bound to that scope.
        name: Tells callers apart.
        reads_only: Whether they are offered nothing that changes something.
    """

    memory: Memory
    scope: Scope
    tools: Tools
    name: str
    reads_only: bool = False

    def may(self, offer: Offer) -> bool:
        """True if a tool is offered to this caller."""
        return offer.reads or not self.reads_only

    @classmethod
    def of(
        cls,
        memory: Memory,
        scope: Scope,
        *,
        trust_client: bool = False,
        profile: ToolProfile = ToolProfile.FULL,
        session_id: str | None = None,
        name: str | None = None,
        reads_only: bool = False,
        store_options: Sequence[str] = (),
    ) -> Caller:
        """A caller in a scope. Without a session's name it has one of its own.

        Args:
            store_options: Those by which its user names the store to commands; none where they may not know it.
        """
        session_id = session_id or f"mcp-{secrets.token_hex(6)}"
        name = name or str(scope)
        tools = Tools(
            memory,
            scope=scope,
            session_id=session_id,
            caller=name,
            trust_client=trust_client,
            admin=profile is ToolProfile.ADMIN,
            offered=called(profile),
            store_options=store_options,
        )
        return cls(memory, scope, tools, name, reads_only)


#: Says who makes a request.
WhoCalls: TypeAlias = Callable[[Request], Caller]
