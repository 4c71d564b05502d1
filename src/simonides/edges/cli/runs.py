"""Runs of upkeep in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from simonides.edges.cli import exits
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output
from simonides.edges.cli.render import moment

if TYPE_CHECKING:
    from simonides.domain.run import Run

_COLOURS: Final = {"done": "green", "failed": "red", "undone": "yellow", "running": "cyan"}
_SIGNS: Final = {"+": "green", "-": "red"}
#: Steps left alone for one reason that are told one by one.
_TOLD: Final = 10


def answer(common: Common, run: Run, *, changes: bool) -> int:
    """Answer with a run; the exit code that fits how it ended.

    Args:
        changes: Whether its changes are shown as a diff.
    """
    common.answer(run.to_dict(), lambda out: show(out, run, changes=changes), [run.id])
    return exits.WRONG if run.status.value == "failed" else exits.OK


def show(out: Output, run: Run, *, changes: bool) -> None:
    """A run: how it ended, what it counted, and its changes as a diff."""
    if changes:
        _diff(out, run)
    if run.dry_run:
        out.line(f"{out.paint('dry run', 'cyan')}  {run.job}: {counts(run) or 'nothing to do'}")
    else:
        status = out.paint(run.status.value, _COLOURS[run.status.value])
        out.line(f"{status}  {run.job}: {counts(run) or 'nothing to do'}")
        out.line(f"      {out.paint(run.id, 'dim')}")
    for part in run.parts:
        out.line(f"    {part.job}: {part.error or counts(part) or 'nothing to do'}")
    for text in run.degradations:
        out.prose(f"without: {text}", 4, "yellow")
    reasons: dict[str, list[str]] = {}
    for left in run.left_alone:
        reasons.setdefault(left.why, []).append(", ".join(left.item_ids) or "no item")
    for why, items in reasons.items():
        more = f"; {len(items) - _TOLD} more, --json tells all" if len(items) > _TOLD else ""
        out.prose(f"left alone: {why} ({'; '.join(items[:_TOLD])}{more})", 4, "yellow")
    if run.error and not run.parts:
        out.prose(run.error, 4, "red")


def table(out: Output, runs: Sequence[Run]) -> None:
    """Runs, a line each."""
    rows = [
        (run.id, moment(run.started_at), run.job, run.trigger, run.status.value, run.error or counts(run))
        for run in runs
    ]
    out.table(("id", "started", "job", "trigger", "status", "what"), rows)


def counts(run: Run) -> str:
    """Changes of a run in numbers."""
    from simonides.domain.run import in_order  # noqa: PLC0415

    return ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in in_order(run.counts).items())


def _diff(out: Output, run: Run) -> None:
    jobs = [part.job for part in run.parts for _ in part.changes]
    step, before = 0, ""
    for number, change in enumerate(run.changes):
        if not (change.lines or change.item_id):
            continue  # Items were only marked as read: there is nothing to show of it.
        if change.step != step and step:
            out.line()
        step = change.step
        if number < len(jobs) and jobs[number] != before:
            before = jobs[number]
            out.line(out.paint(f"== {before}", "bold"))
        about = f"{change.kind} {change.item_id}" if change.item_id else change.kind
        undone = "  (taken back)" if change.undone_by else ""
        out.line(out.paint(f"@@ {about}{undone}", "cyan"))
        for line in change.lines:
            sign = line[:1]
            for part in out.wrap(line):
                out.line(out.paint(part, _SIGNS[sign]) if sign in _SIGNS else part)
    if run.changes:
        out.line()
