"""simonides review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, Look
from simonides.edges.cli.output import Output
from simonides.errors import Conflict

if TYPE_CHECKING:
    from simonides.parts import Quarantined

app = commands("Decide what the policy held back.")


@command(app, "list", example="  simonides review list --all-scopes")
def list_(
    common: Common,
    look: Look,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most items.")] = 50,
) -> None:
    """List what waits for a decision, oldest first, and why."""
    with common.memory() as memory:
        found = memory.review.list(scope=look.scopes, limit=limit)
    common.answer(
        [entry.to_dict() for entry in found],
        lambda out: _show(out, found),
        [entry.item.id for entry in found],
    )
    if not found:
        common.remark(f"nothing waits; {look.hint}")


@command(app, "show", example="  simonides review show 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def show(common: Common, item_id: Annotated[str, typer.Argument(metavar="ID", help="The item.")]) -> None:
    """Show a quarantined item in full, with the reasons."""
    with common.memory() as memory:
        found = memory.explain(item_id)
    verdict = found.verdict
    if found.item.status.value != "quarantined" or verdict is None:
        raise Conflict(f"{item_id} is {found.item.status.value}, not quarantined; `simonides show` shows it")
    from simonides.parts import Quarantined  # noqa: PLC0415

    held = Quarantined(found.item, verdict)
    common.answer(held.to_dict(), lambda out: _one(out, held), [item_id])


@command(
    app,
    "approve",
    example="  simonides review approve 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66",
)
def approve(
    common: Common,
    item_id: Annotated[str, typer.Argument(metavar="ID", help="The item.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")] = "",
) -> None:
    """Let an item in."""
    with common.memory() as memory:
        verdict = memory.review.approve(item_id, reason)
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [verdict.item_id or item_id])


@command(app, "reject", example="  simonides review reject 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
def reject(
    common: Common,
    item_id: Annotated[str, typer.Argument(metavar="ID", help="The item.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Kept with the decision.")] = "",
) -> None:
    """Turn an item down: it is archived and stays out of recall."""
    with common.memory() as memory:
        verdict = memory.review.reject(item_id, reason)
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [item_id])


def _show(out: Output, found: list[Quarantined]) -> None:
    for held in found:
        out.line(render.head(out, held.item))
        out.prose(held.item.content, 4)
        for reason in held.verdict.reasons:
            out.prose(reason, 4, "yellow")


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
