"""Bounds on how often and how much one caller may ask of the memory. Pure; the clock is the caller's."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from simonides.domain.instant import SECOND_US
from simonides.values import dataclass

#: One proposal, or the arguments of one call, in UTF-8.
LARGEST_WRITE_BYTES: Final = 64 * 1024
#: Callers that are counted; of the one that has been silent longest the count is dropped.
_MOST_CALLERS: Final = 10_000
_MINUTE_US: Final = 60 * SECOND_US


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls a minute in the long run, and so many at once."""

    per_minute: float = 60.0
    burst: int = 90

    @property
    def apart_us(self) -> float:
        """Microseconds between calls at the long run's pace."""
        return _MINUTE_US / self.per_minute


@dataclass(frozen=True, slots=True)
class Bucket:
    """Remainder of a caller's budget: `tokens` calls at the instant `at`."""

    tokens: float
    at: int


def taken(bucket: Bucket, rate: Rate, now: int) -> tuple[Bucket, int]:
    """Take one call out of a bucket.

    Returns:
        The bucket afterwards, and how many microseconds to wait if it is empty; 0 where the call may be made. A
        clock that went back fills nothing.
    """
    passed = max(0, now - bucket.at)
    tokens = min(float(rate.burst), bucket.tokens + passed / rate.apart_us)
    if tokens >= 1:
        return Bucket(tokens - 1, now), 0
    return Bucket(tokens, now), max(1, round((1 - tokens) * rate.apart_us))


class Limiter:
    """A bucket for each caller. Safe to use from several threads."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._refused: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_us(self, caller: str, now: int) -> int:
        """Count a call; microseconds until it may be made, 0 for now."""
        with self._lock:
            bucket = self._buckets.pop(caller, None) or Bucket(float(self._rate.burst), now)
            self._buckets[caller], wait = taken(bucket, self._rate, now)
            while len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
            return wait

    def unnoted(self, caller: str, now: int) -> int:
        """Count a refusal; how many to note in a log now. So that refusals fill no log, they are noted once a minute.

        Returns:
            The refusals since those that were noted last, this one included; 0 within a minute of these.
        """
        with self._lock:
            count, noted_at = self._refused.pop(caller, (0, now - _MINUTE_US))
            noted = abs(now - noted_at) >= _MINUTE_US
            self._refused[caller] = (0, now) if noted else (count + 1, noted_at)
            while len(self._refused) > _MOST_CALLERS:
                self._refused.popitem(last=False)
            return count + 1 if noted else 0
