"""simonides sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, Look
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides.domain.item import Item

app = commands("Conversations and their turns.")


@command(app, "list", example="  simonides sessions list --project apollo")
def list_(
    common: Common,
    look: Look,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most sessions.")] = 50,
) -> None:
    """List sessions, last heard of first."""
    with common.memory() as memory:
        found = memory.sessions.list(scope=look.scopes, limit=limit)
    rows = [
        (
            entry.session_id,
            entry.scope,
            entry.turns,
            render.moment(entry.first_seen_at),
            render.moment(entry.last_seen_at),
        )
        for entry in found
    ]
    common.answer(
        [entry.to_dict() for entry in found],
        lambda out: out.table(("session", "scope", "turns", "first", "last"), rows),
        [entry.session_id for entry in found],
    )
    if not found:
        common.remark(look.hint)


@command(app, "show", example="  simonides sessions show monday --project apollo")
def show(
    common: Common,
    look: Look,
    session: Annotated[str, typer.Argument(metavar="NAME", help="The session.")],
) -> None:
    """Show the turns of a session in their order."""
    with common.memory() as memory:
        found = memory.sessions.get(session, scope=look.scopes)
    common.answer(
        [item.to_dict() for item in found], lambda out: _show(out, found), [item.id for item in found]
    )


def _show(out: Output, found: list[Item]) -> None:
    for item in found:
        when = out.paint(render.moment(item.event_at), "dim")
        out.line(f"{when}  {out.paint(render.who(item), 'bold')}")
        out.prose(item.content, 4)
