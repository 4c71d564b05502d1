"""simonides reindex."""

from __future__ import annotations

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(app, "reindex", example="  simonides reindex")
def reindex(common: Common) -> None:
    """Build the vector index of a large store now.

    A server builds it by itself.
    """
    with common.memory() as memory:
        index = memory.reindex()
    common.answer({"index": index}, lambda out: out.line(index))
