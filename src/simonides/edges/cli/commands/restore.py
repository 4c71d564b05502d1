"""simonides restore."""

from __future__ import annotations

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId

app = commands()


@command(app, "restore", example="  simonides restore 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def restore(common: Common, item_id: ItemId) -> None:
    """Bring back an item that was archived.

    It may have faded, expired, been forgotten, or moved to the archive file.
    If another item says the same by now, or replaced it, the answer is `merged`.
    """
    with common.memory() as memory:
        verdict = memory.restore(item_id, actor="cli")
    common.answer(
        verdict.to_dict(),
        lambda out: out.line(
            f"restored  {item_id}"
            if verdict.item_id == item_id
            else f"merged  {item_id} stays archived; {verdict.item_id} says it now"
        ),
        [verdict.item_id or item_id],
    )
