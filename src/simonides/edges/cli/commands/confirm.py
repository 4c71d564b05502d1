"""simonides confirm."""

from __future__ import annotations

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId

app = commands()


@command(app, "confirm", example="  simonides confirm 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def confirm(common: Common, item_id: ItemId) -> None:
    """Make an item certain: confidence 1, verified, no decay."""
    with common.memory() as memory:
        item = memory.confirm(item_id, actor="cli")
    common.answer(
        item.to_dict(),
        lambda out: out.line(f"{item.id}  {item.validation.value}, confidence {item.confidence:g}"),
        [item.id],
    )
