"""simonides reinforce."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId

app = commands()


@command(app, "reinforce", example="  simonides reinforce 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def reinforce(
    common: Common,
    item_id: ItemId,
    by: Annotated[float, typer.Option(metavar="NUMBER", help="By how much.")] = 3.0,
) -> None:
    """Raise an item that proved useful."""
    with common.memory() as memory:
        item = memory.reinforce(item_id, by, actor="cli")
    common.answer(
        item.to_dict(), lambda out: out.line(f"{item.id}  reinforcement {item.reinforcement:g}"), [item.id]
    )
