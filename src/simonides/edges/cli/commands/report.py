"""simonides report."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions

app = commands()


@command(
    app,
    "report",
    example="""\
  simonides report --open
  simonides report --out apollo.html --project apollo""",
)
def report(
    common: Common,
    look: LookOptions,
    out: Annotated[Path, typer.Option(metavar="PATH", help="Where to write it.")] = Path("report.html"),
    open_: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is no report.")] = False,
) -> None:
    """Write a report on the store, to open in a browser.

    It is one HTML file. Without a scope it covers everything. It quotes memories, so only you can read
    the file.
    """
    from simonides.edges.report import collect, page, write  # noqa: PLC0415

    target = out.expanduser()
    write.check(target, force=force)
    with common.memory(reads=True) as memory:
        store = memory.path
        collected = collect.collect(memory, look.scopes_or_all)
    write.replace(target, page.render(collected), store, force=force)
    common.answer({"path": str(target)}, lambda shown: shown.line(str(target)), [str(target)])
    if open_ and not webbrowser.open(target.resolve().as_uri()):
        common.remark("no browser was found; open the file in one")
