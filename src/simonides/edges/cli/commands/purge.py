"""simonides purge."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from simonides.edges.cli import exits, retraction
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output, note, on_terminal, shortened
from simonides.errors import InvalidInput

app = commands()


@command(app, "purge", example="  simonides purge 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --yes")
def purge(
    common: Common,
    item_ids: Annotated[list[str], typer.Argument(metavar="ID", help="The items.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    keep_derived: Annotated[
        bool, typer.Option("--keep-derived", help="Leave what was made from them, with what it says.")
    ] = False,
) -> None:
    """Delete items with every trace of their text. This cannot be undone.

    What was made from them goes along where it has words of theirs, or is held back for review.
    Shows that and asks first; where there is no terminal to ask at, --yes is needed.
    """
    with common.memory() as memory:
        items = [memory.get(item_id) for item_id in item_ids]
        found = [] if keep_derived else memory.derived(*item_ids, purge=True)
        if not yes:
            if not on_terminal(sys.stdin):
                raise InvalidInput("purge deletes for good; add --yes if you mean it")
            for item in items:
                note(f"{item.id}  {shortened(item.content, 40)}")
            retraction.show(found, sources=len(items))
            count = len(items) + sum(one.then == "purged" for one in found)
            if not typer.confirm(f"Delete {_count(count)} for good?", err=True):
                note("nothing was deleted")
                raise typer.Exit(exits.WRONG)
        gone = memory.purge(*item_ids, keep_derived=keep_derived)
    common.answer(dict(gone), lambda out: _show(out, gone))


def _show(out: Output, gone: Mapping[str, int]) -> None:
    out.line("purged: " + ", ".join(f"{name} {count}" for name, count in gone.items()))


def _count(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"
