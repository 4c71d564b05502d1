"""Runs of upkeep: planned, started, shown and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from simonides import Appointment, ExtractReport, NotFound, Run
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import DONE_IF_KEPT
from simonides.edges.server.caller import USE_WHOLE
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Word
from simonides.edges.server.problems import HttpProblem
from simonides.errors import Conflict

#: Of so many runs those of the caller's scope are told.
_LOOKED_AT: Final = 10_000
#: Changes of a run that are told; a run of more is taken back by a key of the whole store alone.
_CHANGES: Final = 10_000
#: Of another's run a key that is bound to a scope is told no more: process and machine are the operator's.
_BUSY: Final = "busy: another process runs the job at present; try again when it is done"


class RunsRequest(Limited):
    """The job that is asked about."""

    job: Word | None = None


class MaintainRequest(Fields):
    """Jobs to run, every one if none are named; a dry run only tells what they would change."""

    jobs: list[Word] | None = None
    dry_run: bool = False


class ConsolidateRequest(Fields):
    """Tiers whose items are merged, the short term if none are named; whether items may rise to the next."""

    tiers: list[Word] | None = None
    promote: bool = True
    dry_run: bool = False


class ExtractRequest(Fields):
    """The session whose turns are looked at, all that wait if none is named; only those that are due; no change."""

    session_id: Word | None = None
    due_only: bool = False
    dry_run: bool = False


class UndoRequest(Fields):
    """Options of taking back."""

    force: bool = False


def _list(call: OperationCall, given: RunsRequest) -> Any:
    most = given.limit if call.caller.unbound else _LOOKED_AT
    runs = call.memory.runs.list(job=given.job, limit=most)
    return [_for_caller(call, run) for run in runs if _is_theirs(call, run)][: given.limit]


def _show(call: OperationCall, _: Fields) -> Run:
    run = call.memory.runs.show(call.path["run_id"], limit=_CHANGES)
    if not _is_theirs(call, run):
        raise NotFound(f"there is no run {run.id!r}")
    return within(call, run)


def _for_caller(call: OperationCall, run: Run) -> Run:
    """The run, as the caller may be told why it did not begin."""
    hidden = not call.caller.unbound and (run.error or "").startswith("busy:")
    return replace(run, error=_BUSY) if hidden else run


def within(call: OperationCall, run: Run) -> Run:
    """The run with the changes of the caller's items alone: what was made of these may lie in other scopes."""
    if call.caller.unbound:
        return run
    ids = {id_ for change in run.changes for id_ in (change.item_id, change.other_id) if id_ is not None}
    seen = call.caller.seen(call.memory, ids)
    changes = tuple(one for one in run.changes if {one.item_id, one.other_id} - {None} <= seen)
    left = tuple(one for one in run.left_alone if set(one.item_ids) <= seen)
    return replace(_for_caller(call, run), changes=changes, left_alone=left)


def _maintain(call: OperationCall, given: MaintainRequest) -> Run:
    return _for_caller(call, Verb.WORKS.do("maintain", call, given, progress=call.progress))


def _consolidate(call: OperationCall, given: ConsolidateRequest) -> Run:
    return _for_caller(call, Verb.SCOPE.do("consolidate", call, given, progress=call.progress))


def _extract(call: OperationCall, given: ExtractRequest) -> ExtractReport:
    def progress(done: int, of: int) -> None:
        call.progress("turns", done, of)

    return Verb.WORKS.do("extract", call, given, progress=progress)


def _extracted(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: answer[name] for name in ("turns", "put_off", "run_id", "dry_run")}


def _schedule(call: OperationCall, _: Fields) -> list[Appointment]:
    return call.memory.schedule.list()


def kept(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """A run without what quotes memories; its id leads to the rest."""
    return {name: answer[name] for name in ("id", "job", "status", "scope", "counts", "dry_run")}


def _undo(call: OperationCall, given: UndoRequest) -> Run:
    run = call.memory.runs.show(call.path["run_id"], limit=_CHANGES)
    if not _is_theirs(call, run):
        raise NotFound(f"there is no run {run.id!r}")
    if not call.caller.unbound and (len(run.changes) == _CHANGES or within(call, run).changes != run.changes):
        raise HttpProblem(403, "scope", f"this run changed what lies in other scopes, too; {USE_WHOLE}")
    try:
        return call.memory.undo(run.id, force=given.force, actor=call.caller.actor, progress=call.progress)
    except Conflict as error:
        if call.caller.unbound or not str(error).startswith("busy:"):
            raise
        raise Conflict(_BUSY) from None


def _is_theirs(call: OperationCall, run: Run) -> bool:
    return call.caller.unbound if run.scope == "ALL" else call.caller.holds(run.scope)


def _run_id(answer: Mapping[str, Any]) -> str | None:
    # A dry run is not kept, and changes nothing.
    return None if answer["dry_run"] else answer["id"]


def _retold(call: OperationCall, _: Fields, run_id: str) -> Any:
    return within(call, call.memory.runs.show(run_id, limit=_CHANGES)).to_dict()


#: The run as it is kept.
RUN: Final = Again(_run_id, _retold)
_D = Role.REVIEWER
OPERATIONS = (
    Operation("runs.list", "GET", "/v1/runs", _D, "Runs, last started first.", _list, "RunsJson", RunsRequest),
    Operation(
        "runs.jobs", "GET", "/v1/jobs", _D, "Jobs there are, with what each does.",
        Verb.STORE, "JobsJson", field="jobs",
    ),
    Operation("runs.show", "GET", "/v1/runs/{run_id}", _D, "A run, with what it changed.", _show, "RunJson"),
    Operation(
        "maintain", "POST", "/v1/runs", _D, "Run jobs of upkeep in one scope, or plan them.",
        _maintain, "RunJson", MaintainRequest, summary=kept, again=RUN,
    ),
    Operation(
        "consolidate", "POST", "/v1/consolidate", _D, "Merge what says the same, promote what proved useful.",
        _consolidate, "RunJson", ConsolidateRequest, summary=kept, again=RUN,
    ),
    Operation(
        "extract", "POST", "/v1/extract", _D, "Store what recorded turns state.",
        _extract, "ExtractReportJson", ExtractRequest, summary=_extracted, whole=True, again=DONE_IF_KEPT,
    ),
    Operation(
        "schedule", "GET", "/v1/schedule", _D, "Last and next run of each job.",
        _schedule, "AppointmentsJson", whole=True,
    ),
    Operation(
        "undo", "POST", "/v1/runs/{run_id}/undo", _D, "Take back what a run changed.",
        _undo, "RunJson", UndoRequest, summary=kept, again=RUN,
    ),
)  # fmt: skip
