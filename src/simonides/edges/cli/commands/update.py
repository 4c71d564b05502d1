"""simonides update."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId, ItemOptions

app = commands()


@command(
    app,
    "update",
    example="""\
  simonides update 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --tier ltm --pin""",
)
def update(
    common: Common,
    item: ItemOptions,
    item_id: ItemId,
    content: Annotated[str | None, typer.Option(metavar="TEXT", help="What it says.")] = None,
    pin: Annotated[
        bool | None,
        typer.Option("--pin/--no-pin", help="Keep it in the core profile, or not.", show_default=False),
    ] = None,
    injectable: Annotated[
        bool | None,
        typer.Option("--injectable/--no-injectable", help="Allow it in prompts, or not.", show_default=False),
    ] = None,
) -> None:
    """Change fields of an item. Its former state stays in its history.

    Tags, and whom or what it is about, replace all that it has of these.
    """
    fields = item.fields(content=content, pinned=pin, injectable=injectable)
    with common.memory() as memory:
        if item.kind is not None:
            memory.settings.taxonomy.require_known(item.kind)
        verdict = memory.update(item_id, actor="cli", **fields)
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [item_id])
    if not verdict.stored:
        raise typer.Exit(exits.WRONG)
