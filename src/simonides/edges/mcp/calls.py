"""Calls of tools: offered or not, in a thread, and put to the user where they wait for their word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from anyio import to_thread
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from simonides.edges.mcp.asking import Seal, UserQuestion, UserReply, can_ask, question
from simonides.edges.mcp.caller import Caller, Request, WhoCalls
from simonides.edges.mcp.profiles import Offer, names_of
from simonides.edges.mcp.results import connector_result, context_result, result

_USER: Final = "user"


class Calls:
    """Answers calls of the tools of a profile."""

    def __init__(self, offered: Mapping[str, Offer], who: WhoCalls) -> None:
        self._offered = offered
        self._who = who
        self._seal = Seal()

    async def call(
        self, request: Request, given: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        """The answer of a tool; errors are results that say so, and what to do.

        A call that is cancelled is done as a whole or not at all.

        Raises:
            MCPError: No such tool is offered.
        """
        caller = self._who(request)
        offered = {name: offer for name, offer in self._offered.items() if caller.may(offer)}
        offer = offered.get(given.name)
        if offer is None:
            raise MCPError(
                INVALID_PARAMS, f"unknown tool {given.name[:100]!r}; use one of {names_of(offered)}"
            )
        arguments = given.arguments or {}
        open_question = self._seal.opened(given.request_state, caller.name) if given.request_state else None
        if open_question is not None and (open_question.name == offer.calls):
            return _rendered(offer, await self._settled(open_question, _reply(given), caller))
        answer = await to_thread.run_sync(caller.tools.call, offer.calls, arguments)
        if not can_ask(request.session.client_capabilities):
            return _rendered(offer, answer)
        open_question = await to_thread.run_sync(question, caller.memory, offer.calls, arguments, answer)
        if open_question is None:
            return _rendered(offer, answer)
        if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return InputRequiredResult(
                input_requests={_USER: ElicitRequest(params=open_question.form)},
                request_state=self._seal.closed(open_question, caller.name),
            )
        reply = await _ask(request, open_question)
        return _rendered(offer, await self._settled(open_question, reply, caller))

    async def _settled(self, open_question: UserQuestion, reply: UserReply, caller: Caller) -> dict[str, Any]:
        return await to_thread.run_sync(partial(open_question.settled, reply, caller.memory, caller.tools))


async def _ask(request: Request, open_question: UserQuestion) -> UserReply:
    """The user's reply. A client that cannot ask after all leaves it open."""
    if not request.session.can_send_request:
        return UserReply.CANCEL
    try:
        reply = await request.session.elicit_form(
            open_question.form.message,
            open_question.form.requested_schema,
            related_request_id=request.request_id,
        )
    except MCPError:
        return UserReply.CANCEL
    return UserReply(reply.action)


def _reply(given: CallToolRequestParams) -> UserReply:
    reply = (given.input_responses or {}).get(_USER)
    return UserReply(reply.action) if isinstance(reply, ElicitResult) else UserReply.CANCEL


def _rendered(offer: Offer, answer: Mapping[str, Any]) -> CallToolResult:
    if offer.connector:
        return connector_result(answer)
    return context_result(answer) if offer.calls == "memory.context" else result(answer)
