"""Choose the weights of the balanced profile on development data.

usage: python benchmarks/tune.py DATA_DIR [--cache FILE] [--rounds N] [--seed N]

Gathers the candidates' features of every question once, through the read path itself, and then tries
weights on them: a random step in a few weights at a time is kept if it raises the goal. The goal is
the mean over the sets of R@5, R@10 and MRR over the first ten (R@3 and R@5 on the Chinese notes), each
set counting the same, so that one profile serves them all. The weights found last are printed; how far
it is goes to standard error.
"""

from __future__ import annotations

import argparse
import pickle
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.bench.report import progress
from simonides.bench.worlds import ABSTAINING, FILES, asked, lines, world
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.domain.scope import GLOBAL
from simonides.domain.selection import Selection, visible
from simonides.memory import Memory
from simonides.recall.rank import Features, Weights, scores
from simonides.recall.result import Query
from simonides.sample import Question, World


class Asked(NamedTuple):
    """One question: its candidates, which of them are evidence, and how much evidence there is in all."""

    features: Features
    hit: NDArray[np.bool_]
    evidence: int


def gather(folder: Path, name: str) -> list[Asked]:
    """Every question of a set that can be measured. Only a development file is read."""
    found: list[Asked] = []
    for number, line in enumerate(lines(folder / f"{FILES[name]}_dev.jsonl.gz"), 1):
        place = world(line)
        found += candidates(place, asked(place.questions, abstaining=name in ABSTAINING))
        if number % 25 == 0:
            progress(f"{name}: {number} worlds")
    progress(f"{name}: {len(found)} questions")
    return found


def candidates(place: World, questions: Sequence[Question]) -> list[Asked]:
    """What a store with one world offers for each question."""
    found: list[Asked] = []
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "w.db", settings=settings) as memory:
        items: dict[str, str] = {}
        for session in place.sessions:
            added = memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
            pairs = zip(session.turns, added.verdicts, strict=True)
            items |= {turn.id: verdict.item_id for turn, verdict in pairs if verdict.item_id}
        parts = memory._parts  # noqa: SLF001 - the read path is what is tuned
        with parts.store.read() as reader:
            for question in questions:
                now = parts.clock.now()
                query = Query(
                    text=question.text,
                    selection=Selection(scopes=visible(GLOBAL), live_at=now),
                    k=10,
                    at=now if question.at is None else instant(question.at),
                )
                features = parts.recall.candidates(reader, query).features
                evidence = set(question.evidence_turns)
                keys = {reader.key(items[turn]) for turn in evidence if turn in items}
                hit = np.array([key in keys for key in features.keys.tolist()], bool)
                found.append(Asked(features, hit, len(evidence)))
    return found


def measure(questions: Sequence[Asked], weights: Weights) -> dict[str, float]:
    """The means of the measures over a set."""
    sums = {"R@3": 0.0, "R@5": 0.0, "R@10": 0.0, "MRR": 0.0}
    for features, hit, evidence in questions:
        if not len(hit):
            continue
        order = np.lexsort((features.keys, -np.round(scores(features, weights).score, 6)))
        ranked = hit[order]
        for k in (3, 5, 10):
            sums[f"R@{k}"] += ranked[:k].sum() / evidence
        first = np.flatnonzero(ranked[:10])
        sums["MRR"] += 1 / (first[0] + 1) if len(first) else 0.0
    return {name: value / len(questions) for name, value in sums.items()}


def goal(figures: Mapping[str, Mapping[str, float]]) -> float:
    """What is to rise."""
    wanted = {name: ("R@3", "R@5") if name == "memdaily" else ("R@5", "R@10", "MRR") for name in figures}
    return float(np.mean([np.mean([figures[name][one] for one in wanted[name]]) for name in figures]))


def stepped(weights: Weights, rng: random.Random) -> Weights:
    """The weights with one to three of them moved at random; the span of the prior stays."""
    names = [field.name for field in fields(Weights) if field.name != "prior_span"]
    step = {
        name: max(0.0, getattr(weights, name) * rng.uniform(0.6, 1.6) + rng.uniform(-0.03, 0.03))
        for name in rng.sample(names, rng.randint(1, 3))
    }
    # A discount takes away no more than all.
    return replace(
        weights, **{name: min(value, 1.0) if name == "long_answer" else value for name, value in step.items()}
    )


def told(weights: Weights, best: float) -> str:
    """The goal that is reached, and by which weights."""
    return f"{best:.4f} { ({name: round(value, 3) for name, value in asdict(weights).items()}) }"


def main() -> None:
    """Gather, or take what was gathered, and try."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="keep the features here between runs")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        data: dict[str, list[Asked]] = pickle.loads(options.cache.read_bytes())
    else:
        data = {name: gather(options.data, name) for name in FILES}
        if options.cache:
            options.cache.write_bytes(pickle.dumps(data))
    rng = random.Random(options.seed)
    weights = Weights()
    figures = {name: measure(found, weights) for name, found in data.items()}
    best = goal(figures)
    progress(f"before: {told(weights, best)}")
    for number in range(1, options.rounds + 1):
        tried = stepped(weights, rng)
        found = {name: measure(questions, tried) for name, questions in data.items()}
        if goal(found) > best:
            weights, figures, best = tried, found, goal(found)
            progress(f"round {number}: {told(weights, best)}")
    print(told(weights, best))
    for name, measures in figures.items():
        print(f"  {name:12}", "  ".join(f"{measure} {value:.3f}" for measure, value in measures.items()))


if __name__ == "__main__":
    main()
