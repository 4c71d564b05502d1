"""simonides correct."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions

app = commands()


@command(
    app,
    "correct",
    example="""\
  simonides correct "the key is under the mat" "The key is at Gwil's\"""",
)
def correct(
    common: Common,
    place: ScopeOptions,
    target: Annotated[str, typer.Argument(metavar="ID|WORDS", help="An item's id, or words that name it.")],
    content: Annotated[str, typer.Argument(metavar="CONTENT", help="What is true instead.")],
) -> None:
    """Replace what an item says. The old text ends now and stays in the history.

    Words that fit several items change nothing: the candidates are shown, and the exit code is 1.
    """
    with common.memory() as memory:
        found = memory.correct(target, content, scope=place.path, actor="cli")
    from simonides.domain.verdict import Verdict  # noqa: PLC0415

    if isinstance(found, Verdict):
        ids = [] if found.item_id is None else [found.item_id]
        common.answer(found.to_dict(), lambda out: render.verdict(out, found), ids)
        if not found.stored:
            raise typer.Exit(exits.WRONG)
        return
    common.answer(
        found.to_dict(), lambda out: render.candidates(out, found), [hit.item.id for hit in found.hits]
    )
    common.remark(f"simonides: {found.reason}; nothing was changed")
    raise typer.Exit(exits.WRONG)
