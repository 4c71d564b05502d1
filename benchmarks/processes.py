"""Several processes writing one file at once: no error, nothing lost."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

from benchmarks.report import Table, finish, options_of, result
from benchmarks.timing import percentiles, timed
from simonides.config import Settings
from simonides.domain.scope import ALL
from simonides.errors import SimonidesError
from simonides.memory import Memory


@dataclass(frozen=True, slots=True)
class Written:
    """Writes of one process. `began_at` and `ended_at` are seconds of the clock that all processes share."""

    ids: Mapping[str, str]
    errors: list[str]
    times_ms: list[float]
    began_at: float
    ended_at: float


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(
        name, "Write one file from several processes at once; every write is durable by itself."
    )
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--writes", type=int, default=1000, help="of each process")
    options = parser.parse_args(arguments)
    outcome = measure(options.processes, options.writes)
    return finish(outcome, tables(outcome), options)


def measure(processes: int = 8, writes: int = 1000) -> dict[str, Any]:
    """Write, then look whether everything is there."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder, context.Manager() as manager:
        path = Path(folder) / "processes.db"
        Memory(path, settings=Settings()).close()
        together = manager.Barrier(processes)
        with ProcessPoolExecutor(processes, context) as pool:
            running = [pool.submit(_write, path, n, writes, together) for n in range(processes)]
            done = [some.result() for some in running]
        with Memory(path, settings=Settings()) as memory:
            there = {item.id: item.content for item in memory.list(scope=ALL, limit=1_000_000)}
            problems = [f"{problem.area}: {problem.message}" for problem in memory.doctor().problems]
    acknowledged = {item_id: text for some in done for item_id, text in some.ids.items()}
    span = max(some.ended_at for some in done) - min(some.began_at for some in done)
    figures = {
        "errors": [error for some in done for error in some.errors],
        "acknowledged": len(acknowledged),
        "lost": sum(there.get(item_id) != text for item_id, text in acknowledged.items()),
        "problems": problems,
        "writes_per_s": len(acknowledged) / span,
        "write_ms": percentiles([ms for some in done for ms in some.times_ms], 50, 95, 99, 100),
        # How fairly they share: the slowest process's time over the fastest one's.
        "slowest_over_fastest": max(some.ended_at - some.began_at for some in done)
        / min(some.ended_at - some.began_at for some in done),
    }
    return result(
        "processes", seed=None, sizes={"processes": processes, "writes_each": writes}, figures=figures
    )


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    rows: list[list[object]] = [
        ["errors", len(figures["errors"])],
        ["acknowledged", figures["acknowledged"]],
        ["lost", figures["lost"]],
        ["problems of the file", len(figures["problems"])],
        ["writes/s, all together", figures["writes_per_s"]],
        *([f"one write, {name}, ms", ms] for name, ms in figures["write_ms"].items()),
        ["slowest process ÷ fastest", figures["slowest_over_fastest"]],
    ]
    found = [[text] for text in (*figures["errors"], *figures["problems"])][:20]
    title = f"{sizes['processes']} processes, {sizes['writes_each']:,} writes each"
    return [Table(title, ("", ""), rows), *([Table("what", ("",), found)] if found else [])]


def _write(path: Path, number: int, writes: int, together: Barrier) -> Written:
    ids: dict[str, str] = {}
    errors: list[str] = []
    times_ms: list[float] = []
    with Memory(path, settings=Settings()) as memory:
        together.wait()
        began_at = time.monotonic()
        for n in range(writes):
            text = f"process {number} notes that parcel {n} has arrived at gate {n * 7 % 31}"
            try:
                added, spent = timed(lambda text=text: memory.add(text))
            except SimonidesError as error:
                errors.append(f"process {number}, write {n}: {type(error).__name__}: {error}")
                continue
            times_ms.append(spent * 1000)
            ids[added.item_ids[0]] = text
        return Written(ids, errors, times_ms, began_at, time.monotonic())
