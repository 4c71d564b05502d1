"""The jobs there are, by name: those that come along, and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from simonides.domain.run import MAINTAIN, UNDO
from simonides.domain.text import shown
from simonides.errors import InvalidInput, ProviderUnavailable
from simonides.plugins import Makers
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Job, Step
from simonides.values import dataclass

#: Packages offer more jobs: each entry point is a callable without arguments that returns a `Job` of its name.
_OFFERED: Final = Makers[Callable[[], Job]]("job", "simonides.jobs")
#: Classes of those that come along, by their modules, in the order in which `maintain` runs them where none is named.
#: They are imported when jobs are first asked for: whoever only adds and searches has no use for them.
_OURS: Final = {
    "expire": "Expire",
    "extract": "ExtractWaiting",
    "sessions": "ConsolidateSessions",
    "day": "CompressDays",
    "consolidate": "Consolidate",
    "week": "CompressWeeks",
    "profile": "RefreshProfile",
    "decay": "Decay",
    "corecall": "CoRecall",
    "summaries": "SummariseEntities",
    "causes": "InferCauses",
    "palace": "AssignRooms",
    "embed": "Embed",
    "similar": "LinkSimilar",
    "prune": "Prune",
}


@cache
def own_jobs() -> Mapping[str, Job]:
    """Jobs that come along, by name."""
    home = __name__.rpartition(".")[0]
    made: list[Job] = [getattr(import_module(f"{home}.{module}"), name)() for module, name in _OURS.items()]
    return MappingProxyType({job.name: job for job in made})


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A job of another package that cannot be had: its runs fail and say why, those of others go on."""

    name: str
    error: ProviderUnavailable

    @property
    def about(self) -> str:
        return f"Unavailable: {self.error}."

    def plan(self, _ground: Ground, /) -> Iterator[Step | Batch]:
        raise self.error


def known_jobs() -> Mapping[str, Job]:
    """Every job by name: those that come along, in their order, then those of other packages, by name."""
    own = own_jobs()
    return {**own} | {
        name: _third_party(name) for name in _OFFERED.known() if name not in {*own, MAINTAIN, UNDO}
    }


def _third_party(name: str) -> Job:
    try:
        job = _OFFERED.named(name)()
    except ProviderUnavailable as error:
        return Unavailable(name, error)
    if job.name != name:
        why = f"the job {name!r} calls itself {job.name!r}; its entry point has to bear its name"
        return Unavailable(name, ProviderUnavailable(why))
    return job


def jobs_named(names: Sequence[str] | None) -> tuple[Job, ...]:
    """The jobs of these names, in their order, none twice; every job if None.

    Raises:
        InvalidInput: There is no job of a name, or no name was given.
    """
    jobs = known_jobs()
    if names is None:
        return tuple(jobs.values())
    if not isinstance(names, Sequence) or isinstance(names, str | bytes | bytearray) or not names:
        raise InvalidInput(f"name jobs as a list, at least one of {', '.join(jobs)}; None for all")
    if unknown := [name for name in names if not isinstance(name, str) or name not in jobs]:
        raise InvalidInput(f"there is no job {shown(unknown[0])}; use one of {', '.join(jobs)}")
    return tuple(jobs[name] for name in dict.fromkeys(names))
