"""simonides palace."""

from __future__ import annotations

from typing import Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemId, LookOptions

app = commands("Browse by domain, room and shelf.")


@command(
    app,
    "list",
    example="""\
  simonides palace list
  simonides palace list apollo decisions""",
)
def list_(
    common: Common,
    look: LookOptions,
    domain: Annotated[
        str | None, typer.Argument(metavar="DOMAIN", help="List the rooms of this domain.")
    ] = None,
    room: Annotated[str | None, typer.Argument(metavar="ROOM", help="List the shelves of this room.")] = None,
) -> None:
    """List domains, rooms or shelves, with their number of cards."""
    with common.memory(reads=True) as memory:
        places = memory.palace.list(domain, room, scope=look.scopes)
    level = "domain" if domain is None else "room" if room is None else "shelf"
    common.answer(places, lambda out: out.table((level, "cards"), list(places.items())), list(places))
    if not places:
        common.remark(look.hint)


@command(app, "get", example="  simonides palace get apollo decisions")
def get(
    common: Common,
    look: LookOptions,
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="The domain.")],
    room: Annotated[str | None, typer.Argument(metavar="ROOM", help="Only this room.")] = None,
    shelf: Annotated[str | None, typer.Argument(metavar="SHELF", help="Only this shelf.")] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most cards.")] = 50,
) -> None:
    """Show the cards of a domain, a room or a shelf, newest first."""
    with common.memory(reads=True) as memory:
        items = common.first(
            lambda most: memory.palace.get(domain, room, shelf, scope=look.scopes, limit=most), limit
        )
    common.listing(items, render.items, lambda item: item.id, empty=look.hint)


@command(
    app,
    "assign",
    example="  simonides palace assign 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --room kitchen",
)
def assign(
    common: Common,
    item_id: ItemId,
    room: Annotated[str, typer.Option(metavar="NAME", help="The room it goes into.")],
    domain: Annotated[str | None, typer.Option(metavar="NAME", help="The room's domain.")] = None,
    shelf: Annotated[str | None, typer.Option(metavar="NAME", help="A shelf of the room.")] = None,
) -> None:
    """Put an item into a room.

    Domain and shelf stay as they are unless given.
    """
    with common.memory() as memory:
        place = memory.palace.assign(item_id, room=room, domain=domain, shelf=shelf, actor="cli")
    common.answer(
        place.to_dict(),
        lambda out: out.line(f"{item_id}  {place.domain} / {place.room} / {place.shelf}"),
        [item_id],
    )
