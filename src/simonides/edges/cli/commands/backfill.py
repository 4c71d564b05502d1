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
        bool, typer.Option("--again", help="Everything anew, after `doctor` found damage.")
    ] = False,
) -> None:
    """Embed what has no vector of the present model.

    Looks for names, too, in what an earlier release stored. Stopped, it goes on from there the next time.
    """
    with common.memory() as memory, progress(common, "Embedding") as advance:
        done = memory.backfill(lambda count, _: advance(count), again=again)
    common.answer({"embedded": done}, lambda out: out.line(f"{done:,} items embedded"))
