"""The store as a whole: counts, growth, the audit log, trials of the policy, copies that go out and come in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final, Literal

from pydantic import Field
from pydantic_core import from_json, to_json
from starlette.responses import StreamingResponse

from simonides import (
    ImportReport,
    InvalidInput,
    LoadResult,
    Memory,
    NotFound,
    Policy,
    Trial,
    try_policy,
)
from simonides.domain.instant import SECOND_US, iso
from simonides.domain.records import events_seen
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import DONE, DONE_IF_KEPT, NUMBERS, done
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.documents import FILE
from simonides.edges.server.operations.fields import Limited, Text, Word
from simonides.edges.server.problems import HttpProblem

LINES = "application/x-ndjson"
#: Of so many events of a memory those are told that the caller sees.
_LOOKED_AT = 10_000
#: A name of a file that leads nowhere else.
_NAME: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")


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
    """Choice to take in approvals, pins and trust, too: for exports of one's own alone."""

    trusted: bool = False


class ImportRequest(Fields):
    """Name of the file, whose ending may tell its form; which of its fields hold what, as `content=text`."""

    name: Annotated[str, Field(pattern=_NAME.pattern)] = "source"
    mapping: list[str] | None = None
    dry_run: bool = False


class BackfillRequest(Fields):
    """Choice to look through and embed everything again."""

    again: bool = False


class BackupRequest(Fields):
    """Name of the copy, in the folder of copies beside the store."""

    name: Annotated[str, Field(pattern=_NAME.pattern, examples=["monday.db"])]


def _stats(call: OperationCall, _: Fields) -> Any:
    counts = dict(call.memory.stats(scope=call.caller.looks))
    if not call.caller.unbound:  # What all scopes have together is not told of one.
        counts = {name: value for name, value in counts.items() if name not in _OF_ALL}
    return counts


def _events(call: OperationCall, given: EventsRequest) -> Any:
    if given.item_id is None:
        call.caller.require_unbound()
        return list(call.memory.audit.events(limit=given.limit))
    call.caller.item(call.memory, given.item_id)
    events = call.memory.audit.events(item_id=given.item_id, limit=_LOOKED_AT)
    seen = list(events) if call.caller.unbound else events_seen(events, call.caller.sees)
    return seen[: given.limit]


def _trial(call: OperationCall, given: TrialRequest) -> Trial:
    return try_policy(_policy(call.memory), given.text, given.type, given.origin)


@lru_cache(maxsize=4)
def _policy(memory: Memory) -> Policy:
    return Policy(memory.settings.policy, memory.settings.taxonomy)


def _export(call: OperationCall, _: Fields) -> StreamingResponse:
    return StreamingResponse(_lines(call), media_type=LINES)


def _lines(call: OperationCall) -> Iterator[bytes]:
    for record in call.memory.export(scope=call.caller.looks):
        yield to_json(record) + b"\n"


def _load(call: OperationCall, given: LoadRequest) -> LoadResult:
    return call.memory.load(
        _records(call.lines), lambda done: call.progress("records", done, None), trusted=given.trusted
    )


def _outcomes(answer: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(Counter(verdict["outcome"] for verdict in answer["verdicts"]))


def _import(call: OperationCall, given: ImportRequest) -> ImportReport:
    with TemporaryDirectory(prefix="simonides-") as folder:
        source = Path(folder) / given.name
        with source.open("wb") as file:
            copyfileobj(call.lines, file)
        return call.memory.import_from(
            call.path["kind"],
            source,
            scope=call.caller.scope,
            mapping=_mapping(given.mapping),
            dry_run=given.dry_run,
            progress=lambda done: call.progress("parts", done, None),
        )


def _mapping(pairs: Sequence[str] | None) -> dict[str, str] | None:
    """Fields by what they hold, of `content=text`."""
    if pairs is None:
        return None
    fields = [pair.partition("=") for pair in pairs]
    if any(not name or not field for name, _, field in fields):
        raise InvalidInput("a mapping says which field holds what, as content=text")
    return {name: field for name, _, field in fields}


def _counts(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"kind": answer["kind"], "dry_run": answer["dry_run"], "counts": answer["counts"]}


def _doctor(call: OperationCall, _: Fields) -> Any:
    return call.memory.doctor(lambda what, share: call.progress(what, round(100 * share), 100))


def _health(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"healthy": answer["healthy"], "problems": len(answer["problems"])}


def _backfill(call: OperationCall, given: BackfillRequest) -> Any:
    embedded = call.memory.backfill(lambda done, of: call.progress("embedded", done, of), again=given.again)
    return {"embedded": embedded}


def _rebuild(call: OperationCall, _: Fields) -> Any:
    call.memory.rebuild_fts(actor=call.caller.actor)
    return {"rebuilt": True}


def _backup(call: OperationCall, given: BackupRequest) -> Any:
    folder = _backups_of(call)
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = call.memory.backup(
        folder / given.name,
        lambda share: call.progress("copied", round(100 * share), 100),
        actor=call.caller.actor,
    )
    return _backup_form(copy)


def _backed_up(call: OperationCall, given: BackupRequest, _: bool) -> Any:
    """A copy that was made before; its name is not kept."""
    copy = _backups_of(call) / given.name
    if not copy.is_file():
        raise NotFound(f"the copy {given.name!r} was made, and is not there any more")
    return _backup_form(copy)


def _list_backups(call: OperationCall, _: Fields) -> Any:
    folder = _backups_of(call)
    paths = sorted(path for path in folder.glob("*") if _NAME.fullmatch(path.name)) if folder.is_dir() else []
    return {"items": [_backup_form(path) for path in paths]}


def _backups_of(call: OperationCall) -> Path:
    """The folder of copies; nobody names another over a network."""
    store = call.memory.path
    if store is None:
        raise HttpProblem(
            501, "not_a_file", "this store is no file; its database has its own means of backup"
        )
    return store.with_name(f"{store.name}.backups")


def _backup_form(copy: Path) -> dict[str, Any]:
    about = copy.stat()
    return {"name": copy.name, "bytes": about.st_size, "made_at": iso(int(about.st_mtime * SECOND_US))}


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
    Operation("stats", "GET", "/v1/stats", _R, "Counts by tier, type, status and scope.", _stats, "StatsJson"),
    Operation(
        "growth", "GET", "/v1/growth", _R, "Growth by day or week.", Verb.LOOKS, "GrowthJson", GrowthRequest
    ),
    Operation(
        "audit.events", "GET", "/v1/audit", Role.REVIEWER,
        "The log of changes, newest first; that of all, not of one item, with a key of `global/*`.",
        _events, "AuditEventsJson", EventsRequest,
    ),
    Operation(
        "audit.verify", "GET", "/v1/audit/check", _A, "Places where the log's chain does not hold.",
        Verb.STORE, "ProblemsJson", field="problems", whole=True,
    ),
    Operation(
        "try_policy", "POST", "/v1/policy/test", _R, "Judge a text without storing it.",
        _trial, "TrialJson", TrialRequest,
    ),
    Operation(
        "export", "GET", "/v1/export", _A, "Everything about the memories of a scope, a record a line.",
        _export, None, streams=LINES, whole=True,
    ),
    Operation(
        "load", "POST", "/v1/import", _A, "Take in records of an export, a line each, past the policy.",
        _load, "LoadResultJson", LoadRequest, lines=LINES, summary=_outcomes, whole=True, again=DONE,
        says="what people decided elsewhere",
    ),
    Operation(
        "import_from", "POST", "/v1/import/{kind}", _A, "Take in a file of another memory or program, past the policy.",
        _import, "ImportReportJson", ImportRequest, lines=FILE, summary=_counts, again=DONE_IF_KEPT,
        says="what a user said elsewhere",
    ),
    Operation(
        "doctor", "POST", "/v1/doctor", _A, "Look for damage.",
        _doctor, "DoctorReportJson", summary=_health, whole=True,
    ),
    Operation(
        "backfill", "POST", "/v1/backfill", _A, "Embed what has no vector, and look for names.",
        _backfill, "BackfillJson", BackfillRequest, summary=dict, whole=True, again=NUMBERS,
    ),
    Operation(
        "reindex", "POST", "/v1/reindex", _A, "Make the index of vectors now.",
        Verb.STORE, "ReindexJson", field="index", summary=dict, whole=True, again=NUMBERS,
    ),
    Operation(
        "rebuild_fts", "POST", "/v1/rebuild_fts", _A, "Make the text index anew.",
        _rebuild, "RebuildJson", summary=dict, whole=True, again=NUMBERS,
    ),
    Operation(
        "backup", "POST", "/v1/backups", _A, "Copy the store into the folder of copies beside it.",
        _backup, "BackupJson", BackupRequest, status=201, summary=dict, whole=True, again=Again(done, _backed_up),
    ),
    Operation(
        "backups", "GET", "/v1/backups", _A, "Copies that were made here.",
        _list_backups, "BackupsJson", whole=True,
    ),
)  # fmt: skip
