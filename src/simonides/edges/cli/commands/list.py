"""simonides list."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.domain.selection import Filters
from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions

app = commands()


@command(
    app,
    "list",
    example="""\
  simonides list --type decision --project apollo
  simonides list --all-scopes --limit 1000 --quiet | wc -l""",
)
def list_(
    common: Common,
    look: LookOptions,
    filters: Filters,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most items.")] = 50,
    offset: Annotated[int, typer.Option(min=0, metavar="N", help="Skip this many.")] = 0,
) -> None:
    """List items, newest first."""
    with common.memory(reads=True) as memory:
        items = common.first(
            lambda most: memory.list(scope=look.scopes, limit=most, offset=offset, **filters), limit
        )
        hints = [] if items else look.hints(memory, memory.page(scope=look.scopes, limit=1, **filters).hints)
    common.listing(items, render.items, lambda item: item.id)
    for hint in hints:
        common.remark(hint)
