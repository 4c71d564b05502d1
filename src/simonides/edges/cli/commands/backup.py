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
    """Copy the store, in use or not. The copy is checked, and is a store itself.

    If there is an archive file, it is copied to PATH.archive.
    """
    with common.memory() as memory, progress(common, "Copying", 1) as advance:
        made = memory.backup(path.expanduser(), advance, actor="cli")
    beside = made.with_name(f"{made.name}.archive")
    files = [file for file in (made, beside) if file.exists()]
    sizes = {str(file): file.stat().st_size for file in files}
    told = {"path": str(made), "bytes": sizes[str(made)]}
    if beside in files:
        told |= {"archive": str(beside), "archive_bytes": sizes[str(beside)]}
    common.answer(
        told,
        lambda out: out.line("\n".join(f"{file}  {size:,} bytes, checked" for file, size in sizes.items())),
        list(sizes),
    )
