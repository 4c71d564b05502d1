"""simonides demote."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId

app = commands()


@command(app, "demote", example="  simonides demote 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def demote(
    common: Common,
    item_id: ItemId,
    by: Annotated[float, typer.Option(metavar="NUMBER", help="By how much.")] = -1.0,
) -> None:
    """Lower an item that was of no use."""
    with common.memory() as memory:
        item = memory.demote(item_id, by, actor="cli")
    common.answer(
        item.to_dict(), lambda out: out.line(f"{item.id}  reinforcement {item.reinforcement:g}"), [item.id]
    )
