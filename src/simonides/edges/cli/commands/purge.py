"""simonides purge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import retraction
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions, Unasked
from simonides.edges.cli.output import note, shortened
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides.domain.scope import Scope
    from simonides.memory import Memory

app = commands()


@command(
    app,
    "purge",
    example="""\
  simonides purge 019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66 --yes
  simonides purge --user ana""",
)
def purge(
    common: Common,
    place: ScopeOptions,
    item_ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="The items.")] = None,
    yes: Unasked = False,
    keep_derived: Annotated[
        bool, typer.Option("--keep-derived", help="Leave what was made from them, with what it says.")
    ] = False,
) -> None:
    """Delete items with every trace of their text. This cannot be undone.

    A scope instead of ids means everything of exactly this scope. Items made from those are deleted too
    where they hold their words, else held back for review. Lists everything and asks first; without a
    terminal, --yes is required.
    """
    scope, ids = place.path, item_ids or []
    if bool(ids) is (scope is not None):
        raise InvalidInput("name the items to purge by their ids, or a scope, and not both")
    with common.memory() as memory:
        retraction.require_purge_agreed(
            yes,
            lambda: (
                _of_scope(memory, scope)
                if scope is not None
                else _show_purged(memory, ids, keep_derived=keep_derived)
            ),
        )
        gone = memory.purge(*ids, scope=scope, keep_derived=keep_derived, actor="cli")
    retraction.show_purged(common, gone)


def _of_scope(memory: Memory, scope: Scope) -> str:
    """Number of items in a scope, in words."""
    return f"everything of {scope} ({_count(memory.stats()['by_scope'].get(scope, 0))})"


def _show_purged(memory: Memory, item_ids: Sequence[str], *, keep_derived: bool) -> str:
    """Show items and what was made from them; how many go, in words."""
    items = [memory.get(item_id) for item_id in item_ids]
    derived = [] if keep_derived else memory.derived(*item_ids, purge=True)
    for item in items:
        note(f"{item.id}  {shortened(item.display, 40)}")
    retraction.show(derived, sources=len(items))
    return _count(len(items) + sum(one.then == "purged" for one in derived))


def _count(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"
