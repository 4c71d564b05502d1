"""simonides forget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, Look
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides.domain.item import Item

app = commands()


@command(app, "forget", example='  simonides forget "the spare key is under the mat"')
def forget(
    common: Common,
    look: Look,
    target: Annotated[str, typer.Argument(metavar="ID|WORDS", help="An item's id, or words that name it.")],
) -> None:
    """Take an item out of recall. Nothing is deleted: it is archived; `purge` deletes.

    Words that fit several items change nothing: the candidates are shown, and the exit code is 1.
    """
    with common.memory() as memory:
        found = memory.forget(target, scope=look.scopes)
    from simonides.recall.result import Candidates  # noqa: PLC0415

    if not isinstance(found, Candidates):
        common.answer(found.to_dict(), lambda out: _show(out, found), [found.id])
        return
    common.answer(
        found.to_dict(), lambda out: render.candidates(out, found), [hit.item.id for hit in found.hits]
    )
    common.remark(f"simonides: {found.reason}; nothing was changed")
    raise typer.Exit(exits.WRONG)


def _show(out: Output, item: Item) -> None:
    out.line(f"forgotten  {item.id}")
    out.prose(item.content, 4)
