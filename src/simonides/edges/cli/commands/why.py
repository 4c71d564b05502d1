"""simonides why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides.domain.records import Injection

app = commands()


@command(
    app,
    "why",
    example="""\
  simonides why
  simonides why 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66""",
)
def why(
    common: Common,
    injection_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="An injection; without one they are listed.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the list: only this session's.")
    ] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Of the list: its length.")] = 20,
) -> None:
    """Tell what was put into a prompt, and with which scores."""
    with common.memory() as memory:
        if injection_id is None:
            found = memory.injections(session, limit)
            common.answer(
                [entry.to_dict() for entry in found],
                lambda out: _list(out, found),
                [entry.id for entry in found],
            )
            if not found:
                common.remark("nothing was put into a prompt yet; `simonides context` does")
            return
        one = memory.why(injection_id)
    common.answer(one.to_dict(), lambda out: _show(out, one), [item_id for item_id, _ in one.items])


def _list(out: Output, found: list[Injection]) -> None:
    rows = [(entry.id, render.moment(entry.at), len(entry.items), entry.query) for entry in found]
    out.table(("id", "when", "items", "question"), rows)


def _show(out: Output, one: Injection) -> None:
    out.fields(
        {
            "question": one.query,
            "when": render.moment(one.at),
            "scope": one.scope,
            "session": one.session_id,
            "mode": one.mode,
            "tokens": one.tokens,
        }
    )
    out.line()
    out.table(("item", "score"), [(item_id, f"{score:.3f}") for item_id, score in one.items])
