"""simonides consolidate."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.progress import progress

app = commands()


@command(app, "consolidate", example="  simonides consolidate --scope user:ana --dry-run")
def consolidate(
    common: Common,
    place: ScopeOptions,
    tiers: Annotated[
        list[str] | None,
        typer.Option("--tier", metavar="NAME", help="stm, mtm or ltm; repeatable. stm if not given."),
    ] = None,
    promote: Annotated[
        bool, typer.Option("--promote/--no-promote", help="Let items rise to the next tier, or not.")
    ] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, as a diff; change nothing.")
    ] = False,
) -> None:
    """Merge what says the same, and promote what proved useful.

    Works in exactly one scope, `global` if none is named.
    """
    with common.memory() as memory, progress(common, "Consolidating") as advance:
        run = memory.consolidate(
            actor="cli",
            scope=place.path,
            tiers=tiers or ("stm",),
            promote=promote,
            dry_run=dry_run,
            progress=lambda what, done, _: advance(done, what),
        )
    raise typer.Exit(runs.answer(common, run, changes=dry_run))
