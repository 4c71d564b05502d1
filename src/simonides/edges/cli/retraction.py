"""Asking about what was made from items, before it is reached."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import note, on_terminal, shortened
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides import Derived


def show(derived: Sequence[Derived], *, sources: int = 1) -> None:
    """Print what was made from items, and what will become of it."""
    if not derived:
        return
    note(f"Made from {'it' if sources == 1 else 'them'}:")
    for line in lines(derived):
        note(line)


def lines(derived: Sequence[Derived]) -> list[str]:
    """Items that were made from others, and what becomes of them, a line each."""
    return [f"{one.item.id}  {one.then:<11}  {shortened(one.item.display, 40)}" for one in derived]


def reaches(derived: Sequence[Derived]) -> bool:
    """True where anything that was made from items would change."""
    return any(one.then != "left" for one in derived)


def require_purge_agreed(yes: bool, what: Callable[[], str]) -> None:
    """Ask at the terminal whether something is to be deleted for good, and end where it is not.

    Args:
        yes: It was agreed to already.
        what: What would go, in words; shows it first, where there is more to show.

    Raises:
        InvalidInput: There is no terminal to ask at.
    """
    if yes:
        return
    if not on_terminal(sys.stdin):
        raise InvalidInput("purge deletes for good; add --yes if you mean it")
    if not typer.confirm(f"Delete {what()} for good?", err=True):
        note("nothing was deleted")
        raise typer.Exit(exits.WRONG)


def show_purged(common: Common, gone: Mapping[str, int]) -> None:
    """Print the counts of what a purge deleted."""
    counts = ", ".join(f"{name} {count}" for name, count in gone.items())
    common.answer(dict(gone), lambda out: out.line(f"purged: {counts}"))


def agreed(derived: Sequence[Derived], question: str) -> bool:
    """Ask for consent at the terminal; without one, the options have to give it.

    Raises:
        InvalidInput: There is no terminal to ask at.
    """
    if not on_terminal(sys.stdin):
        made = "1 item was" if len(derived) == 1 else f"{len(derived)} items were"
        raise InvalidInput(
            f"{made} made from it: add --yes to reach what was made, too, or --keep-derived to leave it"
        )
    show(derived)
    return typer.confirm(question, err=True)
