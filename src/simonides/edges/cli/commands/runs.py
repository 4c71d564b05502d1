"""simonides runs."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands("See what upkeep did.")


@command(app, "list", example="  simonides runs list --job expire")
def list_(
    common: Common,
    job: Annotated[str | None, typer.Option(metavar="JOB", help="Only runs of this job.")] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most runs.")] = 20,
) -> None:
    """List runs, most recent first."""
    with common.memory(reads=True) as memory:
        listed = common.first(lambda most: memory.runs.list(job=job, limit=most), limit)
    command = "maintain" if job in {None, "maintain", "undo"} else f"maintain {job}"
    none = f"there were no runs{f' of {job}' if job else ''}; `simonides {command}` makes one"
    common.listing(listed, runs.table, lambda run: run.id, empty=none)


@command(app, "show", example="  simonides runs show 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def show(
    common: Common,
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run.")],
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most changes.")] = 1000,
) -> None:
    """Show a run with its changes, as a diff."""
    with common.memory(reads=True) as memory:
        run = memory.runs.show(run_id, limit=limit)
        more = len(run.changes) == limit and len(memory.runs.show(run_id, limit=limit + 1).changes) > limit
    common.answer(run.to_dict(), lambda out: runs.show(out, run, changes=True), [run.id])
    if more:
        common.remark(f"these are the first {limit:,} changes; --limit shows more")


@command(app, "jobs", example="  simonides runs jobs")
def jobs(common: Common) -> None:
    """List the jobs there are."""
    with common.memory(reads=True) as memory:
        rows = memory.runs.jobs()
    common.answer(rows, lambda out: out.fields(rows), rows)
