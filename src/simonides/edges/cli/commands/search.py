"""simonides search."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.domain.selection import Filters
from simonides.edges.cli import picture, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions, SearchOptions

app = commands()


@command(
    app,
    "search",
    example="""\
  simonides search "what may Ruben not eat?" --project apollo
  simonides search walnuts --type fact --after 2026-01-01 --json
  simonides search "who manages whoever leads Apollo?" --agenda --explain""",
)
def search(
    common: Common,
    question: SearchOptions,
    look: LookOptions,
    filters: Filters,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question, or words.")],
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most hits.")] = 10,
) -> None:
    """Find the items that answer a question.

    --explain draws a picture of the search: what was read out of the question, which channels answered, the
    parts that add up to each score, and what was hidden or did not work.
    """
    with common.memory(reads=True) as memory:
        result = memory.search(query, scope=look.scopes, k=limit, **question.fields, **filters)
        hints = [] if result.hits else look.hints(memory, result.hints)
    if not question.explain:  # The picture tells of them.
        common.degraded(result.degradations)
    common.answer(
        result.to_dict(),
        lambda out: picture.show(out, result) if question.explain else render.hits(out, result.hits),
        [hit.item.id for hit in result],
    )
    for hint in hints:
        common.remark(hint)
    if result.hidden and not result.hits:
        common.remark(f"{result.hidden} faint matches are hidden; --min-relevance 0 shows them")
    if result.hits and result.abstained and not question.explain:
        common.remark("nothing that is stored seems to answer this; what is shown is only what is nearest")
