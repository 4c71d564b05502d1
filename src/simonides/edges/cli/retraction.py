"""Asking about what was made from items, before it is reached."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from simonides.edges.cli.output import note, on_terminal, shortened
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides.upkeep.retract import Derived


def show(found: Sequence[Derived]) -> None:
    """Tell what was made from items, and what will become of it."""
    if not found:
        return
    note(f"Made from {'it' if len(found) == 1 else 'them'}:")
    for one in found:
        note(f"{one.item.id}  {one.then:<11}  {shortened(one.item.content, 40)}")


def reaches(found: Sequence[Derived]) -> bool:
    """Whether anything would change of what was made from items."""
    return any(one.then != "left" for one in found)


def agreed(found: Sequence[Derived], question: str) -> bool:
    """Whether whoever is there agrees; where nobody is, the options have to say it.

    Raises:
        InvalidInput: There is no terminal to ask at.
    """
    if not on_terminal(sys.stdin):
        raise InvalidInput(
            f"{len(found)} items were made from it: add --yes to reach them, too, or --keep-derived to leave them"
        )
    show(found)
    return typer.confirm(question, err=True)
