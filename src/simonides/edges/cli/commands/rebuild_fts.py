"""simonides rebuild-fts."""

from __future__ import annotations

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(app, "rebuild-fts", example="  simonides rebuild-fts")
def rebuild_fts(common: Common) -> None:
    """Rebuild the text index, after `doctor` found it wrong."""
    with common.memory() as memory:
        memory.rebuild_fts(actor="cli")
    common.answer({"rebuilt": True}, lambda out: out.line("the text index is rebuilt"))
