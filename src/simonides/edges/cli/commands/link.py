"""simonides link."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(
    app,
    "link",
    example="""\
  simonides link 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 \\
      019b2f51-02c7-7a19-8d44-1f6e9b3c5d20 --rel supports""",
)
def link(
    common: Common,
    src: Annotated[str, typer.Argument(metavar="FROM", help="An item's id.")],
    dst: Annotated[str, typer.Argument(metavar="TO", help="Another item's id.")],
    rel: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="supports, contradicts, refines, supersedes, depends_on, references, derived_from, causal or similar.",
        ),
    ] = "references",
    evidence: Annotated[str | None, typer.Option(metavar="TEXT", help="Why they belong together.")] = None,
    weight: Annotated[float, typer.Option(metavar="NUMBER", help="How strong it is, from 0.")] = 1.0,
) -> None:
    """Join two items."""
    with common.memory() as memory:
        made = memory.link(src, dst, rel, evidence=evidence, weight=weight, actor="cli")
    common.answer(made.to_dict(), lambda out: out.line(f"{made.src} {made.rel} {made.dst}"))
