"""Two versions of the package, measured by turns: the only fair way to judge a change by its speed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from benchmarks.course import LAYOUTS, TEN, Course, Effort, Filled
from benchmarks.report import Table, progress, result
from benchmarks.trees import Tree

#: What is compared, with how a table names it; a list of times counts by its median.
_MEASURES: Final = {
    "search_ms": "search k=10, p50, ms",
    "search_processor_ms": "search k=10, processor time, p50, ms",
    "context_ms": "context, p50, ms",
    "agenda_ms": "search with agenda, p50, ms",
    "first_hit_s": "fresh process to first hit, s",
    "rss_mb": "memory of that process, MB",
    "add_ms": "add one text, durable, p50, ms",
    "turn_ms": "record one turn, p50, ms",
    "threads_items_per_s": "threads adding singly, items/s",
    "bulk_items_per_s": "bulk add into a new store, items/s",
}
_COLUMNS: Final = ("here", "there", "here ÷ there", "from", "to")


def measure(
    course: Course, trees: tuple[Tree, Tree], sizes: Sequence[int], effort: Effort, rounds: int
) -> dict[str, Any]:
    """Medians of both versions, and the ratio of each round with its median and range.

    Each round runs both, one after the other; which goes first changes with every round, so that what
    else happens on the machine meets both alike.
    """
    figures: dict[str, Any] = {}
    for size in sizes:
        figures[str(size)] = {}
        for layout in LAYOUTS:
            with course.stores(trees, size, layout) as stores:
                taken = _rounds(course, trees, stores, (size, layout), rounds)
            figures[str(size)][layout] = _compared(taken)
    here, there = trees
    return result(
        "speed_against",
        seed=course.seed,
        sizes={"items": list(sizes), "rounds": rounds} | asdict(effort),
        figures=figures,
        settings=dict(here.settings, against=there.commit),
    )


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    return [
        Table(
            f"{int(size):,} items, {layout}",
            ("", *_COLUMNS),
            [
                [_MEASURES[name], *(compared[column] for column in _COLUMNS)]
                for name, compared in found.items()
            ],
        )
        for size, layouts in outcome["figures"].items()
        for layout, found in layouts.items()
    ]


def _rounds(
    course: Course, trees: Sequence[Tree], stores: Sequence[Filled], where: tuple[int, str], rounds: int
) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    """Measure each round of either version."""
    size, layout = where
    question, scope = course.asked(size, layout)[0]
    for tree, store in zip(trees, stores, strict=True):
        tree.first_hit(store.path, question, scope, course.place, 1)  # Compiles what was not compiled yet.
    taken: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    for number in range(rounds):
        progress(f"{size:,} items, {layout}: round {number + 1} of {rounds}")
        for turn in (0, 1) if number % 2 else (1, 0):
            tree, store = trees[turn], stores[turn]
            first_hit_s, rss_mb = tree.first_hit(store.path, question, scope, course.place, 1)
            times = tree.run(course.plan(store.path, size, layout, writing=layout == TEN), course.place)
            times |= {"first_hit_s": first_hit_s, "rss_mb": rss_mb}
            taken[turn].append({name: _middle(times[name]) for name in _MEASURES if name in times})
    return taken


def _compared(
    taken: tuple[Sequence[Mapping[str, float]], Sequence[Mapping[str, float]]],
) -> dict[str, dict[str, float]]:
    here, there = taken
    found: dict[str, dict[str, float]] = {}
    for name in _MEASURES:
        if name in here[0] and name in there[0]:
            ratios = [mine[name] / other[name] for mine, other in zip(here, there, strict=True)]
            middles = (median(some[name] for some in here), median(some[name] for some in there))
            values = (*middles, median(ratios), min(ratios), max(ratios))
            found[name] = dict(zip(_COLUMNS, values, strict=True))
    return found


def _middle(measured: float | Sequence[float]) -> float:
    return measured if isinstance(measured, int | float) else median(measured)
