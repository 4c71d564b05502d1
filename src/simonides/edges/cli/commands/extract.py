"""simonides extract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress

if TYPE_CHECKING:
    from simonides.domain.extraction import ExtractReport

app = commands()


@command(
    app,
    "extract",
    example="""\
  simonides extract --dry-run
  simonides extract --session monday --project apollo""",
)
def extract(
    common: Common,
    look: LookOptions,
    *,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="NAME", help="Only this session, with turns that failed."),
    ] = None,
    due: Annotated[bool, typer.Option("--due", help="Only sessions that have been quiet.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be extracted; store nothing.")
    ] = False,
) -> None:
    """Extract memories from recorded turns.

    Turns of a chat are kept until they are searched for what should last: preferences, decisions, plans
    and the like. Without a scope, all waiting turns are searched.
    """
    scope = look.scopes_or_all
    with common.memory() as memory:
        if session is not None:
            memory.sessions.get(session, scope=scope, last=1)  # One that is not there has nothing to extract.
        waiting = memory.stats(scope=scope)["buffer"]["waiting"]
        with progress(common, "Extracting", total=waiting or None) as advance:
            report = memory.extract(
                scope=scope,
                session_id=session,
                due_only=due,
                dry_run=dry_run,
                progress=lambda done, _: advance(done),
            )
    common.answer(report.to_dict(), lambda out: show(out, report), report.item_ids)


def show(out: Output, report: ExtractReport) -> None:
    """Print what became of turns."""
    for one in report.found:
        outcome = "would be stored" if one.verdict is None else one.verdict.outcome.value
        out.line(f"{out.paint(one.type, 'bold')}  {one.content}  {out.paint(outcome, 'dim')}")
    turns = f"{report.turns:,} {'turn' if report.turns == 1 else 'turns'}"
    out.line(f"{turns} looked at, {len(report.found):,} statements found")
    if report.ended:
        out.line(f"over: {', '.join(report.ended)}")
    for remark in (*report.degradations, *(f"dropped: {why}" for why in report.dropped)):
        out.prose(remark, 0, "yellow")
    if report.run_id is not None:
        out.line(out.paint(out.by_hand(f"`simonides undo {report.run_id}` takes it back"), "dim"))
