"""simonides backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.progress import progress

app = commands()


@command(app, "backup", example="  simonides backup ~/memory-monday.db")
def backup(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file that does not exist yet.")],
) -> None:
    """Copy the store, in use or not. The copy is checked, and is a store itself."""
    with common.memory() as memory, progress(common, "Copying", 1) as advance:
        made = memory.backup(path.expanduser(), advance)
    size = made.stat().st_size
    common.answer(
        {"path": str(made), "bytes": size},
        lambda out: out.line(f"{made}  {size:,} bytes, checked"),
        [str(made)],
    )
