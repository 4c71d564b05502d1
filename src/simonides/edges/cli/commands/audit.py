"""simonides audit."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output

app = commands("The log of every change, a chain of hashes.")


@command(app, "verify", example="  simonides audit verify")
def verify(common: Common) -> None:
    """Check that no entry was changed or removed.

    Exits with 1 if one was.
    """
    with common.memory(reads=True) as memory:
        problems = list(memory.audit.verify())
    common.answer({"intact": not problems, "problems": problems}, lambda out: _show(out, problems))
    if problems:
        raise typer.Exit(exits.WRONG)


@command(app, "log", example="  simonides audit log --limit 5")
def log(
    common: Common,
    item_id: Annotated[str | None, typer.Option("--item", metavar="ID", help="Only this item's.")] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most entries.")] = 50,
) -> None:
    """List what was done, newest first. The log holds ids and hashes, never text."""
    with common.memory(reads=True) as memory:
        events = common.first(lambda most: memory.audit.events(item_id=item_id, limit=most), limit)
    common.table(
        events,
        ("no.", "when", "what", "who", "item"),
        lambda one: (str(one.number), render.moment(one.at), one.action, one.actor, one.item_id),
        lambda one: one.item_id,
    )


@command(app, "seal", example="  simonides audit seal")
def seal(common: Common) -> None:
    """Put an existing store under your integrity key.

    The store is taken to be sound as it is. Other programs have to reopen it.
    """
    from simonides import seal_store  # noqa: PLC0415 - the engine is loaded when it is needed
    from simonides.config import load  # noqa: PLC0415

    path = common.existing_path()
    seal_store(path, load())
    common.answer({"sealed": str(path)}, lambda out: out.line(f"{path} is under your integrity key"))


def _show(out: Output, problems: list[str]) -> None:
    for problem in problems:
        out.prose(problem)
    if not problems:
        out.line(out.paint("the audit log is intact", "green"))
