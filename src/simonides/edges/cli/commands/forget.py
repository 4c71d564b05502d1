"""simonides forget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import exits, render, retraction
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemTarget, ScopeOptions, Unasked
from simonides.edges.cli.output import Output, note

if TYPE_CHECKING:
    from simonides import Derived
    from simonides.domain.item import Item

app = commands()


@command(app, "forget", example='  simonides forget "the spare key is under the mat"')
def forget(
    common: Common,
    place: ScopeOptions,
    target: ItemTarget,
    yes: Unasked = False,
    keep_derived: Annotated[
        bool, typer.Option("--keep-derived", help="Leave what was made from it as it is.")
    ] = False,
) -> None:
    """Take an item out of recall. Nothing is deleted: it is archived; `purge` deletes.

    What was made from it is held back for review, too; that is shown, and asked about, first.
    Words that fit several items change nothing: the candidates are shown, and the exit code is 1.
    """
    from simonides import Candidates  # noqa: PLC0415

    with common.memory() as memory:
        outcome = memory.resolve(target, scope=place.path)
        made: list[Derived] = []
        if not isinstance(outcome, Candidates):
            made = [] if keep_derived else memory.derived(outcome.id)
            if (
                retraction.reaches(made)
                and not yes
                and not retraction.agreed(made, "Forget it all the same?")
            ):
                note("nothing was forgotten")
                raise typer.Exit(exits.WRONG)
            outcome = memory.forget(outcome.id, keep_derived=keep_derived, actor="cli")

    if not isinstance(outcome, Candidates):
        common.answer(outcome.to_dict(), lambda out: _show(out, outcome, made), [outcome.id])
        return
    common.answer(
        outcome.to_dict(), lambda out: render.candidates(out, outcome), [hit.item.id for hit in outcome.hits]
    )
    common.remark(f"simonides: {outcome.reason}; nothing was changed")
    raise typer.Exit(exits.WRONG)


def _show(out: Output, item: Item, made: Sequence[Derived]) -> None:
    out.line(f"forgotten  {item.id}")
    out.prose(item.display, 4)
    if retraction.reaches(made):
        out.line("what was made from it:")
        for line in retraction.lines(made):
            out.line(f"    {line}")
