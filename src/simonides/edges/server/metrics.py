"""Metrics of this process, as Prometheus reads them: how many requests, how they ended, how long they took."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import Final

from pydantic_core import from_json, to_json

import simonides
from simonides.values import dataclass

TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
#: Upper bounds of the histogram, in seconds.
BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: Name of what is no operation.
OTHER: Final = "other"


@dataclass(slots=True)
class _Durations:
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    sum_s: float = 0.0


class Metrics:
    """Counts requests."""

    def __init__(self) -> None:
        self._started_at = time.time()
        self._ended: Counter[tuple[str, int]] = Counter()
        self._durations: dict[str, _Durations] = {}

    def count(self, operation: str, status: int, took_s: float) -> None:
        """Count a request that has ended; of a stream, its beginning."""
        self._ended[operation, status] += 1
        took = self._durations.setdefault(operation, _Durations())
        took.counts[bisect_left(BOUNDS, took_s)] += 1
        took.sum_s += took_s

    def to_json(self) -> bytes:
        """All of it, for another process to add to its own."""
        return to_json(
            {
                "ended": [[*key, count] for key, count in self._ended.items()],
                "durations": {name: [took.counts, took.sum_s] for name, took in self._durations.items()},
            }
        )

    def with_others(self, others: Iterable[bytes]) -> Metrics:
        """These and those of other processes, as `to_json` gives them."""
        total = Metrics()
        total._started_at = self._started_at
        for counted in (self.to_json(), *others):
            metrics = from_json(counted)
            for name, status, count in metrics["ended"]:
                total._ended[name, status] += count
            for name, (counts, sum_s) in metrics["durations"].items():
                took = total._durations.setdefault(name, _Durations())
                took.counts = [mine + theirs for mine, theirs in zip(took.counts, counts, strict=True)]
                took.sum_s += sum_s
        return total

    def text(self) -> str:
        """All of it in the exposition format."""
        lines = [
            "# HELP simonides_build_info The version that runs.",
            "# TYPE simonides_build_info gauge",
            f'simonides_build_info{{version="{simonides.__version__}"}} 1',
            "# HELP process_start_time_seconds When the process began, in seconds since 1970.",
            "# TYPE process_start_time_seconds gauge",
            f"process_start_time_seconds {self._started_at:.3f}",
            "# HELP simonides_requests_total Requests by operation and status.",
            "# TYPE simonides_requests_total counter",
        ]
        lines += [
            f'simonides_requests_total{{operation="{name}",status="{status}"}} {count}'
            for (name, status), count in sorted(self._ended.items())
        ]
        lines += [
            "# HELP simonides_request_seconds Time from a request to the beginning of its answer.",
            "# TYPE simonides_request_seconds histogram",
        ]
        for name, took in sorted(self._durations.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), took.counts, strict=True):
                total += count
                lines.append(f'simonides_request_seconds_bucket{{operation="{name}",le="{bound}"}} {total}')
            lines.append(f'simonides_request_seconds_sum{{operation="{name}"}} {took.sum_s:.6f}')
            lines.append(f'simonides_request_seconds_count{{operation="{name}"}} {total}')
        return "\n".join(lines) + "\n"
