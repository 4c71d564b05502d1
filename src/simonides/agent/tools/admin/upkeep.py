"""memory.upkeep.*: what upkeep would do, done, and taken back, in the one scope."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simonides.agent.tools.admin.deciding import decided, place_of
from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped
from simonides.agent.tools.tool import Effect, Tool
from simonides.domain.run import Run
from simonides.domain.scope import Scope
from simonides.errors import NotFound

_MOST_RUNS = 50


class _Jobs(Scoped):
    jobs: list[Annotated[str, Field(max_length=40)]] | None = Field(
        default=None, max_length=20, description="Names of jobs; every job if left out."
    )


class UpkeepPlan(_Jobs):
    """Tell what upkeep would change now: duplicates merged, old notes archived, and so on. Nothing is changed."""


def plan(context: Context, given: UpkeepPlan) -> dict[str, Any]:
    """Counts of what would be changed."""
    return _brief(_planned(context, place_of(context, given.scope), given.jobs))


class UpkeepStart(_Jobs):
    """Run upkeep. The user is asked, and shown what it would do; it can be taken back by `memory_upkeep_undo`."""


def start(context: Context, given: UpkeepStart) -> dict[str, Any]:
    """The run, with the user's word."""
    place = place_of(context, given.scope)
    if context.trust_client:
        return _brief(context.memory.maintain(given.jobs, scope=place))
    planned = _planned(context, place, given.jobs)
    return decided(
        context,
        [f"Run upkeep in {place}? It would do this, and can be taken back:", *_counted(planned)],
        dict[str, Any],
        f"simonides maintain --scope {place}",
    )


class UpkeepRuns(Scoped):
    """List what upkeep did, newest first."""

    limit: int = Field(default=10, ge=1, le=_MOST_RUNS)


def list_runs(context: Context, given: UpkeepRuns) -> dict[str, Any]:
    """Runs of this scope."""
    place = str(place_of(context, given.scope))
    runs = [run for run in context.memory.runs.list(limit=1000) if run.scope == place]
    return {"runs": [_brief(run) for run in runs[: given.limit]]}


class UpkeepUndo(Scoped):
    """Take back what a run of upkeep changed. The user is asked."""

    run_id: str = Field(max_length=100, description="The id of a run.")


def undo(context: Context, given: UpkeepUndo) -> dict[str, Any]:
    """The run of the undo, with the user's word."""
    place = place_of(context, given.scope)
    run = context.memory.runs.show(given.run_id)
    if run.scope != str(place):
        raise NotFound(f"there is no run {given.run_id} in {place!r}")
    return decided(
        context,
        [f"Take back what {run.job} did in {place}?", *_counted(run)],
        lambda: _brief(context.memory.undo(run.id)),
        f"simonides undo {run.id}",
    )


def _planned(context: Context, place: Scope, jobs: list[str] | None) -> Run:
    return context.memory.maintain(jobs, scope=place, dry_run=True)


def _counted(run: Run) -> list[str]:
    parts = [part for part in run.parts or (run,) if part.counts]
    return [f"{part.job}: {_counts(part)}" for part in parts] or ["nothing"]


def _counts(run: Run) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in run.counts.items())


def _brief(run: Run) -> dict[str, Any]:
    """A run without its changes."""
    fields: dict[str, Any] = {"run_id": run.id, "job": run.job, "status": run.status.value}
    fields |= {"counts": dict(run.counts)}
    if run.parts:
        fields["jobs"] = {part.job: dict(part.counts) for part in run.parts if part.counts}
    return fields | ({"error": run.error} if run.error else {})


PLAN = Tool("memory.upkeep.plan", UpkeepPlan, plan)
START = Tool("memory.upkeep.start", UpkeepStart, start, effect=Effect.CHANGES)
RUNS = Tool("memory.upkeep.list", UpkeepRuns, list_runs)
UNDO = Tool("memory.upkeep.undo", UpkeepUndo, undo, effect=Effect.CHANGES)
