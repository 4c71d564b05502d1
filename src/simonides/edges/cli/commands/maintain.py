"""simonides maintain."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.progress import progress

app = commands()


@command(app, "maintain", example="  simonides maintain expire --dry-run")
def maintain(
    common: Common,
    place: ScopeOptions,
    jobs: Annotated[
        list[str] | None, typer.Argument(metavar="JOB", help="Their names; all if none is given.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, as a diff; change nothing.")
    ] = False,
) -> None:
    """Run jobs of upkeep.

    Each change can be seen (`runs show`) and taken back (`undo`). Covers every scope, or only the one you name.
    """
    from simonides.domain.scope import ALL  # noqa: PLC0415

    with common.memory() as memory, progress(common, "Upkeep") as advance:
        run = memory.maintain(
            jobs or None,
            actor="cli",
            scope=place.path or ALL,
            dry_run=dry_run,
            progress=lambda what, done, _: advance(done, what),
        )
    raise typer.Exit(runs.answer(common, run, changes=dry_run))
