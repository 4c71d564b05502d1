"""simonides correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemTarget, ScopeOptions
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides import Verdict
    from simonides.domain.item import Item

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
    target: ItemTarget,
    content: Annotated[str, typer.Argument(metavar="CONTENT", help="What is true instead.")],
) -> None:
    """Replace what an item says. The old text ends now and stays in the history; it is shown.

    Words that fit several items change nothing: the candidates are shown, and the exit code is 1.
    """
    from simonides import Candidates  # noqa: PLC0415

    replaced: Item | None = None
    with common.memory() as memory:
        item = memory.resolve(target, scope=place.path)
        if not isinstance(item, Candidates):
            # What words resolved to is what is corrected, and shown, whatever is written meanwhile.
            replaced, item = item, memory.correct(item.id, content, actor="cli")
    if isinstance(item, Candidates):
        unclear = item
        common.answer(
            unclear.to_dict(),
            lambda out: render.candidates(out, unclear),
            [hit.item.id for hit in unclear.hits],
        )
        common.remark(f"simonides: {unclear.reason}; nothing was changed")
        raise typer.Exit(exits.WRONG)
    verdict = item
    ids = [] if verdict.item_id is None else [verdict.item_id]
    common.answer(verdict.to_dict(), lambda out: _show(out, verdict, replaced), ids)
    if not verdict.stored:
        raise typer.Exit(exits.WRONG)


def _show(out: Output, verdict: Verdict, replaced: Item | None) -> None:
    render.verdict(out, verdict)
    if verdict.stored and replaced is not None:
        out.prose(f"in place of {replaced.type} {replaced.id}: {replaced.display}", 4)
