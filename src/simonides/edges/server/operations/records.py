"""Records: JSON values under keys, of exactly the scope that a request works in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simonides import FoundRecord, NotFound, Record
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import NUMBERS, done
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Text, Word


class KeyRequest(Fields):
    """A record: its space, such as users/ana, and its key in it."""

    space: Word
    key: Word


class PutRequest(KeyRequest):
    """A value, and how long it lasts; null deletes what is there."""

    value: Any
    index: bool | list[Word] | None = None
    ttl: Annotated[float, Field(gt=0, le=1e12)] | None = None


class RecordsRequest(Limited):
    """The space in and below which records are asked for."""

    prefix: str = ""
    offset: Annotated[int, Field(ge=0, le=1 << 40)] = 0


class FindRequest(Fields):
    """A question to the records in and below a space, and what their values must have."""

    query: Text
    prefix: str = ""
    where: dict[str, Any] | None = None
    k: Annotated[int, Field(ge=1, le=1000)] = 10


class PrefixRequest(Fields):
    """The space in and below which others are asked for."""

    prefix: str = ""


def _put(call: OperationCall, given: PutRequest) -> Record | None:
    return call.memory.records.put(
        given.space,
        given.key,
        given.value,
        scope=call.caller.scope,
        index=given.index,
        ttl=given.ttl,
        actor=call.caller.actor,
    )


def _get(call: OperationCall, given: KeyRequest) -> Record:
    record = call.memory.records.get(
        given.space, given.key, scope=call.caller.scope, refresh=_refreshes(call)
    )
    if record is None:
        raise NotFound(f"there is no record {given.key!r} in {given.space!r}")
    return record


def _list(call: OperationCall, given: RecordsRequest) -> list[Record]:
    return Verb.SCOPE.do("records.list", call, given, refresh=_refreshes(call))


def _search(call: OperationCall, given: FindRequest) -> list[FoundRecord]:
    return Verb.SCOPE.do("records.search", call, given, refresh=_refreshes(call))


def _refreshes(call: OperationCall) -> bool:
    """True if reading lets a record last longer, which is a write."""
    return call.caller.role.may(Role.WRITER)


def _retold(call: OperationCall, given: PutRequest, _: bool) -> Any:
    return None if given.value is None else _get(call, given).to_dict()


_RECORD = Again(done, _retold)
_R, _W = Role.READER, Role.WRITER
OPERATIONS = (
    Operation(
        "records.put", "PUT", "/v1/records", _W, "Keep a value under a key; null deletes what is there.",
        _put, "RecordOrNoneJson", PutRequest, again=_RECORD,
    ),
    Operation("records.get", "GET", "/v1/records", _R, "The value under a key.", _get, "RecordJson", KeyRequest),
    Operation(
        "records.delete", "DELETE", "/v1/records", _W, "Archive the record under a key.",
        Verb.SCOPE, "DeletedJson", KeyRequest, field="deleted", again=NUMBERS,
    ),
    Operation(
        "records.list", "GET", "/v1/records/list", _R, "Records in and below a space.",
        _list, "RecordsJson", RecordsRequest,
    ),
    Operation(
        "records.search", "POST", "/v1/records/search", _R, "Records by how well they answer a question.",
        _search, "FoundRecordsJson", FindRequest,
    ),
    Operation(
        "records.history", "GET", "/v1/records/history", _R, "Every version under a key, oldest first.",
        Verb.SCOPE, "RecordVersionsJson", KeyRequest,
    ),
    Operation(
        "records.spaces", "GET", "/v1/records/spaces", _R, "Spaces in and below a space that hold a record.",
        Verb.SCOPE, "SpacesJson", PrefixRequest,
    ),
)  # fmt: skip
