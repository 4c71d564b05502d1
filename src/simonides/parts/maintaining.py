"""Upkeep that somebody asks a Memory for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.run import Run
from simonides.parts.deciding import note_order
from simonides.parts.schedule import Schedule
from simonides.ports.files import FileStore
from simonides.upkeep.ground import Order

if TYPE_CHECKING:
    from simonides.upkeep.runner import Progress


def maintain(
    parts: Parts,
    jobs: Sequence[str] | None,
    order: Order,
    progress: Progress | None,
    actor: str,
    *,
    action: str,
) -> Run:
    """Run jobs, one after the other."""
    from simonides.upkeep.jobs.registry import jobs_named  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

    chosen = jobs_named(jobs)
    _prepare(parts, order)
    return note_order(parts, action, parts.upkeep.maintain(chosen, order, progress), actor)


def maintain_due(
    parts: Parts, jobs: Sequence[str] | None, order: Order, progress: Progress | None, actor: str
) -> Run:
    """Run what is due of the jobs."""
    from simonides.upkeep.jobs.registry import jobs_named  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk
    from simonides.upkeep.schedule.watch import SCHEDULE  # noqa: PLC0415
    from simonides.upkeep.upkeep import nothing_done  # noqa: PLC0415

    chosen = {job.name: job for job in jobs_named(jobs)}
    due, missing = Schedule(parts).find(scope=order.scope, jobs=list(chosen))
    work = [(chosen[one.job], replace(order, scope=one.scope, trigger=one.trigger)) for one in due]
    order = replace(order, trigger=due[0].trigger if due else SCHEDULE)
    if work:
        _prepare(parts, order)
        run = parts.upkeep.carry_out(work, order, progress)
    else:
        run = nothing_done(order, parts.clock.now())
    run = run if missing is None else replace(run, degradations=(*run.degradations, missing))
    return note_order(parts, "maintain", run, actor)


def _prepare(parts: Parts, order: Order) -> None:
    if order.dry_run:
        parts.uses.settle()
        return
    parts.uses.flush()
    if isinstance(parts.store, FileStore):
        parts.store.rebuild_fts(former=True)
