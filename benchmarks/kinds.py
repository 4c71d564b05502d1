"""Every kind of memory, each set by itself: what a search finds, and whether it knows that nothing answers.

Beside plain BM25, plain vectors and the linear first look, question by question. Own questions are those that a
world answers; foreign ones are those of other worlds of the set, and unanswered ones were made to have no answer.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import numpy as np

from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.calibration import calibration_error, reliability
from benchmarks.gathering import EVERY_SET, FOREIGN, OWN, Stage, Task, candidates_of, stages, tasks
from benchmarks.measures import interval
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.sets import spread
from benchmarks.stores import embedder_named
from benchmarks.variants import BUNDLED
from benchmarks.worlds import Kind, data_folder, session_of
from simonides.compose import compose
from simonides.memory import Memory
from simonides.recall.ranking.first_look import first_look

ENGINE: Final = "simonides"
WAYS: Final = (ENGINE, "first look", "BM25", "vectors")
MEASURES: Final = ("R@1", "R@3", "R@5", "R@10", "MRR")
SESSIONS: Final = ("any@1", "any@5", "all@5")
#: Differences are taken of this.
_COMPARED: Final = "R@10"
_DEPTH: Final = 50


@dataclass(frozen=True, slots=True)
class Answered:
    """A question: its measures by way, where it has an answer, and what the search said of itself."""

    group: str
    category: str
    figures: Mapping[str, Mapping[str, float]]
    sessions: Mapping[str, Mapping[str, float]]
    confidence: float
    abstained: bool
    hits: int
    search_ms: float


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure the sets that the options name."""
    parser = options_of(name, "Recall of every kind of memory, beside BM25, vectors and the first look.")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with the sets; SIMONIDES_BENCH_DATA if not given"
    )
    parser.add_argument(
        "--set", type=_names, default=list(EVERY_SET), metavar="NAME,…", dest="sets", help="only these sets"
    )
    parser.add_argument("--workers", type=int, default=2, help="worlds measured at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    options = parser.parse_args(arguments)
    folder = data_folder(options.data)
    found: dict[str, list[Answered]] = {}
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
        for one in options.sets:
            progress(f"{one} …")
            found[one] = [row for rows in pool.map(_measured, tasks(folder, one)) for row in rows]
    outcome = result(
        name,
        seed=options.seed,
        sizes={one: {group: _count(rows, group) for group in sorted({row.group for row in rows})}
               for one, rows in found.items()},
        figures={one: figures_of(rows, options.seed) for one, rows in found.items()},
    )  # fmt: skip
    return finish(outcome, tables(outcome), options)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in EVERY_SET]:
        raise argparse.ArgumentTypeError(f"there is no set {unknown[0]!r}; known are {', '.join(EVERY_SET)}")
    return names


def _measured(task: Task) -> list[Answered]:
    sessions = {} if task.world.notes else session_of(task.world)  # Notes are stored without one.
    return [row for stage in stages(task) for row in _of_stage(stage, sessions)]


def _of_stage(stage: Stage, session: Mapping[str, str]) -> Iterator[Answered]:
    turns = {item: turn for turn, item in stage.items.items()}
    plain = {"BM25": PlainBm25(stage.texts), "vectors": PlainVectors(stage.texts, embedder_named(BUNDLED))}
    parts = compose(stage.file, {})
    try:
        with Memory(stage.file, read_only=True) as memory:
            for question, group in stage.questions:
                began = time.perf_counter()
                found = memory.search(question.text, k=_DEPTH, at=question.at)
                spent = (time.perf_counter() - began) * 1000
                figures: dict[str, dict[str, float]] = {}
                by_session: dict[str, dict[str, float]] = {}
                if group == OWN:
                    table = first_look(candidates_of(parts, question))
                    with parts.store.read() as reader:
                        ids = {key: item.id for key, item in reader.load(table.keys.tolist()).items()}
                    order = [ids[int(table.keys[row])] for row in table.order(table.linear)[:_DEPTH]]
                    rankings = {
                        ENGINE: [turns.get(hit.item.id, "") for hit in found],
                        "first look": [turns.get(one, "") for one in order],
                        **{name: one.ranking(question.text, _DEPTH) for name, one in plain.items()},
                    }
                    right = frozenset(question.evidence_turns)
                    figures = {way: measured(rankings[way], right) for way in WAYS}
                    if question.evidence_sessions and len(set(session.values())) > 1:
                        grouped = memory.search(question.text, k=10, at=question.at, group="session")
                        orders = {
                            "by session": [hit.item.session_id or "" for hit in grouped],
                            "by best turn": [session.get(turn, "") for turn in rankings[ENGINE]],
                            "BM25": [session.get(turn, "") for turn in rankings["BM25"]],
                        }
                        wanted = frozenset(question.evidence_sessions)
                        by_session = {way: measured_sessions(one, wanted) for way, one in orders.items()}
                yield Answered(
                    group,
                    question.category,
                    figures,
                    by_session,
                    found.confidence,
                    found.abstained,
                    len(found),
                    spent,
                )
    finally:
        parts.recall.close()
        parts.store.close()


def measured(ranking: Sequence[str], right: frozenset[str]) -> dict[str, float]:
    """R@k: the share of what is right among the first k; MRR: 1 / rank of the first of it."""
    first = next((n for n, turn in enumerate(ranking, 1) if turn in right), None)
    recalls = {f"R@{k}": len(right & set(ranking[:k])) / len(right) for k in (1, 3, 5, 10)}
    return {**recalls, "MRR": 0.0 if first is None else 1 / first}


def measured_sessions(ranking: Sequence[str], right: frozenset[str]) -> dict[str, float]:
    """Tell whether any, or all, sessions that answer are among the first."""
    order = list(dict.fromkeys(ranking))
    return {
        "any@1": float(bool(right & set(order[:1]))),
        "any@5": float(bool(right & set(order[:5]))),
        "all@5": float(right <= set(order[:5])),
    }


def figures_of(rows: Sequence[Answered], seed: int) -> dict[str, Any]:
    """Means of a set, by how much the engine leads, and how well its confidence is founded."""
    own = [row for row in rows if row.group == OWN]
    means = {way: {one: fmean(row.figures[way][one] for row in own) for one in MEASURES} for way in WAYS}
    leads = {
        way: interval(
            [row.figures[ENGINE][_COMPARED] for row in own],
            [row.figures[way][_COMPARED] for row in own],
            seed=seed,
        )
        for way in WAYS[1:]
    }
    held = [row for row in own if row.sessions]
    others = [row for row in rows if row.group != OWN]
    right = np.array([row.group == OWN for row in rows])
    sure = np.array([row.confidence for row in rows])
    return {
        "overall": means,
        "leads": leads,
        "sessions": {
            way: {one: fmean(row.sessions[way][one] for row in held) for one in SESSIONS}
            for way in (held[0].sessions if held else ())
        },
        "marked": {
            group: fmean(row.abstained for row in rows if row.group == group)
            for group in dict.fromkeys(row.group for row in rows)
        },
        "nothing offered": fmean(row.hits == 0 for row in own),
        "calibration": {"error": calibration_error(sure, right), "reliability": reliability(sure, right)}
        if others
        else None,
        "search_ms_p50": median(row.search_ms for row in rows),
    }


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """One table a kind, then sessions, and what the searches said of themselves."""
    figures = outcome["figures"]
    found: list[Table] = []
    for kind in Kind:
        names = [name for name in figures if EVERY_SET[name].kind is kind]
        rows: list[list[object]] = []
        for name in names:
            one, size = figures[name], outcome["sizes"][name][OWN]
            for way, means in one["overall"].items():
                title = f"{EVERY_SET[name].title}, {size} questions" if way == ENGINE else f"– {way}"
                rows.append([title, *means.values(), spread(one["leads"].get(way))])
        if rows:
            found.append(Table(str(kind), ("", *MEASURES, f"lead in {_COMPARED} (95 %)"), rows))
    return [*found, *_session_tables(figures), _said_table(figures)]


def _session_tables(figures: Mapping[str, Any]) -> list[Table]:
    rows = [
        [f"{EVERY_SET[name].title}, {way}", *means.values()]
        for name, one in figures.items()
        for way, means in one["sessions"].items()
    ]
    return [Table("sessions as answers", ("", *SESSIONS), rows)] if rows else []


def _said_table(figures: Mapping[str, Any]) -> Table:
    rows = [
        [
            EVERY_SET[name].title,
            *(one["marked"].get(group) for group in (OWN, FOREIGN, "unanswered")),
            one["nothing offered"],
            one["calibration"]["error"] if one["calibration"] else None,
            one["search_ms_p50"],
        ]
        for name, one in figures.items()
    ]
    head = (
        "",
        "marked: own",
        "foreign",
        "unanswered",
        "nothing offered",
        "calibration error",
        "search p50, ms",
    )
    return Table("what searches say of themselves", head, rows)


def _count(rows: Sequence[Answered], group: str) -> int:
    return sum(row.group == group for row in rows)
