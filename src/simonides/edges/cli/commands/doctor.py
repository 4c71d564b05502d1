"""simonides doctor."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress

if TYPE_CHECKING:
    from simonides import Report

app = commands()


@command(app, "doctor", example="  simonides doctor && simonides backup ~/memory-monday.db")
def doctor(
    common: Common,
    *,
    salvage: Annotated[
        Path | None, typer.Option("--salvage", metavar="NEW", help="Save what is readable into a new store.")
    ] = None,
) -> None:
    """Look for damage in the store.

    Checks the file, rows, text index, links, vectors and the audit log.
    Exits with 1 if something is wrong.
    """
    if salvage is not None:
        _salvage(common, salvage.expanduser())
        return
    with common.memory(reads=True) as memory, progress(common, "Looking", 1) as advance:
        store_name = common.store_name(memory)
        report = memory.doctor(lambda area, share: advance(share, f"Looking at {area}"))
    common.answer(report.to_dict(), lambda out: _show(out, report, store_name))
    if not report.healthy:
        raise typer.Exit(exits.WRONG)


def _salvage(common: Common, target: Path) -> None:
    from simonides import salvage_store  # noqa: PLC0415 - the engine is loaded when it is needed
    from simonides.config import load  # noqa: PLC0415

    saved = salvage_store(common.path(), target, load())
    common.answer(
        asdict(saved),
        lambda out: out.line(
            f"{saved.items:,} items saved into {target} ({saved.shortened:,} with a shorter history), "
            f"{saved.lost:,} lost; run `simonides backfill --db {shlex.quote(str(target))}` for their vectors and names"
        ),
    )


def _show(out: Output, report: Report, path: str) -> None:
    out.fields({"store": path, **report.backend})
    out.line()
    for problem in report.problems:
        out.prose(f"{problem.area}: {problem.message}")
    count = len(report.problems)
    word = "nothing is wrong" if not count else f"{count} problem{'s' if count > 1 else ''} found"
    out.line(out.paint(word, "red" if count else "green"))
