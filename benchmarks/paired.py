"""Ways of reading, compared question by question over the worlds of a set."""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.measures import COMPARED, DEPTH, MEASURES, interval, measured
from benchmarks.report import Table, progress
from benchmarks.stores import bring, embedder_named, reranker_named
from benchmarks.variants import BUNDLED, Variant
from benchmarks.worlds import ABSTAINING, asked, lines, said, session_of, world
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.errors import InvalidInput
from simonides.memory import Memory
from simonides.recall.result import SearchResult
from simonides.sample import Question, World

BM25: Final = "BM25"
VECTORS: Final = "vectors"
_MADE_BY: Final = frozenset({Relation.DERIVED_FROM, Relation.SUPERSEDES})


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
        contexts: Of each question's context, the tokens and the share of the evidence that it holds; only
            where stores before and after upkeep are compared.
    """

    rankings: Sequence[Sequence[str]]
    search_ms: Sequence[float]
    degradations: Counter[str]
    contexts: Sequence[tuple[int, float]] = ()


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
    if any(variant.upkeep for variant in given[0].variants):
        figures["context"] = {
            variant.name: {
                "tokens": fmean(tokens for some in found for tokens, _ in some.asked[variant.name].contexts),
                "evidence": fmean(held for some in found for _, held in some.asked[variant.name].contexts),
            }
            for variant in given[0].variants
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
            chosen = [variant for variant in task.variants if variant.embedder == embedder]
            kept = path.with_name(f"{number}-kept.db")
            if any(variant.upkeep for variant in chosen):
                _keep_up(path, kept, embedder)
            for variant in chosen:
                by_name[variant.name] = _ask(
                    found, questions, kept if variant.upkeep else path, variant, contexts=kept.exists()
                )
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


def _keep_up(path: Path, kept: Path, embedder: str) -> None:
    """A copy of a store, after every job of upkeep."""
    shutil.copyfile(path, kept)
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(kept, settings=settings, embedder=embedder_named(embedder)) as memory:
        run = memory.maintain()
        if failed := [part.error for part in (run, *run.parts) if part.error]:
            raise RuntimeError(f"upkeep failed: {failed[0]}")


def _made_of(memory: Memory, item: Item) -> list[str]:
    """The turns that an item was made of, by their ids in the set; its own where it is one."""
    turns: list[str] = []
    waiting, seen = [item.id], {item.id}
    while waiting:
        found = memory.explain(waiting.pop(0))
        if found.item.type == "episode":
            turns.append(found.item.provenance.source_id or found.item.id)
        sources = {link.dst for link in found.links if link.src == found.item.id and link.rel in _MADE_BY}
        waiting += sorted(sources - seen)
        seen |= sources
    return turns


def _ask(
    found: World, questions: Sequence[Question], path: Path, variant: Variant, *, contexts: bool = False
) -> Asked:
    told: list[tuple[int, float]] = []
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
            ranking: list[str] = []
            for hit in result.hits:
                turns = [hit.item.provenance.source_id or hit.item.id]
                if hit.item.type != "episode":
                    turns = _made_of(memory, hit.item) if variant.credited else []
                # What the engine made itself keeps its place in the ranking; it answers nothing by itself.
                new = (turn for turn in turns if turn in known and turn not in ranking)
                ranking.append(next(new, f"made:{hit.item.id}"))
            rankings.append(ranking)
            if contexts:
                context = memory.context(question.text, at=question.at)
                held = {turn for item in context.items for turn in _made_of(memory, item)}
                wanted = frozenset(question.evidence_turns)
                told.append((context.tokens, len(wanted & held) / len(wanted)))
    return Asked(rankings, search_ms, degradations, told)


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
    """Table of what did not work as it should; none if all did."""
    rows = [
        [f"{row}: {text}", count] for row, told in figures["degraded"].items() for text, count in told.items()
    ]
    return [Table("what did not work as it should", ("", "searches"), rows)] if rows else []
