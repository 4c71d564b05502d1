"""simonides backup."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.progress import progress
from simonides.errors import NotFound

app = commands()


@command(
    app,
    "backup",
    example="""\
  simonides backup ~/memory-monday.db
  simonides backup ~/memory-monday.db --verify""",
)
def backup(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file that does not exist yet.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Look for damage in a copy that exists; make none.")
    ] = False,
) -> None:
    """Copy the store, in use or not. The copy is checked, and is a store itself.

    If there is an archive file, it is copied to PATH.archive. With --verify, a copy that was made before is checked as
    `doctor` checks a store; it is not changed.
    """
    if verify:
        _verify(common, path.expanduser())
        return
    with common.memory(reads=True) as memory, progress(common, "Copying", 1) as advance:
        made = memory.backup(path, advance, actor="cli")
    beside = made.with_name(f"{made.name}.archive")
    files = [file for file in (made, beside) if file.exists()]
    sizes = {str(file): file.stat().st_size for file in files}
    report = {"path": str(made), "bytes": sizes[str(made)]}
    if beside in files:
        report |= {"archive": str(beside), "archive_bytes": sizes[str(beside)]}
    common.answer(
        report,
        lambda out: out.line("\n".join(f"{file}  {size:,} bytes, checked" for file, size in sizes.items())),
        list(sizes),
    )


def _verify(common: Common, path: Path) -> None:
    """Check a copy; the exit code says whether it is sound."""
    from simonides.memory import Memory  # noqa: PLC0415 - brings numpy and SQLite along

    if not path.is_file():
        raise NotFound(f"there is no copy at {path}")
    with Memory(path, read_only=True) as copy, progress(common, "Looking", 1) as advance:
        report = copy.doctor(lambda area, share: advance(share, area))
        items = copy.stats()["items"]
    values = report.to_dict() | {"path": str(path), "items": items}
    state = (
        "sound" if report.healthy else f"damaged; `simonides doctor --db {shlex.quote(str(path))}` says where"
    )
    common.answer(values, lambda out: out.line(f"{path}  {items:,} items, {state}"), [str(path)])
    if not report.healthy:
        raise typer.Exit(exits.WRONG)
