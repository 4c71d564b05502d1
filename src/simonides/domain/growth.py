"""Growth of a store: what came, was merged, rose and went in each period, and what stood at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from simonides.domain.written import Written
from simonides.values import dataclass


class Shift(NamedTuple):
    """Changes of one kind in one period.

    Attributes:
        period: Counted from 0.
        raw: Whether they are turns of conversations or chunks of documents.
        first: Whether the items were new.
        before, after: The tier in which they were active; None where they were not, or not there.
    """

    period: int
    raw: bool
    first: bool
    reason: str
    before: str | None
    after: str | None
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period(Written):
    """Events from `start` to before `end`, and what stood then. What was purged since is not counted.

    Attributes:
        standing: Active items at its end by tier, and `turns`: turns of conversations and chunks of documents.
        turns: Turns and chunks that came.
        added: Other items that came, but for what came of merging.
        held: Items that came and were held back for a decision.
        merges: Items that were put together from others.
        merged: Items that went into one of those.
        promoted: Items that rose a tier.
        archived: Items that went for another reason: faded, expired, replaced, forgotten, pruned.
        restored: Items that are active again.
        runs: Runs of jobs that began.
        failed: How many of those failed.
    """

    start: int
    end: int
    standing: Mapping[str, int] = field(hash=False)
    turns: int = 0
    added: int = 0
    held: int = 0
    merges: int = 0
    merged: int = 0
    promoted: int = 0
    archived: int = 0
    restored: int = 0
    runs: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Growth(Written):
    """Growth of a store, period by period.

    Attributes:
        by: day or week; both begin at midnight in UTC, weeks on Mondays.
        periods: Oldest first; the last one is going on.
        at: When it was counted.
    """

    by: str
    periods: tuple[Period, ...]
    at: int
