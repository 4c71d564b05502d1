"""simonides update."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import exits, render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common

app = commands()


@command(
    app,
    "update",
    example="""\
  simonides update 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --tier ltm --pin""",
)
def update(
    common: Common,
    item_id: Annotated[str, typer.Argument(metavar="ID", help="The item.")],
    content: Annotated[str | None, typer.Option(metavar="TEXT", help="What it says.")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Its heading.")] = None,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="NAME", help="fact, decision, todo, …")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A tag; repeatable; replaces all tags.")
    ] = None,
    entity: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="What it is about; repeatable; replaces all.")
    ] = None,
    tier: Annotated[str | None, typer.Option(metavar="NAME", help="stm, mtm or ltm.")] = None,
    at: Annotated[str | None, typer.Option(metavar="TIME", help="When it happened.")] = None,
    valid_from: Annotated[str | None, typer.Option(metavar="TIME", help="Since when it is true.")] = None,
    valid_until: Annotated[str | None, typer.Option(metavar="TIME", help="Until when it is true.")] = None,
    expires: Annotated[str | None, typer.Option(metavar="TIME", help="When it expires.")] = None,
    confidence: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="How certain it is, 0 to 1.")
    ] = None,
    importance: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="How much it matters, 0 to 1.")
    ] = None,
    pin: Annotated[
        bool | None,
        typer.Option("--pin/--no-pin", help="Keep it in the core profile, or not.", show_default=False),
    ] = None,
    injectable: Annotated[
        bool | None,
        typer.Option("--injectable/--no-injectable", help="Allow it in prompts, or not.", show_default=False),
    ] = None,
) -> None:
    """Change fields of an item. Its former state stays in its history."""
    given = {
        "content": content,
        "title": title,
        "type": kind,
        "tags": tag,
        "entities": entity,
        "tier": tier,
        "event_at": at,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "expires_at": expires,
        "confidence": confidence,
        "importance": importance,
        "pinned": pin,
        "injectable": injectable,
    }
    with common.memory() as memory:
        if kind is not None:
            memory.settings.taxonomy.require_known(kind)
        verdict = memory.update(
            item_id, actor="cli", **{name: value for name, value in given.items() if value is not None}
        )
    common.answer(verdict.to_dict(), lambda out: render.verdict(out, verdict), [item_id])
    if not verdict.stored:
        raise typer.Exit(exits.WRONG)
