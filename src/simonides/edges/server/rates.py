"""Rates and quotas: how often a key may ask."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from simonides.edges.http.tokens import Credential
from simonides.edges.server.problems import HttpProblem, busy
from simonides.edges.server.state import ServerState


@dataclass(slots=True)
class _Bucket:
    """Requests that may be sent at once; it fills up evenly."""

    level: float
    at: float


class Rates:
    """Counts requests by key: those of a minute in this process, those of a day in the server's state."""

    def __init__(self, state: ServerState, clock: Callable[[], float] = time.monotonic) -> None:
        self._state = state
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def count(self, credential: Credential) -> None:
        """Count a request.

        Raises:
            HttpProblem: 429: it is one too many; the error says when to try again.
        """
        if credential.rate is not None:
            self._in_time(credential.key, credential.rate)
        if credential.quota is not None and self._state.used_today(credential.key) > credential.quota:
            text = f"this key may ask {credential.quota:,} times a day; it may again tomorrow, in UTC"
            raise HttpProblem(429, "quota", text, busy(self._state.until_tomorrow_s()))

    def _in_time(self, key: str, rate: int) -> None:
        now = self._clock()
        bucket = self._buckets.setdefault(key, _Bucket(rate, now))
        bucket.level = min(float(rate), bucket.level + (now - bucket.at) * rate / 60)
        bucket.at = now
        if bucket.level < 1:
            wait_s = max(1, math.ceil((1 - bucket.level) * 60 / rate))
            text = f"this key may ask {rate:,} times a minute; ask again in {wait_s} s"
            raise HttpProblem(429, "rate", text, busy(wait_s))
        bucket.level -= 1
