"""simonides doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress

if TYPE_CHECKING:
    from simonides.ports.store import Report

app = commands()


@command(app, "doctor", example="  simonides doctor && simonides backup ~/memory-monday.db")
def doctor(common: Common) -> None:
    """Look for damage in the store.

    Looked at are the file, rows, text index, links, vectors and the audit log.
    Exits with 1 if something is wrong.
    """
    with common.memory() as memory, progress(common, "Looking", 1) as advance:
        path = memory.path
        report = memory.doctor(lambda area, share: advance(share, f"Looking at {area}"))
    common.answer(report.to_dict(), lambda out: _show(out, report, str(path)))
    if not report.healthy:
        raise typer.Exit(exits.WRONG)


def _show(out: Output, report: Report, path: str) -> None:
    out.fields({"store": path, **report.backend})
    out.line()
    for problem in report.problems:
        out.prose(f"{problem.area}: {problem.message}")
    count = len(report.problems)
    word = "nothing is wrong" if not count else f"{count} problem{'s' if count > 1 else ''} found"
    out.line(out.paint(word, "red" if count else "green"))
