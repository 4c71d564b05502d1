"""simonides review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render, runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId, LookOptions
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides import Contradicted, Quarantined

app = commands("Decide on what the policy held back.")


@command(app, "list", example="  simonides review list --project apollo")
def list_(
    common: Common,
    look: LookOptions,
    low_trust: Annotated[
        bool, typer.Option("--low-trust", help="Instead, active items of too low trust for prompts.")
    ] = False,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most items.")] = 50,
) -> None:
    """List what waits for a decision, oldest first, and why.

    Without a scope, whatever waits anywhere.
    """
    with common.memory(reads=True) as memory:
        held = common.first(
            lambda most: memory.review.list(scope=look.scopes_or_all, limit=most, low_trust=low_trust), limit
        )
    common.listing(held, _show, lambda entry: entry.item.id, empty=_nothing("nothing waits", look))


@command(app, "contradictions", example="  simonides review contradictions --project apollo")
def contradictions(
    common: Common,
    look: LookOptions,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most pairs.")] = 50,
) -> None:
    """List pairs that contradict each other, newest first.

    Without a scope, those of everywhere.
    """
    with common.memory(reads=True) as memory:
        pairs = common.first(
            lambda most: memory.review.contradictions(scope=look.scopes_or_all, limit=most), limit
        )
    common.listing(pairs, _pairs, lambda pair: pair.older.id, empty=_nothing("nothing contradicts", look))


@command(app, "show", example="  simonides review show 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def show(common: Common, item_id: ItemId) -> None:
    """Show a quarantined item in full, with the reasons."""
    with common.memory(reads=True) as memory:
        held = memory.review.show(item_id)
    common.answer(held.to_dict(), lambda out: _one(out, held), [item_id])


@command(
    app,
    "approve",
    example="  simonides review approve 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66",
)
def approve(
    common: Common,
    item_id: ItemId,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")] = "",
    injectable: Annotated[
        bool | None,
        typer.Option("--injectable/--not-injectable", help="Allow it in prompts, or not; else as proposed."),
    ] = None,
) -> None:
    """Let an item in as proposed.

    An item that was of too low trust for prompts may be put into them from then on.
    """
    with common.memory() as memory:
        verdict = memory.review.approve(item_id, reason, injectable=injectable, actor="cli")
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [verdict.item_id or item_id])


@command(app, "reject", example="  simonides review reject 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def reject(
    common: Common,
    item_id: ItemId,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")] = "",
) -> None:
    """Turn an item down: it is archived and stays out of recall."""
    with common.memory() as memory:
        verdict = memory.review.reject(item_id, reason, actor="cli")
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [item_id])


@command(app, "reopen", example="  simonides review reopen 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def reopen(common: Common, item_id: ItemId) -> None:
    """Take back the last decision about an item."""
    with common.memory() as memory:
        item = memory.review.reopen(item_id, actor="cli")
    common.answer(item.to_dict(), lambda out: render.item(out, item), [item_id])


@command(
    app,
    "rollback",
    example="""\
  simonides review rollback --session s1
  simonides review rollback --source https://example.org/page --apply""",
)
def rollback(
    common: Common,
    look: LookOptions,
    source: Annotated[str | None, typer.Option(metavar="ID", help="Everything from this source.")] = None,
    session: Annotated[str | None, typer.Option(metavar="NAME", help="Everything from this session.")] = None,
    after: Annotated[str | None, typer.Option(metavar="TIME", help="Recorded then or later.")] = None,
    apply: Annotated[
        bool, typer.Option("--apply/--dry-run", help="Do it, instead of only showing it.", show_default=False)
    ] = False,
) -> None:
    """Take back what a source, session or time brought.

    It is archived with all that was made of it. Shows what would change; --apply does it, and `simonides undo` takes
    that back.
    """
    with common.memory() as memory:
        run = memory.review.rollback(
            actor="cli",
            source_id=source,
            session_id=session,
            after=after,
            scope=look.scopes,
            dry_run=not apply,
        )
    raise typer.Exit(runs.answer(common, run, changes=True))


def _nothing(what: str, look: LookOptions) -> str:
    """Hint shown when a list is empty."""
    return (
        f"{what} from scope {look.path}; --all-scopes looks everywhere" if look.path else f"{what} anywhere"
    )


def _show(out: Output, every: list[Quarantined]) -> None:
    for held in every:
        out.line(render.head(out, held.item))
        if held.item.title:
            out.prose(held.item.title, 4, "bold")
        out.prose(held.item.display, 4)
        for name, words in (("tags", held.item.tags), ("entities", held.item.entities)):
            if words:
                out.prose(f"{name}: {', '.join(words)}", 4)
        for reason in held.verdict.reasons:
            out.prose(reason, 4, "yellow")


def _pairs(out: Output, pairs: list[Contradicted]) -> None:
    for number, pair in enumerate(pairs):
        if number:
            out.line()
        for item in (pair.older, pair.newer):
            out.line(render.head(out, item))
            out.prose(item.display, 4)
        if pair.differ:
            out.prose(f"{pair.differ}: {pair.evidence}", 4, "yellow")


def _one(out: Output, held: Quarantined) -> None:
    render.item(out, held.item)
    out.line()
    out.fields(
        {
            "held back": "; ".join(held.verdict.reasons),
            "proposed by": held.verdict.actor,
            "said to be": held.verdict.why_store,
        }
    )
