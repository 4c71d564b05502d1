"""Contents of a report, read from a memory. Nothing counts as used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from simonides.domain.entity import Entity
from simonides.domain.growth import Growth, Period
from simonides.domain.instant import DAY_US, days_between
from simonides.domain.item import Item
from simonides.domain.retention import DECAY_POWER, FADED_BELOW, effective_confidence
from simonides.domain.run import Run
from simonides.domain.scope import Scopes
from simonides.memory import Memory
from simonides.values import dataclass

#: Days for which fading is drawn, before today and from today on.
BEHIND_DAYS: Final = 60
AHEAD_DAYS: Final = 60
_DAYS: Final = 90
_WEEKS: Final = 53
_FADING: Final = 8
_ANY_CONFIDENCE: Final = 1.01
#: Items, the weakest, among which those are looked for that fade.
_LOOKED_AT: Final = 400
_ENTITIES: Final = 12
_ROOMS: Final = 14
_TYPES: Final = 10
_RUNS: Final = 25
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Fading:
    """An item that loses confidence with the days.

    Attributes:
        confidence: What is left of it now, in [0, 1].
        curve: (day from today, what is left then), day by day from its last use, at most `BEHIND_DAYS` ago, until it
            goes, at most `AHEAD_DAYS` from today; at least two of them.
        gone_at: When it will be archived unless it is used.
    """

    item: Item
    confidence: float
    curve: tuple[tuple[float, float], ...]
    gone_at: int


@dataclass(frozen=True, slots=True)
class Room:
    """A room of the palace, and how many cards stand in it."""

    domain: str
    name: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreReport:
    """Everything that a report tells.

    Attributes:
        stats: As `Memory.stats` gives it.
        growth: From the first period in which there was anything.
        fading: Some of what goes next; `going` is how many go as soon, of the weakest items.
        entities: The most often mentioned first; `named` is how many there are, `most` at most.
        rooms: The fullest first; `more_rooms` is how many there are besides.
        types: Active items of each type, most first, the rarer ones together as `other`.
        waiting: Why items wait for a decision, with how many do.
        contradictions: Pairs of items that contradict each other; `most` at most.
        runs: Last started first, without those that only hold others.
    """

    path: Path | None
    scope: str
    at: int
    version: str
    stats: Mapping[str, Any]
    growth: Growth
    fading: Sequence[Fading]
    going: int
    entities: Sequence[Entity]
    named: int
    rooms: Sequence[Room]
    more_rooms: int
    types: Mapping[str, int]
    waiting: Mapping[str, int]
    quarantined: int
    contradictions: int
    runs: Sequence[Run]
    most: int = _MOST


def collect(memory: Memory, scope: Scopes) -> StoreReport:
    """Read what a report tells of what is visible from a scope."""
    import simonides  # noqa: PLC0415 - the package that this is a part of

    growth = _growth(memory, scope)
    stats = memory.stats(scope=scope)
    held = memory.review.list(scope=scope, limit=_MOST)
    rooms = _rooms(memory, scope)
    fading, going = _fading(memory, scope, growth.at)
    entities = memory.entities.list(scope=scope, limit=_MOST)
    return StoreReport(
        path=memory.path,
        scope=str(scope),
        at=growth.at,
        version=simonides.__version__,
        stats=stats,
        growth=growth,
        fading=fading,
        going=going,
        entities=entities[:_ENTITIES],
        named=len(entities),
        rooms=rooms[:_ROOMS],
        more_rooms=max(0, len(rooms) - _ROOMS),
        types=_most(stats["active_by_type"], _TYPES),
        waiting=_most(Counter(_short(one.verdict.reasons) for one in held), _TYPES),
        quarantined=len(held),
        contradictions=len(memory.review.contradictions(scope=scope, limit=_MOST)),
        runs=[run for run in memory.runs.list(limit=2 * _RUNS) if run.job != "maintain"][:_RUNS],
    )


def _growth(memory: Memory, scope: Scopes) -> Growth:
    """By days; by weeks where days do not reach back to the beginning."""
    growth = memory.growth(scope=scope, by="day", last=_DAYS)
    if any(growth.periods[0].standing.values()):
        growth = memory.growth(scope=scope, by="week", last=_WEEKS)
    first = next((number for number, period in enumerate(growth.periods) if _is_something(period)), 0)
    return replace(growth, periods=growth.periods[max(0, first - 1) :])


def _is_something(period: Period) -> bool:
    return bool(any(period.standing.values()) or period.turns or period.added or period.held)


def _fading(memory: Memory, scope: Scopes, at: int) -> tuple[list[Fading], int]:
    """Some of the items that go within `AHEAD_DAYS`, spread over that time, the first to go first; and how many do."""
    weakest = memory.weak(scope=scope, below=_ANY_CONFIDENCE, limit=_LOOKED_AT)
    fading = [faded(one.item, at) for one in weakest if not one.item.protected]
    going = sorted(
        (one for one in fading if one.gone_at <= at + AHEAD_DAYS * DAY_US),
        key=lambda one: (one.gone_at, one.item.id),
    )
    shown = min(_FADING, len(going))
    places = {round(n * (len(going) - 1) / max(1, shown - 1)) for n in range(shown)}
    return [going[place] for place in sorted(places)], len(going)


def faded(item: Item, at: int) -> Fading:
    """The forgetting curve of an item that nothing protects, as of an instant."""
    idle = days_between(item.last_used_at or item.created_at, at)
    # Confidence · exp(−rate · days^power) = the bound, solved for the days.
    ratio = max(1.0, item.confidence / FADED_BELOW)
    lives = min((math.log(ratio) / item.decay_rate) ** (1 / DECAY_POWER), 1e6)

    def left(day: float) -> tuple[float, float]:
        return day, effective_confidence(item.confidence, item.decay_rate, idle + day)

    first, last = -min(idle, BEHIND_DAYS), max(0.0, min(lives - idle, AHEAD_DAYS))
    days = [first, *range(math.ceil(first + 0.01), math.floor(last) + 1), last]
    gone_at = at + round((lives - idle) * DAY_US)
    return Fading(item, left(0)[1], tuple(map(left, days)), max(at, gone_at))


def _rooms(memory: Memory, scope: Scopes) -> list[Room]:
    counts = memory.palace.rooms(scope=scope)
    rooms = [Room(domain, room, cards) for (domain, room), cards in counts.items()]
    return sorted(rooms, key=lambda room: (-room.cards, room.domain, room.name))


def _short(reasons: Sequence[str]) -> str:
    """Subject of a reason: what follows it is about one item."""
    return reasons[0].partition(":")[0] if reasons else "no reason given"


def _most(counts: Mapping[str, int], most: int) -> dict[str, int]:
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    kept = dict(ranked[:most])
    if rest := sum(count for _, count in ranked[most:]):
        kept["other"] = kept.get("other", 0) + rest
    return kept
