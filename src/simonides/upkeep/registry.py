"""The jobs there are, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from simonides.errors import InvalidInput
from simonides.upkeep.causes import InferCauses
from simonides.upkeep.consolidate import Consolidate
from simonides.upkeep.corecall import CoRecall
from simonides.upkeep.day import CompressDays
from simonides.upkeep.decay import Decay
from simonides.upkeep.embed import Embed
from simonides.upkeep.expire import Expire
from simonides.upkeep.extract import ExtractWaiting
from simonides.upkeep.job import Job
from simonides.upkeep.palace import AssignRooms
from simonides.upkeep.profile import RefreshProfile
from simonides.upkeep.prune import Prune
from simonides.upkeep.sessions import ConsolidateSessions
from simonides.upkeep.summaries import SummariseEntities
from simonides.upkeep.week import CompressWeeks

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
