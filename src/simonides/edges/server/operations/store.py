"""The store as a whole: counts, growth, the audit log, trials of the policy, copies that go out and come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic_core import from_json, to_json
from starlette.responses import StreamingResponse

from simonides import Growth, LoadResult, Memory, Policy, Trial, try_policy
from simonides.edges.http.tokens import Role
from simonides.edges.server import shapes
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.operations.fields import Limited, Text, Word
from simonides.edges.server.operations.memories import listed

LINES = "application/x-ndjson"


class GrowthRequest(Fields):
    """The periods that are told."""

    by: Literal["day", "week"] = "day"
    last: Annotated[int, Field(ge=1, le=1000)] = 30


class EventsRequest(Limited):
    """The memory that is asked about."""

    item_id: Word | None = None


class TrialRequest(Fields):
    """A text to judge, and whose it would be."""

    text: Text
    type: Word = "note"
    origin: Word = "user-said"


class LoadRequest(Fields):
    """Whether approvals, pins and trust come in, too: for exports of one's own alone."""

    trusted: bool = False


def _stats(call: OperationCall, _: Fields) -> Any:
    found = dict(call.memory.stats(scope=call.caller.looks))
    if not call.caller.unbound:  # What all scopes have together is not told of one.
        found = {name: value for name, value in found.items() if name not in _OF_ALL}
    return found


def _growth(call: OperationCall, given: GrowthRequest) -> Growth:
    return call.memory.growth(scope=call.caller.looks, by=given.by, last=given.last)


def _events(call: OperationCall, given: EventsRequest) -> Any:
    if given.item_id is None:
        call.caller.require_unbound()
    else:
        call.caller.item(call.memory, given.item_id)
    return listed(call.memory.audit.events(item_id=given.item_id, limit=given.limit))


def _verify(call: OperationCall, _: Fields) -> Any:
    call.caller.require_unbound()
    return {"problems": list(call.memory.audit.verify())}


def _trial(call: OperationCall, given: TrialRequest) -> Trial:
    return try_policy(_policy(call.memory), given.text, given.type, given.origin)


@lru_cache(maxsize=4)
def _policy(memory: Memory) -> Policy:
    return Policy(memory.settings.policy, memory.settings.taxonomy)


def _export(call: OperationCall, _: Fields) -> StreamingResponse:
    call.caller.require_unbound()
    return StreamingResponse(_lines(call), media_type=LINES)


def _lines(call: OperationCall) -> Iterator[bytes]:
    for record in call.memory.export(scope=call.caller.looks):
        yield to_json(record) + b"\n"


def _load(call: OperationCall, given: LoadRequest) -> LoadResult:
    call.caller.require_unbound()
    return call.memory.load(_records(call.lines), trusted=given.trusted)


def _records(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.strip():
            yield _record(line)


def _record(line: bytes) -> Any:
    try:
        return from_json(line, allow_inf_nan=False)
    except ValueError as error:  # It is rejected by its number, and costs the others nothing.
        return {"kind": f"a line that is no JSON ({error})"[:200]}


_OF_ALL = frozenset({"vectors", "file_bytes", "live_bytes", "archive"})
_R, _A = Role.READER, Role.ADMIN
OPERATIONS = (
    Operation("stats", "GET", "/v1/stats", _R, "Counts by tier, type, status and scope.", _stats, dict[str, Any]),
    Operation(
        "growth", "GET", "/v1/growth", _R, "Growth by day or week.", _growth, shapes.GrowthJson, GrowthRequest
    ),
    Operation(
        "audit.events", "GET", "/v1/audit", Role.REVIEWER, "The log of changes, newest first.",
        _events, shapes.AuditEventsJson, EventsRequest,
    ),
    Operation(
        "audit.verify", "GET", "/v1/audit/check", _A, "Places where the log's chain does not hold.",
        _verify, shapes.ProblemsJson,
    ),
    Operation(
        "try_policy", "POST", "/v1/policy/test", _R, "Judge a text without storing it.",
        _trial, shapes.TrialJson, TrialRequest,
    ),
    Operation(
        "export", "GET", "/v1/export", _A, "Everything about the memories of a scope, a record a line.",
        _export, None, streams=LINES,
    ),
    Operation(
        "load", "POST", "/v1/import", _A, "Take in records of an export, a line each, past the policy.",
        _load, shapes.LoadResultJson, LoadRequest, lines=LINES,
    ),
)  # fmt: skip
