"""Ways of reading, compared question by question over the worlds of a set."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from simonides.bench.baselines import PlainBm25, PlainVectors
from simonides.bench.measures import COMPARED, DEPTH, MEASURES, interval, measured
from simonides.bench.report import Table, progress
from simonides.bench.stores import bring, embedder_named, reranker_named
from simonides.bench.variants import BUNDLED, Variant
from simonides.bench.worlds import ABSTAINING, asked, lines, said, session_of, world
from simonides.errors import InvalidInput
from simonides.memory import Memory
from simonides.recall.result import SearchResult
from simonides.sample import Question, World

BM25: Final = "BM25"
VECTORS: Final = "vectors"


@dataclass(frozen=True, slots=True)
class Task:
    """One world to be measured, as a worker process gets it.

    Attributes:
        line: The world's JSON.
        variants: At least one; the others are compared with the first.
        abstaining: Whether its questions without an answer are asked too, where they name turns.
        baselines: Measure plain BM25 and plain vectors besides.
        keep: Folder and name of its kept store, as one path; None to keep nothing.
    """

    line: str
    variants: tuple[Variant, ...]
    abstaining: bool = False
    baselines: bool = False
    keep: Path | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: its measures by row."""

    id: str
    category: str
    figures: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a world, asked in one way.

    Attributes:
        rankings: The turns that each question found, best first.
        search_ms: The time of each search.
        degradations: What did not work as it should, by how many searches said so.
    """

    rankings: Sequence[Sequence[str]]
    search_ms: Sequence[float]
    degradations: Counter[str]


@dataclass(frozen=True, slots=True)
class Measured:
    """One world.

    Attributes:
        add_s: Time to add its turns; None where they were there.
        asked: By variant, how the questions were answered.
    """

    turns: int
    answered: Sequence[Answered]
    add_s: float | None
    asked: Mapping[str, Asked]


def tasks(
    name: str, path: Path, variants: Iterable[Variant], *, baselines: bool, keep: Path | None
) -> list[Task]:
    """The worlds of a set's file.

    Args:
        keep: Folder of kept stores, or None.
    """
    stem, chosen = path.name.partition(".")[0], tuple(variants)
    return [
        Task(line, chosen, name in ABSTAINING, baselines, None if keep is None else keep / f"{stem}-{number}")
        for number, line in enumerate(lines(path))
    ]


def measure(name: str, given: Sequence[Task], *, workers: int = 2, seed: int = 1) -> dict[str, Any]:
    """Measure the worlds of a set, several at a time, each in a store of its own.

    Returns:
        `sizes` and `figures`: means by row, overall and by category; differences of the first row and
        each other one with 95 % intervals; times.

    Raises:
        InvalidInput: No question can be measured.
    """
    began = time.perf_counter()
    found = _all_measured(given, workers)
    answered = [answer for some in found for answer in some.answered]
    if not answered:
        raise InvalidInput(f"{name}: no question names the turns that answer it; there is nothing to measure")
    groups: dict[str, list[Answered]] = {}
    for answer in answered:
        groups.setdefault(answer.category, []).append(answer)
    figures: dict[str, Any] = {
        "overall": _means(answered),
        "differences": _differences(answered, seed),
        "categories": {
            category: {"questions": len(some), **_means(some), "differences": _differences(some, seed)}
            for category, some in sorted(groups.items())
        },
        "search_ms_p50": {
            variant.name: median([ms for some in found for ms in some.asked[variant.name].search_ms])
            for variant in given[0].variants
        },
        "degraded": {
            variant.name: dict(told)
            for variant in given[0].variants
            if (told := sum((some.asked[variant.name].degradations for some in found), Counter[str]()))
        },
        "wall_s": time.perf_counter() - began,
    }
    if added := [some for some in found if some.add_s is not None]:
        spent = sum(some.add_s or 0.0 for some in added)
        figures["add_turns_per_s"] = sum(some.turns for some in added) / spent
    sizes = {
        "worlds": len(given),
        "questions": len(answered),
        "turns": sum(some.turns for some in found),
    }
    return {"sizes": sizes, "figures": figures}


def measure_world(task: Task) -> Measured:
    """Fill a store with one world and ask it the world's questions in every way."""
    found = world(task.line)
    questions = asked(found.questions, abstaining=task.abstaining)
    if not questions:
        nothing = {variant.name: Asked([], [], Counter()) for variant in task.variants}
        return Measured(len(found.turns), [], None, nothing)
    by_name: dict[str, Asked] = {}
    add_s: float | None = None
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        for number, embedder in enumerate(dict.fromkeys(variant.embedder for variant in task.variants)):
            path = Path(folder) / f"{number}.db"
            spent = bring(found, path, embedder, task.keep)
            add_s = spent if number == 0 else add_s
            for variant in task.variants:
                if variant.embedder == embedder:
                    by_name[variant.name] = _ask(found, questions, path, variant)
    rankings = {variant.name: by_name[variant.name].rankings for variant in task.variants}
    if task.baselines:
        rankings |= _plain(found, questions, task.variants)
    return Measured(len(found.turns), _answered(found, questions, rankings), add_s, by_name)


def opened(path: Path, variant: Variant) -> Memory:
    """A store to be asked in one way. Nothing is noted of a search: no question changes what another finds."""
    return Memory(
        path,
        settings=variant.settings,
        embedder=embedder_named(variant.embedder),
        reranker=None if variant.reranker is None else reranker_named(variant.reranker),
        read_only=True,
    )


def _ask(found: World, questions: Sequence[Question], path: Path, variant: Variant) -> Asked:
    rankings: list[list[str]] = []
    search_ms: list[float] = []
    degradations: Counter[str] = Counter()
    known = found.turns
    with opened(path, variant) as memory:
        search: Any = memory.search
        search(
            questions[0].text, k=DEPTH, at=questions[0].at, **variant.asking
        )  # Loads what is to be loaded.
        for question in questions:
            began = time.perf_counter()
            result: SearchResult = search(question.text, k=DEPTH, at=question.at, **variant.asking)
            search_ms.append((time.perf_counter() - began) * 1000)
            degradations.update(result.degradations)
            ids = (hit.item.provenance.source_id or hit.item.id for hit in result.hits)
            # What the engine made itself keeps its place in the ranking; it answers nothing here.
            rankings.append([turn if turn in known else f"made:{turn}" for turn in ids])
    return Asked(rankings, search_ms, degradations)


def _plain(
    found: World, questions: Sequence[Question], variants: Sequence[Variant]
) -> dict[str, Sequence[Sequence[str]]]:
    """The rankings of the baselines: BM25, and the vectors of each embedder."""
    texts = {turn.id: said(turn) for turn in found.turns.values()}
    plain: dict[str, PlainBm25 | PlainVectors] = {BM25: PlainBm25(texts)}
    for name in dict.fromkeys(variant.embedder for variant in variants):
        row = VECTORS if name == BUNDLED else f"{VECTORS} of {name}"
        plain[row] = PlainVectors(texts, embedder_named(name))
    return {
        name: [system.ranking(question.text, DEPTH) for question in questions]
        for name, system in plain.items()
    }


def _answered(
    found: World, questions: Sequence[Question], rankings: Mapping[str, Sequence[Sequence[str]]]
) -> list[Answered]:
    sessions = session_of(found)
    return [
        Answered(
            question.id,
            question.category,
            {
                name: measured(
                    some[number],
                    [sessions.get(turn, "") for turn in some[number]],
                    frozenset(question.evidence_turns),
                    frozenset(question.evidence_sessions),
                )
                for name, some in rankings.items()
            },
        )
        for number, question in enumerate(questions)
    ]


def _all_measured(given: Sequence[Task], workers: int) -> list[Measured]:
    if workers == 1 or len(given) == 1:
        return [measure_world(task) for task in given]
    # Not forked: a parent may hold threads and open stores.
    context = multiprocessing.get_context("spawn")
    found: list[Measured] = []
    with ProcessPoolExecutor(workers, context) as pool:
        for number, some in enumerate(pool.map(measure_world, given, chunksize=1), 1):
            found.append(some)
            if number % 25 == 0:
                progress(f"{number} of {len(given)} worlds")
    return found


def _means(answered: Sequence[Answered]) -> dict[str, dict[str, float]]:
    return {
        name: {measure: fmean(answer.figures[name][measure] for answer in answered) for measure in MEASURES}
        for name in answered[0].figures
    }


def _differences(answered: Sequence[Answered], seed: int) -> dict[str, dict[str, tuple[float, float, float]]]:
    """The first row − each other one, question by question: mean and 95 % interval by measure."""
    first, *others = answered[0].figures
    return {
        name: {
            measure: interval(
                [answer.figures[first][measure] for answer in answered],
                [answer.figures[name][measure] for answer in answered],
                seed=seed,
            )
            for measure in COMPARED
        }
        for name in others
    }


def degraded(figures: Mapping[str, Any]) -> list[Table]:
    """What did not work as it should, as a table; none if all did."""
    rows = [
        [f"{row}: {text}", count] for row, told in figures["degraded"].items() for text, count in told.items()
    ]
    return [Table("what did not work as it should", ("", "searches"), rows)] if rows else []
