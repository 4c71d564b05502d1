"""Sessions: conversations, their turns, and what is extracted from them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simonides import ExtractReport
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import DONE
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.operations.fields import Limited, Word
from simonides.edges.server.operations.memories import listed


class TurnsRequest(Fields):
    """A conversation, and how many of its last turns."""

    session_id: Word
    last: Annotated[int, Field(ge=1, le=10_000)] | None = None


class EndRequest(Fields):
    """The conversation that is over."""

    session_id: Word


def _list(call: OperationCall, given: Limited) -> Any:
    return listed(call.memory.sessions.list(scope=call.caller.looks, limit=given.limit))


def _turns(call: OperationCall, given: TurnsRequest) -> Any:
    return listed(call.memory.sessions.get(given.session_id, scope=call.caller.looks, last=given.last))


def _end(call: OperationCall, given: EndRequest) -> ExtractReport:
    return call.memory.sessions.end(given.session_id, scope=call.caller.scope)


_R = Role.READER
OPERATIONS = (
    Operation(
        "sessions.list", "GET", "/v1/sessions", _R, "Conversations, last heard of first.",
        _list, "SessionsJson", Limited,
    ),
    Operation(
        "sessions.get", "GET", "/v1/sessions/turns", _R, "The turns of a conversation, in their order.",
        _turns, "ItemsJson", TurnsRequest,
    ),
    Operation(
        "sessions.end", "POST", "/v1/sessions/end", Role.WRITER, "Say that a conversation is over.",
        _end, "ExtractReportJson", EndRequest, again=DONE,
    ),
)  # fmt: skip
