"""simonides worker."""

from __future__ import annotations

import json
import signal
import threading
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.domain.address import address_of, of_tenant
from simonides.edges.cli import runs
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common
from simonides.edges.cli.workers import Worker
from simonides.ending import end_at_second, ending_signals

if TYPE_CHECKING:
    from simonides import DueStore
    from simonides.domain.run import Run
    from simonides.memory import Memory

app = commands()


@command(
    app,
    "worker",
    example="""\
  simonides worker --db postgresql://app@db/memory
  simonides worker --db postgresql://app@db/memory --once""",
)
def worker(
    common: Common,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, and end.")] = False,
    owner: Annotated[
        str | None,
        typer.Option(
            "--owner",
            metavar="URL",
            envvar="SIMONIDES_OWNER",
            help="Address of the tables' owner, who makes indexes of vectors for large tenants.",
        ),
    ] = None,
) -> None:
    """Keep up the stores of a PostgreSQL database until stopped.

    As many as there is work for may run, on any machine: each takes stores that are due, and no two the same one. When
    one dies, another takes its store over after ten minutes. Stop it with Ctrl-C or SIGTERM: the current step is
    finished first.
    """
    stopped = threading.Event()
    at_work: list[Memory] = []
    crew = _crew(common, owner, stopped, at_work)

    def stop(*_: Any) -> None:
        end_at_second()
        stopped.set()
        for memory in at_work:
            memory.schedule.stop()

    if once:
        while crew.one():
            pass
        return
    for kind in ending_signals():
        signal.signal(kind, stop)
    common.remark("keeping up every store of the database; stop with Ctrl-C")
    crew.keep()
    common.remark("stopped; what was done is kept")


def _crew(common: Common, owner: str | None, stopped: threading.Event, at_work: list[Memory]) -> Worker:
    """The worker that keeps up the stores of the database.

    Args:
        owner: Address of the tables' owner; None where no index is to be made.
        at_work: Holds the memory that is kept up, from then on.
    """
    from simonides import due_stores  # noqa: PLC0415 - the engine is loaded when it is needed
    from simonides.config import load  # noqa: PLC0415 - the engine is loaded when it is needed
    from simonides.memory import Memory  # noqa: PLC0415

    address = str(common.address())
    if owner is not None:
        of_tenant(address_of(owner), "default")  # A file is refused now, not once an index is wanted.
    settings = load()
    due = due_stores(address, lease_s=settings.upkeep.lease_s)

    def opened(claim: DueStore) -> Memory:
        # Its clock is set for each anew: here no time goes by while the machine sleeps.
        at_work[:] = [Memory(address, tenant=claim.name, settings=settings, clock=due.clock())]
        return at_work[0]

    def index(claim: DueStore) -> None:
        if owner is not None:
            with Memory(of_tenant(owner, claim.name), settings=settings) as memory:
                memory.reindex()

    return Worker(
        due,
        opened,
        settings.upkeep.lease_s,
        wait=stopped.wait,
        on_run=lambda name, run: _show(common, name, run),
        remark=common.remark,
        index=index,
    )


def _show(common: Common, name: str, run: Run) -> None:
    """A run over the store of that name."""
    if common.as_json:
        typer.echo(json.dumps({"tenant": name, **run.to_dict()}, ensure_ascii=False, separators=(",", ":")))
    else:
        common.remark(f"{name}:")
        common.answer(None, lambda out: runs.show(out, run, changes=False), [run.id])
