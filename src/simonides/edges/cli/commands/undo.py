"""simonides undo."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.progress import progress

app = commands()


@command(app, "undo", example="  simonides undo 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def undo(
    common: Common,
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run; `runs list` shows them.")],
    force: Annotated[
        bool, typer.Option("--force", help="Leave items that changed since, and take back the rest.")
    ] = False,
) -> None:
    """Take back what a run of upkeep changed.

    Refused if items have changed since. Uses counted since then stay.
    """
    with common.memory() as memory, progress(common, "Taking back") as advance:
        run = memory.undo(
            run_id, force=force, actor="cli", progress=lambda what, done, _: advance(done, what)
        )
    raise typer.Exit(runs.answer(common, run, changes=False))
