"""Runs: what upkeep did with the memory, or would do, as a diff; and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import ALL
from simonides.edges.page.change_rows import ChangeRow, ChangeRows
from simonides.edges.page.visit import ADMIN, Elsewhere, Notice, View, Visit, address
from simonides.errors import InvalidInput, UndoRefused

_LISTED: Final = 50
#: Changes that are read, and of these the most that are told.
_READ: Final = 1000
_CHANGES: Final = 200
#: Kinds of changes under which a run is told, in order, with the kinds that they gather.
_CHAPTERS: Final[Mapping[str, frozenset[str]]] = {
    "Made": frozenset({"create"}),
    "Changed": frozenset({"revise"}),
    "Held back": frozenset({"hold"}),
    "Links": frozenset({"link", "unlink"}),
    "Places in the palace": frozenset({"place"}),
    "Summaries": frozenset({"summary"}),
    "Conversations": frozenset({"session", "extracted", "put off", "ended"}),
}
_REST: Final = "Besides"
#: Kind of the marks by which upkeep knows what it looked at already.
_LOOKED_AT: Final = "judged"


def listing(visit: Visit) -> View:
    """Runs, last started first, and the jobs that can be started."""
    visit.require_whole()
    runs = visit.memory.runs.list(job=visit.query.get("job") or None, limit=_LISTED)
    tops = [run for run in runs if run.parent is None]
    shown = {
        "here": "Runs",
        "runs": tops,
        "jobs": visit.memory.runs.jobs(),
        "notice": _notice(visit),
    }
    return View(template="runs", shown=shown, data={"runs": [run.to_dict() for run in tops]})


def place(visit: Visit) -> View:
    """One run with what it changed."""
    visit.require_whole()
    run = visit.memory.runs.show(visit.names["id"], limit=_READ)
    return _shown(visit, run, plan=False)


def plan(visit: Visit) -> View:
    """A run as it would be: nothing is changed."""
    visit.require(ADMIN)
    visit.require_whole()
    return _shown(visit, visit.memory.maintain(_jobs(visit), scope=ALL, dry_run=True), plan=True)


def start(visit: Visit) -> Elsewhere:
    """Run jobs now."""
    visit.require(ADMIN)
    visit.require_whole()
    run = visit.memory.maintain(_jobs(visit), scope=ALL, actor=visit.visitor.actor)
    return Elsewhere(path=f"/runs/{run.id}" if run.id else address("/runs", done="idle"))


def undo(visit: Visit) -> Elsewhere | View:
    """Take a run back; where items changed since, say which, and change nothing unless that is wished."""
    visit.require(ADMIN)
    visit.require_whole()
    run_id = visit.names["id"]
    try:
        run = visit.memory.undo(run_id, force=visit.form.get("force") == "yes", actor=visit.visitor.actor)
    except UndoRefused as error:
        fields = _shown(visit, visit.memory.runs.show(run_id, limit=_READ), plan=False)
        return View(template="run", shown={**fields.shown, "refused": error}, data=None, status=409)
    return Elsewhere(path=f"/runs/{run.id}")


def _jobs(visit: Visit) -> list[str] | None:
    """The jobs that are named, None for all."""
    named = (visit.form or visit.query).get("job", "")
    if named and named not in visit.memory.runs.jobs():
        raise InvalidInput(f"there is no job {named!r}; choose one of {', '.join(visit.memory.runs.jobs())}")
    return [named] if named else None


def _notice(visit: Visit) -> Notice | None:
    if visit.query.get("done") == "idle":
        return Notice(text="There was nothing to do: the memory is in order.")
    return None


def _shown(visit: Visit, run: Run, *, plan: bool) -> View:
    changes = [change for change in run.changes if change.kind != _LOOKED_AT]
    reading = ChangeRows(visit, run.changes, plan=plan)
    chapters: dict[str, list[ChangeRow]] = {}
    for change in changes[:_CHANGES]:
        name = next((name for name, kinds in _CHAPTERS.items() if change.kind in kinds), _REST)
        chapters.setdefault(name, []).append(reading.row(change))
    ordered = {name: chapters[name] for name in (*_CHAPTERS, _REST) if name in chapters}
    shown: dict[str, Any] = {
        "here": "Runs",
        "run": run,
        "chapters": ordered,
        "plan": plan,
        "job": visit.query.get("job", ""),
        "more": max(0, len(changes) - _CHANGES),
        "looked_at": len(run.changes) - len(changes),
        "refused": None,
        "undoable": not plan
        and run.status in {RunStatus.DONE, RunStatus.FAILED}
        and run.undoes is None
        and bool(run.changes)
        and visit.may(ADMIN),
    }
    return View(template="run", shown=shown, data=run.to_dict())
