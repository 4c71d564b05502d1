"""Retrieval quality without a language model: does a search find the turns that answer?"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final, cast

from simonides.bench.baselines import PlainBm25, PlainVectors
from simonides.bench.measures import DEPTH, MEASURES, interval, measured
from simonides.bench.report import Table, finish, options_of, progress, result
from simonides.bench.worlds import (
    ABSTAINING,
    FILES,
    asked,
    data_file,
    data_folder,
    lines,
    said,
    session_of,
    world,
)
from simonides.config import Settings, StoreSettings
from simonides.errors import InvalidInput
from simonides.memory import Memory
from simonides.models.registry import embedder_from, provider_named
from simonides.ports.embedder import Embedder
from simonides.recall.rank import Weights
from simonides.recall.search import RecallSettings
from simonides.sample import Question, World, sample_path

ENGINE: Final = "simonides"
_BM25: Final = "BM25"
_VECTORS: Final = "vectors"
_LOCOMO_NAMES: Final = {
    "1": "1 multi-hop",
    "2": "2 temporal",
    "3": "3 open",
    "4": "4 single-hop",
    "5": "5 adversarial",
}


@dataclass(frozen=True, slots=True)
class Task:
    """One world to be measured, as a worker process gets it.

    Attributes:
        store: A store kept from an earlier run, to be made if it does not exist; None for one that is
            thrown away.
    """

    line: str
    recall: RecallSettings
    embedder: str
    abstaining: bool
    compare: bool
    store: Path | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: its measures by system."""

    id: str
    category: str
    figures: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """One world.

    Attributes:
        add_s: Time to add its turns; None where they were there.
        search_ms: Time of each search.
    """

    turns: int
    answered: Sequence[Answered]
    add_s: float | None
    search_ms: Sequence[float]


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure one set as its options say."""
    options = _options(name, arguments)
    path = _path_of(name, options)
    tasks = [
        Task(
            line,
            recall_settings(options.weights),
            options.embedder,
            name in ABSTAINING,
            options.compare,
            None if options.stores is None else options.stores / f"{path.name.split('.')[0]}-{n}.db",
        )
        for n, line in enumerate(lines(path))
    ]
    outcome = measure(name, tasks, workers=options.workers, seed=options.seed)
    return finish(outcome, tables(outcome), options)


def recall_settings(weights: Mapping[str, str]) -> RecallSettings:
    """The read path's settings with some of its weights or bounds changed.

    Raises:
        InvalidInput: A name is unknown or a value is of the wrong type.
    """
    settings, profile = RecallSettings(), Weights()
    bounds = {field.name for field in fields(RecallSettings)} - {"weights"}
    known = bounds | {field.name for field in fields(Weights)}
    for name, text in weights.items():
        if name not in known:
            raise InvalidInput(f"there is no weight {name!r}; use one of {', '.join(sorted(known))}")
        owner: Any = settings if name in bounds else profile
        kind = cast("type[Any]", type(getattr(owner, name)))
        try:
            value = text.lower() in {"1", "true"} if kind is bool else kind(text)
        except ValueError:
            raise InvalidInput(f"{name} takes a {kind.__name__}, not {text!r}") from None
        if name in bounds:
            settings = replace(settings, **{name: value})
        else:
            profile = replace(profile, **{name: value})
    return replace(settings, weights=profile)


def measure(name: str, tasks: Sequence[Task], *, workers: int = 2, seed: int = 1) -> dict[str, Any]:
    """Measure worlds, several at a time, each in a store of its own.

    Args:
        tasks: At least one world, with at least one question that can be measured among them.
    """
    began = time.perf_counter()
    measured_worlds = _all_measured(tasks, workers)
    answered = [answer for found in measured_worlds for answer in found.answered]
    if not answered:
        raise InvalidInput(f"{name}: no question names the turns that answer it; there is nothing to measure")
    categories = sorted({answer.category for answer in answered})
    added = [found for found in measured_worlds if found.add_s is not None]
    figures: dict[str, Any] = {
        "overall": _means(answered),
        "categories": {
            category: {"questions": len(some), **_means(some)}
            for category in categories
            if (some := [answer for answer in answered if answer.category == category])
        },
        "search_ms_p50": median([spent for found in measured_worlds for spent in found.search_ms]),
        "wall_s": time.perf_counter() - began,
    }
    if added:
        figures["add_turns_per_s"] = sum(found.turns for found in added) / sum(
            found.add_s or 0.0 for found in added
        )
    if len(answered[0].figures) > 1:
        figures["difference_in_R@10"] = _differences(answered, seed)
    sizes = {
        "worlds": len(tasks),
        "questions": len(answered),
        "turns": sum(found.turns for found in measured_worlds),
    }
    settings = {"recall": asdict(tasks[0].recall), "embedder": tasks[0].embedder}
    return result(name, seed=seed, sizes=sizes, figures=figures, settings=settings)


def measure_world(task: Task) -> Measured:
    """Fill a store with one world and ask it the world's questions."""
    found = world(task.line)
    questions = asked(found.questions, abstaining=task.abstaining)
    embedder = _embedder(task.embedder)
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "world.db"
        add_s = _bring(found, path, task, embedder)
        rankings, search_ms = _ask(found, questions, path, task, embedder)
    by_system = {ENGINE: rankings}
    if task.compare:
        texts = {turn.id: said(turn) for turn in found.turns.values()}
        plain = {_BM25: PlainBm25(texts), _VECTORS: PlainVectors(texts, embedder)}
        for name, system in plain.items():
            by_system[name] = [system.ranking(question.text, DEPTH) for question in questions]
    sessions = session_of(found)
    answered = [
        Answered(
            question.id,
            question.category,
            {
                name: measured(
                    some[n],
                    [sessions.get(turn, "") for turn in some[n]],
                    frozenset(question.evidence_turns),
                    frozenset(question.evidence_sessions),
                )
                for name, some in by_system.items()
            },
        )
        for n, question in enumerate(questions)
    ]
    return Measured(len(found.turns), answered, add_s, search_ms)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    title = (
        f"{outcome['name']}: {sizes['worlds']} worlds, {sizes['questions']} questions, {sizes['turns']} turns"
    )
    overall: Mapping[str, Mapping[str, float]] = figures["overall"]
    rows: list[list[object]] = [[name, *(means[m] for m in MEASURES)] for name, means in overall.items()]
    by_category = [
        [_LOCOMO_NAMES.get(name, name), means["questions"], *(means[ENGINE][m] for m in MEASURES)]
        for name, means in figures["categories"].items()
    ]
    times: list[list[object]] = [
        ["search p50, ms", figures["search_ms_p50"]],
        ["turns added per s and process", figures.get("add_turns_per_s")],
        ["all in all, s", figures["wall_s"]],
    ]
    differences: Mapping[str, Sequence[float]] = figures.get("difference_in_R@10", {})
    rows_of_differences = [[f"{ENGINE} − {name}", *some] for name, some in differences.items()]
    return [
        Table(title, ("", *MEASURES), rows),
        Table("by category", ("", "questions", *MEASURES), by_category),
        *(
            [Table("difference in R@10, 95 %", ("", "mean", "from", "to"), rows_of_differences)]
            if rows_of_differences
            else []
        ),
        Table("time", ("", ""), times),
    ]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Retrieval quality: is what answers a question among the first hits?")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with the set; SIMONIDES_BENCH_DATA if not given"
    )
    parser.add_argument("--compare", action="store_true", help="measure plain BM25 and plain vectors too")
    parser.add_argument(
        "--weights", type=_pairs, default={}, metavar="K=V,…", help="weights and bounds of the read path"
    )
    parser.add_argument("--embedder", default="bundled", metavar="NAME", help="such as ollama:MODEL")
    parser.add_argument("--workers", type=int, default=2, help="worlds measured at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    parser.add_argument(
        "--stores",
        type=Path,
        metavar="DIR",
        help="keep the filled stores there and use them again: for runs that differ in reading only",
    )
    return parser.parse_args(arguments)


def _path_of(name: str, options: argparse.Namespace) -> Path:
    return sample_path() if name == "sample" else data_file(data_folder(options.data), FILES[name])


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form name=value")
        found[name.strip()] = value.strip()
    return found


def _all_measured(tasks: Sequence[Task], workers: int) -> list[Measured]:
    if workers == 1 or len(tasks) == 1:
        return [measure_world(task) for task in tasks]
    # Not forked: a parent may hold threads and open stores.
    context = multiprocessing.get_context("spawn")
    found: list[Measured] = []
    with ProcessPoolExecutor(workers, context) as pool:
        for number, some in enumerate(pool.map(measure_world, tasks, chunksize=1), 1):
            found.append(some)
            if number % 25 == 0:
                progress(f"{number} of {len(tasks)} worlds")
    return found


@lru_cache(maxsize=1)
def _embedder(name: str) -> Embedder:
    """One for all worlds of a process."""
    return embedder_from(provider_named(name))


def _bring(found: World, path: Path, task: Task, embedder: Embedder) -> float | None:
    """Put the world's store at a path; the time that adding its turns took."""
    if task.store is not None and task.store.exists():
        shutil.copyfile(task.store, path)
        return None
    began = time.perf_counter()
    with _open(path, task, embedder) as memory:
        for session in found.sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
    spent = time.perf_counter() - began
    if task.store is not None:
        task.store.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, task.store)
    return spent


def _ask(
    found: World, questions: Sequence[Question], path: Path, task: Task, embedder: Embedder
) -> tuple[list[list[str]], list[float]]:
    """The turns that each question finds, best first, and its time in ms."""
    rankings: list[list[str]] = []
    search_ms: list[float] = []
    known = found.turns
    with _open(path, task, embedder) as memory:
        for question in questions:
            began = time.perf_counter()
            hits = memory.search(question.text, k=DEPTH, at=question.at).hits
            search_ms.append((time.perf_counter() - began) * 1000)
            ids = (hit.item.provenance.source_id or hit.item.id for hit in hits)
            # What the engine made itself keeps its place in the ranking; it answers nothing here.
            rankings.append([turn if turn in known else f"made:{turn}" for turn in ids])
    return rankings, search_ms


def _open(path: Path, task: Task, embedder: Embedder) -> Memory:
    settings = Settings(store=StoreSettings(synchronous="NORMAL"), recall=task.recall)
    return Memory(path, settings=settings, embedder=embedder)


def _means(answered: Sequence[Answered]) -> dict[str, dict[str, float]]:
    return {
        name: {measure: fmean(answer.figures[name][measure] for answer in answered) for measure in MEASURES}
        for name in answered[0].figures
    }


def _differences(answered: Sequence[Answered], seed: int) -> dict[str, tuple[float, float, float]]:
    """How much more the engine finds among ten than each baseline, with 95 % intervals."""
    columns = {name: [answer.figures[name]["R@10"] for answer in answered] for name in answered[0].figures}
    return {
        name: interval(columns[ENGINE], column, seed=seed)
        for name, column in columns.items()
        if name != ENGINE
    }
