"""Choose the weights of the balanced profile on development data.

usage: python benchmarks/tune.py DATA_DIR [--cache FILE] [--rounds N] [--seed N]

Gathers the candidates' features of every question once, through the read path itself, and then tries
weights on them: a random step in a few weights at a time is kept if it raises the goal. The goal is
the mean over the sets of R@5, R@10 and MRR (R@3 and R@5 on the Chinese notes), each set counting the
same, so that one profile serves them all.
"""

from __future__ import annotations

import argparse
import pickle
import random
import tempfile
from dataclasses import asdict, fields, replace
from pathlib import Path

import numpy as np

from simonides.bench.worlds import lines, world
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.domain.scope import GLOBAL
from simonides.domain.selection import Selection, visible
from simonides.memory import Memory
from simonides.recall.rank import Weights, scores
from simonides.recall.result import Query

FILES = {
    "locomo": "locomo_dev.jsonl.gz",
    "longmemeval": "longmemeval_s_dev.jsonl.gz",
    "beam": "beam_100k_dev.jsonl.gz",
    "memdaily": "memdaily_zh_dev.jsonl.gz",
}


def gather(folder: Path, name: str) -> list[tuple]:
    """For each question its features, whether each candidate is evidence, and how much evidence there is."""
    found = []
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    for line in lines(folder / FILES[name]):
        place = world(line)
        with tempfile.TemporaryDirectory() as temporary, Memory(Path(temporary) / "w.db", settings=settings) as memory:
            sources: dict[str, str] = {}
            for session in place.sessions:
                turns = [
                    {"role": t.role, "name": t.name, "content": t.text, "id": t.id, "at": t.at} for t in session.turns
                ]
                result = memory.add(turns, session_id=session.id)
                sources |= {t.id: v.item_id for t, v in zip(session.turns, result.verdicts, strict=True) if v.item_id}
            parts = memory._parts  # noqa: SLF001 - the read path is what is tuned
            with parts.store.read() as reader:
                for question in place.questions:
                    evidence = {turn for turn in question.evidence_turns if turn in sources}
                    if not question.evidence_turns or (question.abstain and name != "locomo"):
                        continue
                    now = parts.clock.now()
                    query = Query(
                        text=question.text,
                        selection=Selection(scopes=visible(GLOBAL), live_at=now),
                        k=10,
                        at=now if question.at is None else instant(question.at),
                    )
                    features = parts.recall.candidates(reader, query).features
                    keys = {reader.key(sources[turn]) for turn in evidence}
                    hit = np.array([key in keys for key in features.keys.tolist()], bool)
                    found.append((features, hit, len(set(question.evidence_turns))))
        print(name, len(found), end="\r", flush=True)
    print()
    return found


def measure(questions: list[tuple], weights: Weights) -> dict[str, float]:
    sums = {"R@3": 0.0, "R@5": 0.0, "R@10": 0.0, "MRR": 0.0}
    for features, hit, total in questions:
        if not len(hit):
            continue
        order = np.lexsort((features.keys, -np.round(scores(features, weights).score, 6)))
        ranked = hit[order]
        for k in (3, 5, 10):
            sums[f"R@{k}"] += ranked[:k].sum() / total
        first = np.flatnonzero(ranked[:10])
        sums["MRR"] += 1 / (first[0] + 1) if len(first) else 0.0
    return {name: value / len(questions) for name, value in sums.items()}


def goal(figures: dict[str, dict[str, float]]) -> float:
    parts = []
    for name, found in figures.items():
        parts.append((found["R@3"] + found["R@5"]) / 2 if name == "memdaily" else (found["R@5"] + found["R@10"] + found["MRR"]) / 3)
    return float(np.mean(parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="keep the features here between runs")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        data = pickle.loads(options.cache.read_bytes())
    else:
        data = {name: gather(options.data, name) for name in FILES}
        if options.cache:
            options.cache.write_bytes(pickle.dumps(data))
    rng = random.Random(options.seed)
    weights = Weights()
    figures = {name: measure(found, weights) for name, found in data.items()}
    best = goal(figures)
    report(weights, figures, best)
    names = [field.name for field in fields(Weights) if field.name != "prior_span"]
    for _ in range(options.rounds):
        step = {
            name: max(0.0, getattr(weights, name) * rng.uniform(0.6, 1.6) + rng.uniform(-0.03, 0.03))
            for name in rng.sample(names, rng.randint(1, 3))
        }
        step = {name: min(value, 1.0) if name == "long_answer" else value for name, value in step.items()}
        tried = replace(weights, **step)
        found = {name: measure(questions, tried) for name, questions in data.items()}
        if goal(found) > best:
            weights, figures, best = tried, found, goal(found)
            report(weights, figures, best)


def report(weights: Weights, figures: dict[str, dict[str, float]], best: float) -> None:
    print(f"\n{best:.4f}", {name: round(value, 3) for name, value in asdict(weights).items()})
    for name, found in figures.items():
        print(f"  {name:12}", "  ".join(f"{measure} {value:.3f}" for measure, value in found.items()))


if __name__ == "__main__":
    main()
