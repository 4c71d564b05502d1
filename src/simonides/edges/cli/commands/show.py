"""simonides show."""

from __future__ import annotations

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId

app = commands()


@command(app, "show", example="  simonides show 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def show(common: Common, item_id: ItemId) -> None:
    """Show an item in full. Looking does not count as a use."""
    with common.memory(reads=True) as memory:
        item = memory.get(item_id)
    common.answer(item.to_dict(), lambda out: render.item(out, item), [item.id])
