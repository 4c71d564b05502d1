"""simonides schedule."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges import scheduler
from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output
from simonides.edges.cli.progress import progress
from simonides.edges.cli.render import moment
from simonides.ending import end_at_second, ending_signals
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides import Appointment
    from simonides.domain.run import Run
    from simonides.memory import Memory

app = commands()


@command(
    app,
    "schedule",
    example="""\
  simonides schedule
  simonides schedule --list
  simonides schedule --once""",
)
def schedule(
    common: Common,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, and end.")] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Show each job with its hours, its last run and its next.")
    ] = False,
) -> None:
    """Run upkeep on its schedule until stopped.

    In between, it does whatever else is due. Missed runs are made up for once. Stop it with Ctrl-C or
    SIGTERM: the current step is finished first. If several run on one store, one works and the others
    wait.
    """
    if once and list_:
        raise InvalidInput("--list only shows the schedule; leave out --once")
    with common.memory() as memory:
        appointments = memory.schedule.list()  # What cannot be read is said at once.
        if list_:
            common.listing(appointments, partial(_table, memory), lambda one: one.job)
            return
        if once:
            raise typer.Exit(_once(common, memory))
        _keep(common, memory)


def _once(common: Common, memory: Memory) -> int:
    with progress(common, "Upkeep") as advance:
        done = scheduler.once(memory, lambda what, done: advance(done, what))
    if isinstance(done, str):
        common.answer({"busy": done}, lambda out: out.line(f"{done} keeps the schedule: nothing to do here"))
        return 0
    if done.parts or done.changes or done.job != "maintain":
        return runs.answer(common, done, changes=False)
    common.answer(done.to_dict(), lambda out: _nothing(out, done))
    return 0


def _nothing(out: Output, run: Run) -> None:
    out.line("nothing is due")
    for text in run.degradations:
        out.prose(f"without: {text}", 4, "yellow")


def _keep(common: Common, memory: Memory) -> None:
    """Keep the schedule in the foreground; a line for each run, or with --json an object a line."""
    stopped = threading.Event()

    def show_run(run: Run) -> None:
        if common.as_json:
            typer.echo(_compact(run.to_dict()))
        else:
            common.answer(None, lambda out: runs.show(out, run, changes=False), [run.id])

    with _signals(memory, stopped):
        common.remark(f"keeping the schedule of {common.store_name(memory)}; stop with Ctrl-C")
        watcher = scheduler.Scheduler(memory, wait=stopped.wait, on_run=show_run, remark=common.remark)
        watcher.keep()
    common.remark("stopped; what was done is kept")


@contextmanager
def _signals(memory: Memory, stopped: threading.Event) -> Generator[None]:
    """Let Ctrl-C and SIGTERM end it after the step that is under way; a second one ends it at once."""
    before = {kind: signal.getsignal(kind) for kind in ending_signals()}

    def stop(*_: Any) -> None:
        end_at_second()
        memory.schedule.stop()
        stopped.set()

    try:
        for kind in before:
            signal.signal(kind, stop)
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _table(memory: Memory, out: Output, appointments: Sequence[Appointment]) -> None:
    rows = [
        (
            one.job,
            one.cron,
            moment(None if one.last is None else one.last.started_at) or "never",
            _next(memory, one),
        )
        for one in appointments
    ]
    out.table(("job", "cron", "last run (UTC)", "next run (local)"), rows)


def _next(memory: Memory, one: Appointment) -> str:
    if one.next_at is None:
        return "never"
    if one.due:
        return "now"
    return f"{memory.schedule.local(one.next_at):%Y-%m-%d %H:%M %z}"


def _compact(value: Any) -> str:
    import json  # noqa: PLC0415

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
