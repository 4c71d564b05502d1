"""simonides backfill."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.progress import progress

app = commands()


@command(app, "backfill", example="  simonides backfill")
def backfill(
    common: Common,
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Embed everything again, after `doctor` found damage.")
    ] = False,
) -> None:
    """Embed items that lack a vector of the current model.

    Also finds names in items that earlier releases stored. If stopped, it resumes where it left off.
    """
    with common.memory() as memory, progress(common, "Embedding") as advance:
        done = memory.backfill(lambda count, _: advance(count), again=again)
    common.answer({"embedded": done}, lambda out: out.line(f"{done:,} items embedded"))
