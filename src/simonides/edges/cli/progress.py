"""Bars for long work: on standard error, only where somebody looks, gone when it is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from simonides.edges.cli.options import Common
from simonides.edges.cli.output import on_terminal

#: Takes how much is done, and optionally at what the work is.
Advance: TypeAlias = Callable[..., None]


@contextmanager
def progress(common: Common, label: str, total: float | None = None) -> Generator[Advance]:
    """A bar to move forward while something runs.

    Args:
        total: What counts as done; None where that is not known beforehand.
    """
    if common.quiet or not on_terminal(sys.stderr):
        yield _nothing
        return
    from rich.console import Console  # noqa: PLC0415 - only for eyes
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = [TextColumn("{task.description}"), BarColumn(bar_width=30)]
    columns += [TextColumn("{task.percentage:>3.0f} %")] if total == 1 else [MofNCompleteColumn()]
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(label, total=total)

        def advance(done: float, label: str | None = None) -> None:
            bars.update(task, completed=done, description=label)

        yield advance


def _nothing(done: float, label: str | None = None) -> None:
    """Show nothing."""
