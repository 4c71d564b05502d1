"""Long operations: how far they are, and their end."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import StreamingResponse

from simonides import NotFound
from simonides.edges.http.tokens import Role
from simonides.edges.server.long import LongOperations, require_seen, seen_by
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.operations.fields import Limited

_EVENTS: Final = "text/event-stream"


def _list(call: OperationCall, given: Limited) -> Any:
    states = [one for one in _long(call).list() if seen_by(call.caller, one)]
    return states[: given.limit]


def _show(call: OperationCall, _: Fields) -> Any:
    return require_seen(call.caller, _long(call).find(call.path["operation_id"])).to_dict()


def _cancel(call: OperationCall, _: Fields) -> Any:
    state = require_seen(call.caller, _long(call).find(call.path["operation_id"]))
    return _long(call).cancel(state.id).to_dict()


def _events(call: OperationCall, _: Fields) -> StreamingResponse:
    state = require_seen(call.caller, _long(call).find(call.path["operation_id"]))
    return StreamingResponse(_long(call).events(state.id, call.stopping), media_type=_EVENTS)


def _long(call: OperationCall) -> LongOperations:
    if call.long is None:
        raise NotFound("this server keeps no operations: each is waited for")
    return call.long


_W = Role.WRITER
_ONE = "/v1/operations/{operation_id}"
OPERATIONS = (
    Operation(
        "operations.list", "GET", "/v1/operations", _W, "Long operations, last started first.",
        _list, "LongOperationsJson", Limited,
    ),
    Operation(
        "operations.show", "GET", _ONE, _W, "How far a long operation is, or how it ended.",
        _show, "LongOperationJson",
    ),
    Operation(
        "operations.events", "GET", f"{_ONE}/events", _W, "A long operation whenever it changes, until its end.",
        _events, None, streams=_EVENTS,
    ),
    Operation(
        "operations.cancel", "POST", f"{_ONE}/cancel", Role.REVIEWER, "Have a long operation end after its step.",
        _cancel, "LongOperationJson",
    ),
)  # fmt: skip
