"""simonides context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.domain.selection import Filters
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions, QuestionOptions
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides import ContextResult, Memory

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
    question: QuestionOptions,
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
            **question.fields,
            **filters,
        )
        hints = _hints(memory, look, filters.get("corpus_id"), result)
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


def _hints(memory: Memory, look: LookOptions, corpus: str | None, result: ContextResult) -> list[str]:
    """Hints shown when a context is empty."""
    if result.least_tokens is not None or result.injection_id is not None:
        return list(result.hints)
    if corpus is not None:
        corpora = memory.documents.corpora(scope=look.path)
        if corpus in {one.name for one in corpora if not one.injectable}:
            hint = f"`simonides documents corpus {corpus} --injectable`"
            return [f"parts of documents stay out of prompts until {hint} says otherwise of theirs"]
    # A search finds something here: looking everywhere is no help.
    if any("injectable" in hint for hint in result.hints):
        return [*result.hints, "`simonides documents corpus NAME --injectable` makes one so"]
    return look.hints(memory, result.hints)
