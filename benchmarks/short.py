"""A short round of all benches that need no data: what `make bench` runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks import crash, extract, policy, processes, retrieval, speed
from benchmarks.course import Effort
from benchmarks.paired import tasks
from benchmarks.report import Table, finish, options_of, progress, result, write
from benchmarks.variants import Variant
from simonides.sample import sample_path

PARTS: Final = ("sample", "speed", "crash", "processes", "policy", "extract")


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure, and write one JSON file for each bench."""
    parser = options_of(
        name, "Retrieval on the sample, speed at 2,000 items, three kills, times of the policy, extraction."
    )
    parser.add_argument("--folder", type=Path, default=Path("bench-results"), help="where the results go")
    parser.add_argument("--items", type=int, default=2000, help="of the speed bench")
    parser.add_argument(
        "--queries", type=int, default=100, help="searches and writes of the speed bench, each"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of the crash bench")
    parser.add_argument("--processes", type=int, default=4, help="that write at once")
    parser.add_argument("--repeats", type=int, default=200, help="of a time of the policy, at most")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="some of the benches")
    options = parser.parse_args(arguments)
    outcomes, shown = _measured(options)
    for bench, outcome in outcomes.items():
        write(options.folder / f"{bench}.json", outcome)
    figures = {bench: outcome["figures"] for bench, outcome in outcomes.items()}
    sizes = {bench: outcome["sizes"] for bench, outcome in outcomes.items()}
    return finish(result(name, seed=1, sizes=sizes, figures=figures), shown, options)


def _measured(options: argparse.Namespace) -> tuple[dict[str, dict[str, Any]], list[Table]]:
    sample = tasks("sample", sample_path(), [Variant(retrieval.ENGINE)], baselines=True, keep=None)
    parts: Mapping[str, tuple[Callable[[], dict[str, Any]], Callable[[Mapping[str, Any]], list[Table]]]] = {
        "sample": (lambda: retrieval.measured_set("sample", sample), retrieval.tables),
        "speed": (
            lambda: speed.short(options.items, Effort(options.queries, options.queries, 1)),
            speed.tables,
        ),
        "crash": (lambda: crash.measure(options.rounds), crash.tables),
        "processes": (lambda: processes.measure(options.processes, 100), processes.tables),
        "policy": (lambda: policy.measure(None, repeats=options.repeats), policy.tables),
        "extract": (extract.measure, extract.tables),
    }
    outcomes: dict[str, dict[str, Any]] = {}
    shown: list[Table] = []
    for name in options.only:
        measure, tables = parts[name]
        progress(f"{name} …")
        outcomes[name] = measure()
        shown += tables(outcomes[name])
    return outcomes, shown
