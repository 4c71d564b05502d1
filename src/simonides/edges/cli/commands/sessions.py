"""simonides sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides import WaitingTurn
    from simonides.domain.item import Item

app = commands("Conversations and their turns.")


@command(app, "list", example="  simonides sessions list --project apollo")
def list_(
    common: Common,
    look: LookOptions,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most sessions.")] = 50,
) -> None:
    """List sessions, most recently active first."""
    with common.memory(reads=True) as memory:
        sessions = common.first(lambda most: memory.sessions.list(scope=look.scopes, limit=most), limit)
    common.table(
        sessions,
        ("session", "scope", "turns", "first", "last"),
        lambda one: (
            *(one.session_id, one.scope, one.turns),
            *(render.moment(one.first_seen_at), render.moment(one.last_seen_at)),
        ),
        lambda one: one.session_id,
        empty=look.hint,
    )


@command(app, "show", example="  simonides sessions show monday --project apollo")
def show(
    common: Common,
    look: LookOptions,
    session: Annotated[str, typer.Argument(metavar="NAME", help="The session.")],
) -> None:
    """Show the turns of a session in their order.

    Also says how many of them wait for extraction.
    """
    with common.memory(reads=True) as memory:
        narratives = memory.sessions.get(session, scope=look.scopes)
        waiting = memory.sessions.waiting(session, scope=look.scopes)
    common.listing(narratives, lambda out, turns: _show(out, turns, waiting), lambda item: item.id)


@command(app, "end", example="  simonides sessions end monday --project apollo")
def end(
    common: Common,
    look: LookOptions,
    session: Annotated[str, typer.Argument(metavar="NAME", help="The session.")],
) -> None:
    """End a session.

    Memories are extracted from its turns, and an item of its own sums it up.
    """
    from simonides.edges.cli.commands.extract import show as show_report  # noqa: PLC0415

    with common.memory() as memory:
        report = memory.sessions.end(session, scope=look.scopes)
        narratives = [memory.get(item_id).content for item_id in report.narratives]

    def tell(out: Output) -> None:
        show_report(out, report)
        for text in narratives:
            out.prose(text)

    common.answer(report.to_dict(), tell, report.narratives)


def _show(out: Output, narratives: list[Item], waiting: list[WaitingTurn]) -> None:
    for item in narratives:
        when = out.paint(render.moment(item.event_at), "dim")
        out.line(f"{when}  {out.paint(render.who(item), 'bold')}")
        out.prose(item.display, 4)
    failed = [turn for turn in waiting if turn.failed]
    if waiting:
        out.line()
        out.line(out.paint(f"{len(waiting)} wait for extraction, of which {len(failed)} failed", "dim"))
    for why in dict.fromkeys(turn.error for turn in waiting if turn.error):
        out.prose(why, 0, "yellow")
