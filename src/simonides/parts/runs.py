"""The upkeep of a Memory: what was done, and when."""

from __future__ import annotations

from dataclasses import replace

from simonides.compose import Parts
from simonides.domain.run import Run
from simonides.errors import InvalidInput, NotFound
from simonides.upkeep.registry import JOBS
from simonides.upkeep.telling import lines_of

#: Changes that are told in full, where nobody says how many.
_SHOWN = 1000


class Runs:
    """Runs of upkeep."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, job: str | None = None, limit: int = 20) -> list[Run]:
        """Runs, last started first, without their changes.

        Args:
            job: Only runs of this job; `maintain` and `undo` are jobs, too.
        """
        with self._parts.store.read() as reader:
            return reader.runs(_count(limit), job=job)

    def show(self, run_id: str, *, limit: int = _SHOWN) -> Run:
        """A run with its parts, and its first changes as lines of a diff.

        What was purged since is not told any more.

        Raises:
            NotFound: There is no such run.
        """
        with self._parts.store.read() as reader:
            run = reader.run(run_id)
            if run is None:
                raise NotFound(f"there is no run {str(run_id)[:80]!r}")
            parts = tuple(reader.runs(1_000_000, parent=run_id))
            changes = [
                replace(change, lines=lines_of(reader, change))
                for source in (run, *parts)
                for change in reader.run_changes(source.id, limit=_count(limit))
            ]
        return replace(run, changes=tuple(changes[:limit]), parts=parts)

    def jobs(self) -> dict[str, str]:
        """The jobs there are, in the order in which `maintain` runs them, with what each does."""
        return {name: job.about for name, job in JOBS.items()}


def _count(limit: int) -> int:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"limit must be a whole number from 1 on, got {limit!r}")
    return limit
