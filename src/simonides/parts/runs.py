"""The upkeep of a Memory: what was done, and when."""

from __future__ import annotations

from dataclasses import replace

from simonides.compose import Parts
from simonides.domain.run import FOLLOWING, Run, numbered_through
from simonides.domain.text import short_text
from simonides.errors import NotFound
from simonides.parts.arguments import count, word
from simonides.ports.runs import RunSelection, run_of

#: Changes that are told in full, where nobody says how many.
_SHOWN = 1000


class Runs:
    """Runs of upkeep."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, job: str | None = None, limit: int = 20) -> list[Run]:
        """Runs, last started first, without their changes.

        Args:
            job: Only runs of this job; `maintain`, `undo`, `rollback` and what follows a decision are jobs, too.

        Raises:
            InvalidInput: There is no such job, and no run of one.
        """
        chosen = RunSelection(job=word(job, "the job"))
        with self._parts.reading() as reader:
            runs = reader.runs(chosen, count(limit, "limit"))
        if job is not None and not runs and job not in FOLLOWING:
            from simonides.upkeep.jobs.registry import jobs_named  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

            jobs_named([job])
        return runs

    def show(self, run_id: str, *, limit: int = _SHOWN) -> Run:
        """A run with its parts, and its first changes as lines of a diff.

        What was purged since is not told any more. The changes of a run with parts are theirs, numbered through.

        Raises:
            NotFound: There is no such run.
        """
        from simonides.upkeep.change import subject_of  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        with self._parts.reading() as reader:
            run = run_of(reader, short_text(run_id, name="the run"))
            if run is None:
                raise NotFound(f"there is no run {str(run_id)[:80]!r}")
            left = count(limit, "limit")
            runs: list[Run] = []
            for source in (run, *reader.runs(RunSelection(parent=run_id))[::-1]):
                changes = tuple(
                    replace(change, lines=subject_of(change).stored_lines(reader, change))
                    for change in reader.run_changes(source.id, limit=left)
                )
                left -= len(changes)
                runs.append(replace(source, changes=changes))
        own, parts = runs[0], tuple(runs[1:])
        return replace(own, changes=own.changes or numbered_through(parts), parts=parts)

    def jobs(self) -> dict[str, str]:
        """The jobs there are, in the order in which `maintain` runs them, with what each does."""
        from simonides.upkeep.jobs.registry import known_jobs  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        return {name: job.about for name, job in known_jobs().items()}
