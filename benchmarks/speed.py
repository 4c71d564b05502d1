"""Times, rates, memory and bytes over the corpus of `corpus.py`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks import against
from benchmarks.corpus import Corpus
from benchmarks.course import CONTEXT_TOKENS, LAYOUTS, ONE, TEN, THREADS, Course, Effort, Filled
from benchmarks.install import base_install
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import fresh, percentiles
from benchmarks.trees import Tree
from simonides.config import Settings
from simonides.errors import InvalidInput
from simonides.sample import load_sample

_IMPORT: Final = """
import time
began = time.perf_counter()
from simonides import Memory
print(time.perf_counter() - began, flush=True)
"""
#: What grows with the store: rows of the table of ratios.
_GROWING: Final = {"search": "search_ms", "context": "context_ms", "agenda": "agenda_ms"}


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    effort = Effort(options.queries, options.adds, options.fresh, options.bulk)
    settings = index_settings(options.index)
    with _course(effort, options.seed, options.folder, options.stores) as course:
        if options.against is None:
            outcome = measure(course, options.sizes, effort, settings)
            shown = tables(outcome)
        else:
            trees = Tree.own(settings), Tree.other(options.against, settings)
            outcome = against.measure(course, trees, options.sizes, effort, options.rounds)
            shown = against.tables(outcome)
    return finish(outcome, shown, options)


def index_settings(kind: str | None) -> dict[str, str]:
    """The setting that chooses a vector index, as a variable of the environment; none for the default.

    Raises:
        InvalidInput: This version has one index only.
    """
    if kind is None:
        return {}
    if "index" not in {found.name for found in fields(Settings)}:
        raise InvalidInput("this version has one vector index, the exact one; leave --index out")
    return {"SIMONIDES_INDEX_KIND": kind}


def short(items: int, effort: Effort) -> dict[str, Any]:
    """All figures for one size, with nothing kept."""
    with _course(effort, 1, None, None) as course:
        return measure(course, [items], effort, {})


def measure(
    course: Course,
    sizes: Sequence[int],
    effort: Effort,
    settings: Mapping[str, str],
    own: Tree | None = None,
) -> dict[str, Any]:
    """All figures of this version.

    Args:
        own: How this version is run; None for a process of each round.
    """
    own = own or Tree.own(settings)
    figures: dict[str, Any] = {}
    for size in sizes:
        found: dict[str, Any] = {}
        for layout in LAYOUTS:
            with course.stores([own], size, layout) as (store,):
                found |= _of_layout(course, own, store, (size, layout), effort)
        figures[str(size)] = found
    import_s = median(float(fresh(_IMPORT, [], course.place, 1)[1][0]) for _ in range(effort.fresh))
    distributions, size_bytes = base_install()
    figures["import_s"] = import_s
    figures["install"] = {"distributions": len(distributions), "mb": size_bytes / 1e6, "bytes": distributions}
    figures["ratios"] = _ratios(figures, sizes)
    return result(
        "speed",
        seed=course.seed,
        sizes={"items": list(sizes)} | asdict(effort),
        figures=figures,
        settings=settings,
    )


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures = outcome["figures"]
    sizes = [str(size) for size in outcome["sizes"]["items"]]
    head = ("", *(f"{int(size):,} items" for size in sizes))

    def row(label: str, *path: str) -> list[object]:
        return [label, *(_at(figures[size], path) for size in sizes)]

    writing = [
        row("add one text, durable, p50, ms", "add_ms", "p50"),
        row("add one text, durable, p99, ms", "add_ms", "p99"),
        row("the same, processor time, p50, ms", "add_processor_ms", "p50"),
        row("one row in bare SQLite, durable, p50, ms", "bare_commit_ms", "p50"),
        row("record one turn, p50, ms", "turn_ms", "p50"),
        row("record one turn, p99, ms", "turn_ms", "p99"),
        row("filling, items/s", "fill_items_per_s"),
        row("bulk add into a new store, items/s", "bulk_items_per_s"),
        row(f"{THREADS} threads adding singly, items/s", "threads_items_per_s"),
        row("file, bytes per item", "file_bytes_per_item"),
        row("not accepted by the policy, items", "not_accepted"),
    ]
    reading = [
        row(f"search k=10, {kind}{layout}, {percentile}, ms", layout, f"search{part}_ms", percentile)
        for layout in (TEN, ONE)
        for kind, part in (("", ""), ("real questions, ", "_questions"), ("four words, ", "_words"))
        for percentile in (("p50", "p95", "p99") if not part else ("p50",))
    ]
    reading += [
        row(f"{label}, {layout}, p50, ms", layout, measured, "p50")
        for label, measured in (
            ("search k=10, processor time", "search_processor_ms"),
            (f"context of {CONTEXT_TOKENS} tokens", "context_ms"),
            ("search with agenda", "agenda_ms"),
        )
        for layout in (TEN, ONE)
    ]
    reading += [row(f"fresh process to first hit, {layout}, s", layout, "first_hit_s") for layout in LAYOUTS]
    reading += [row("memory of that process, MB", ONE, "rss_mb")]
    install = figures["install"]
    other: list[list[object]] = [
        ["import, s", figures["import_s"]],
        ["base install, distributions", install["distributions"]],
        ["base install, MB", install["mb"]],
        *([name, value] for name, value in figures["ratios"].items()),
    ]
    return [
        Table("writing", head, writing),
        Table("reading", head, reading),
        Table("besides", ("", ""), other),
    ]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Times, rates, memory and bytes over a corpus made from a seed.")
    parser.add_argument("--sizes", type=_sizes, default=[10_000], metavar="N,…", help="items in the store")
    parser.add_argument("--seed", type=int, default=1, help="of the corpus")
    parser.add_argument("--queries", type=int, default=300, help="searches timed for each size and layout")
    parser.add_argument("--adds", type=int, default=300, help="single writes timed for each size")
    parser.add_argument("--fresh", type=int, default=5, help="fresh processes whose median is taken")
    parser.add_argument("--bulk", type=int, default=2000, help="items of the one call that adds many")
    parser.add_argument("--folder", type=Path, help="where what is measured lies; a temporary one by default")
    parser.add_argument(
        "--stores",
        type=Path,
        metavar="DIR",
        help="keep the filled stores there and measure copies of them: a million items fill 4 GB each way",
    )
    parser.add_argument("--index", metavar="KIND", help="measure with this kind of vector index")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="SRC",
        help="measure another source tree of the package by turns with this one",
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of each version, with --against")
    return parser.parse_args(arguments)


@contextmanager
def _course(effort: Effort, seed: int, folder: Path | None, keep: Path | None) -> Generator[Course]:
    """A course in a folder of its own, which is removed."""
    with tempfile.TemporaryDirectory(prefix="simonides-bench-", dir=folder) as place:
        yield Course(Corpus(load_sample(), seed), effort, Path(place), keep)


def _of_layout(
    course: Course, own: Tree, store: Filled, where: tuple[int, str], effort: Effort
) -> dict[str, Any]:
    """Figures of one size and layout; those of writing are taken once for a size."""
    size, layout = where
    question, scope = course.asked(size, layout)[0]
    progress(f"{size:,} items, {layout}: measuring")
    first_hit_s, rss_mb = own.first_hit(store.path, question, scope, course.place, effort.fresh)
    times = own.run(course.plan(store.path, size, layout, writing=layout == TEN), course.place)
    found: dict[str, Any] = {layout: reading_of(times) | {"first_hit_s": first_hit_s, "rss_mb": rss_mb}}
    if layout == TEN:
        found |= writing_of(times) | {"file_bytes_per_item": store.size_bytes / size}
        if store.fill is not None:
            found["fill_items_per_s"] = size / store.fill["spent_s"]
            found["not_accepted"] = store.fill["not_accepted"]
    return found


def reading_of(times: Mapping[str, Any]) -> dict[str, Any]:
    """Percentiles of what a round measured of reading."""
    found = {
        "search_ms": percentiles(times["search_ms"], 50, 95, 99),
        "search_questions_ms": percentiles(times["search_ms"][::2], 50, 95, 99),
        "search_words_ms": percentiles(times["search_ms"][1::2], 50, 95, 99),
        "search_processor_ms": percentiles(times["search_processor_ms"], 50),
        "context_ms": percentiles(times["context_ms"], 50, 95, 99),
    }
    if "agenda_ms" in times:
        found["agenda_ms"] = percentiles(times["agenda_ms"], 50, 95, 99)
    return found


def writing_of(times: Mapping[str, Any]) -> dict[str, Any]:
    """Percentiles of what a round measured of writing."""
    return {
        "add_ms": percentiles(times["add_ms"], 50, 95, 99),
        "add_processor_ms": percentiles(times["add_processor_ms"], 50),
        "turn_ms": percentiles(times["turn_ms"], 50, 95, 99),
        "bare_commit_ms": percentiles(times["bare_commit_ms"], 50, 99),
        "threads_items_per_s": times["threads_items_per_s"],
        "bulk_items_per_s": times["bulk_items_per_s"],
    }


def _ratios(figures: Mapping[str, Any], sizes: Sequence[int]) -> dict[str, float]:
    """Figures that do not depend on the machine: those of one run over each other."""
    least, most = str(min(sizes)), str(max(sizes))
    found = {
        "add one ÷ one bare row": figures[least]["add_ms"]["p50"] / figures[least]["bare_commit_ms"]["p50"]
    }
    for layout in LAYOUTS if least != most else ():
        for label, measured in _GROWING.items():
            small, large = (figures[size][layout].get(measured) for size in (least, most))
            if small and large:
                found[f"{label} p50 in {layout}, {int(most):,} ÷ {int(least):,} items"] = (
                    large["p50"] / small["p50"]
                )
    return found


def _at(figures: Any, path: Sequence[str]) -> object:
    """A figure, None where it was not taken."""
    for step in path:
        figures = figures.get(step)
        if figures is None:
            return None
    return figures


def _sizes(text: str) -> list[int]:
    try:
        found = [int(part.replace("_", "")) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers such as 10000,100000") from None
    if min(found) < 10:
        raise argparse.ArgumentTypeError("a store of the speed bench holds at least ten items")
    return found
