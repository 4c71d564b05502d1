"""simonides context."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.domain.selection import Filters
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.errors import InvalidInput

app = commands()


@command(
    app,
    "context",
    example="""\
  simonides context "what shall I cook for Ruben?" --max-tokens 500
  simonides context "the opening" --mode hybrid --project apollo
  simonides context "why did we move, and when?" --max-tokens auto --ids""",
)
def context(
    common: Common,
    look: LookOptions,
    filters: Filters,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the prompt is about.")],
    max_tokens: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Token budget; `auto` adapts it to the question.",
            show_default="2000, or by the question",
        ),
    ] = None,
    mode: Annotated[
        str, typer.Option(metavar="NAME", help="context, inject, catalog or hybrid.")
    ] = "context",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="For people: the same as --mode context.")
    ] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Name the items of a context by their ids.")] = False,
    at: Annotated[str | None, typer.Option(metavar="TIME", help="When the question is asked.")] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME", help="Answer from what was known then.")
    ] = None,
) -> None:
    """Write a block of memory about a question, for a prompt.

    Only what may be injected is in it. Each context is on record: `simonides why` tells what was in it.
    """
    if markdown and mode != "context":
        raise InvalidInput(f"--markdown and --mode {mode} contradict each other; give one of them")
    with common.memory(reads=True) as memory:
        result = memory.context(
            query,
            scope=look.scopes,
            max_tokens=int(max_tokens) if max_tokens and max_tokens.lstrip("-").isdecimal() else max_tokens,
            mode=mode,
            ids=ids,
            at=at,
            as_of=as_of,
            **filters,
        )
        corpus, hints = filters.get("corpus_id"), list(result.hints)
        if result.least_tokens is None:
            hints = look.hints(memory, hints)
        if result.injection_id is None and result.least_tokens is None and corpus is not None:
            corpora = memory.documents.corpora(scope=look.path)
            if corpus in {one.name for one in corpora if not one.injectable}:
                hint = f"`simonides documents corpus {corpus} --injectable`"
                hints = [f"parts of documents stay out of prompts until {hint} says otherwise of theirs"]
    common.degraded(result.degradations)
    common.answer(
        result.to_dict(),
        lambda out: out.prose(result.text) if result.text else None,
        [i.id for i in result.items],
    )
    if result.injection_id is None:
        for hint in hints:
            common.remark(hint)
    else:
        common.remark(f"{result.tokens} tokens; `simonides why {result.injection_id}` tells what they are")
