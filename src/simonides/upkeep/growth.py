"""Growth of a store: from changes by period to what stood at the end of each. Pure but for the reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from simonides.domain.growth import Growth, Period, Shift
from simonides.domain.instant import DAY_US
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import Tier
from simonides.domain.text import shown
from simonides.errors import InvalidInput
from simonides.governance.carried import MERGES
from simonides.ports.both import Both

LENGTHS: Final = {"day": DAY_US, "week": 7 * DAY_US}
#: Revisions, and runs, that are looked at, newest first.
MOST_REVISIONS: Final = 200_000
MOST_RUNS: Final = 20_000
MOST_PERIODS: Final = 1000
#: 1970 began on a Thursday, weeks begin on Mondays.
_FIRST_MONDAY: Final = 4 * DAY_US
_TURNS: Final = "turns"


def begin_of(at: int, by: str) -> int:
    """Start of the day or week of an instant, in UTC.

    Raises:
        InvalidInput: `by` is neither.
    """
    if not isinstance(by, str) or by not in LENGTHS:
        raise InvalidInput(f"by day or by week, not by {shown(by)}")
    offset = _FIRST_MONDAY if by == "week" else 0
    return at - (at - offset) % LENGTHS[by]


def growth(
    views: Both,
    scopes: tuple[Scope, ...] | None,
    now: int,
    by: str,
    count: int,
    *,
    most: int = MOST_REVISIONS,
) -> Growth:
    """Growth of a store in the last periods, the present one included.

    Periods in which more happened than is looked at are left out.

    Args:
        most: Revisions that are looked at, newest first.

    Raises:
        InvalidInput: `by` is neither day nor week.
    """
    begin = begin_of(now, by)
    length = LENGTHS[by]
    start = begin - (count - 1) * length
    here, *there = (
        reader.growth(scopes, start, length, revisions=most, runs=MOST_RUNS)
        for reader in (views.here, views.there)
        if reader is not None
    )
    shifts = [shift for one in (here, *there) for shift in one.shifts]
    complete_from = max(one.complete_from for one in (here, *there))
    periods = periods_of(shifts, here.standing, here.runs, start, length, count)
    kept = [period for period in periods if period.start >= complete_from] or periods[-1:]
    return Growth(by, tuple(kept), now)


def periods_of(
    shifts: Sequence[Shift],
    standing: Sequence[tuple[bool, str, int]],
    runs: Sequence[tuple[int, str, int]],
    start: int,
    length: int,
    count: int,
) -> list[Period]:
    """Periods, oldest first: what stands now is taken back step by step to what stood before.

    What is dated behind the last period counts in it: the clock was ahead.
    """
    happened: list[Counter[str]] = [Counter() for _ in range(count)]
    moved: list[Counter[str]] = [Counter() for _ in range(count)]
    for shift in shifts:
        period = min(shift.period, count - 1)
        if (name := _kind(shift)) is not None:
            happened[period][name] += shift.items
        for tier, sign in ((shift.after, 1), (shift.before, -1)):
            if tier is not None:
                moved[period][_TURNS if shift.raw else tier] += sign * shift.items
    for number, status, runs_begun in runs:
        period = min(number, count - 1)
        happened[period]["runs"] += runs_begun
        happened[period]["failed"] += runs_begun if status == "failed" else 0
    stands: Counter[str] = Counter()
    for raw, tier, items in standing:
        stands[_TURNS if raw else tier] += items
    periods: list[Period] = []
    for number in range(count - 1, -1, -1):
        begin = start + number * length
        # An item that is in store and archive file, because a move was cut off, would count twice.
        numbers = {name: max(0, stands[name]) for name in (*(tier.value for tier in Tier), _TURNS)}
        periods.append(Period(start=begin, end=begin + length, standing=numbers, **happened[number]))
        stands.subtract(moved[number])
    return periods[::-1]


def _kind(shift: Shift) -> str | None:
    """Kind that a change counts as; None for those that are not told."""
    came = shift.before is None and shift.after is not None
    went = shift.before is not None and shift.after is None
    if shift.first:
        if shift.reason in MERGES:
            return "merges"
        return _TURNS if shift.raw else "added" if came else "held"
    if went:
        return "merged" if shift.reason in MERGES else "archived"
    if came:
        return "restored"
    return "promoted" if shift.reason == "promote" else None
