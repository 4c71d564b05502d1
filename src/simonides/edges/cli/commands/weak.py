"""simonides weak."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.errors import InvalidInput

app = commands()


@command(app, "weak", example="  simonides weak --below 0.5 --all-scopes")
def weak(
    common: Common,
    look: LookOptions,
    below: Annotated[float, typer.Option(metavar="NUMBER", help="The bound, 0 to 1.")] = 0.3,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most items.")] = 20,
) -> None:
    """List items whose confidence has sunk, lowest first."""
    if not 0 <= below <= 1:
        raise InvalidInput(f"--below lies in [0, 1], got {below:g}")
    with common.memory(reads=True) as memory:
        items = common.first(lambda most: memory.weak(scope=look.scopes, below=below, limit=most), limit)
    common.table(
        items,
        ("id", "certain", "type", "content"),
        lambda one: (one.item.id, f"{one.effective_confidence:.2f}", one.item.type, one.item.display),
        lambda one: one.item.id,
        empty=f"no item is below {below:g}",
    )
