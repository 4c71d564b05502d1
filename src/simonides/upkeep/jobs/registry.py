"""The jobs there are, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from simonides.errors import InvalidInput
from simonides.upkeep.job import Job
from simonides.upkeep.jobs.causes import InferCauses
from simonides.upkeep.jobs.consolidate import Consolidate
from simonides.upkeep.jobs.corecall import CoRecall
from simonides.upkeep.jobs.day import CompressDays
from simonides.upkeep.jobs.decay import Decay
from simonides.upkeep.jobs.embed import Embed
from simonides.upkeep.jobs.expire import Expire
from simonides.upkeep.jobs.extract import ExtractWaiting
from simonides.upkeep.jobs.palace import AssignRooms
from simonides.upkeep.jobs.profile import RefreshProfile
from simonides.upkeep.jobs.prune import Prune
from simonides.upkeep.jobs.sessions import ConsolidateSessions
from simonides.upkeep.jobs.summaries import SummariseEntities
from simonides.upkeep.jobs.week import CompressWeeks

#: In the order in which `maintain` runs them where none is named.
JOBS: Final[Mapping[str, Job]] = MappingProxyType(
    {
        job.name: job
        for job in (
            Expire(),
            ExtractWaiting(),
            ConsolidateSessions(),
            CompressDays(),
            Consolidate(),
            CompressWeeks(),
            RefreshProfile(),
            Decay(),
            CoRecall(),
            SummariseEntities(),
            InferCauses(),
            AssignRooms(),
            Embed(),
            Prune(),
        )
    }
)


def jobs_named(names: Sequence[str] | None) -> tuple[Job, ...]:
    """The jobs of these names, in their order, none twice; every job if None.

    Raises:
        InvalidInput: There is no job of a name, or no name was given.
    """
    if names is None:
        return tuple(JOBS.values())
    if not isinstance(names, Sequence) or isinstance(names, str | bytes | bytearray) or not names:
        raise InvalidInput(f"name jobs as a list, at least one of {', '.join(JOBS)}; None for all")
    if unknown := [name for name in names if not isinstance(name, str) or name not in JOBS]:
        raise InvalidInput(f"there is no job {unknown[0]!r}; use one of {', '.join(JOBS)}")
    return tuple(JOBS[name] for name in dict.fromkeys(names))
