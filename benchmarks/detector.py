"""Train the learned detector, judge it by sources that were left out, and write its weights and card.

    python -m benchmarks.detector --data DIR [--folds-only]

Labelled rows come from `DIR/security/*_dev.jsonl.gz`; the rest is made up by a seed from `detector.toml`, beside this
file, and from the notes that the policy's bench makes. What is reported of a source was scored by weights that saw
nothing of it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.notes import notes
from simonides.governance import learned
from simonides.governance.learned import BUCKETS, Pieces, pieces, windows
from simonides.governance.scan import scan
from simonides.sample import load_sample

_HERE: Final = Path(__file__).parent
_SEED: Final = 20_261
_ROUNDS: Final = 3
_STEPS: Final = 70
_RATE: Final = 0.08
_DECAY: Final = 8e-6
#: Windows of a harmless text that are learned from: those that look worst, and some others.
_WORST: Final = 3
_OTHERS: Final = 1
_MADE: Final = {"orders": 1_400, "harmless": 1_500, "notes": 400}
#: Texts that a piece must stand in to count.
_LEAST_TEXTS: Final = 3
_SLOT: Final = re.compile(r"\{([a-z]+\d?(?:_[a-z]{2})?)\}")
#: Sources of fewer rows are left out together.
_SMALL: Final = 15
#: Shares of harmless texts that may be flagged when a model proposes them.
_ORDINARY: Final = 0.006
_LOOK_ALIKES: Final = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """A text, whether it gives orders to a model, where it is from, and how hard it is."""

    text: str
    order: bool
    source: str
    tier: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with security/*_dev.jsonl.gz")
    parser.add_argument("--folds-only", action="store_true", help="judge, but write nothing")
    options = parser.parse_args()
    files = sorted((options.data / "security").glob("*_dev.jsonl.gz"))
    rows = [row for file in files for row in labelled(file)]
    made = [*made_up("orders", order=True), *made_up("harmless", order=False), *plain()]
    cut = {row.text: pieces(row.text) for row in (*rows, *made)}
    judged = left_out(rows, made, cut)
    threshold = threshold_of(judged)
    for row, value in sorted(judged, key=lambda pair: -pair[1]):
        if not row.order and value > threshold:
            print(f"{value - threshold:+.2f} {row.tier} {row.source} {row.text[:90]!r}")
    figures = figures_of(judged, threshold)
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    if options.folds_only:
        return
    weights, bias = trained([*rows, *made], cut)
    scale = float(np.abs(weights).max()) / 127
    folder = Path(learned.__file__).parent
    np.savez_compressed(
        folder / "learned.npz",
        weights=np.round(weights / scale).astype(np.int8),
        scale=np.float64(scale),
        offset=np.float64(bias - threshold),
    )
    card = {
        "what": "a linear model over hashed pieces of texts: how much one sounds like an order to its reader",
        "made_by": "benchmarks/detector.py",
        "seed": _SEED,
        "buckets": BUCKETS,
        "threshold_in_log_odds": threshold,
        "weights_sha256": hashlib.sha256((folder / "learned.npz").read_bytes()).hexdigest(),
        "data": [
            *(_told(file, _LICENCE) for file in files),
            _told(_HERE / "detector.toml", _OURS) | {"texts": _MADE["orders"] + _MADE["harmless"]},
            _told(_HERE / "notes.toml", _OURS) | {"texts": _MADE["notes"]},
            {"file": "the sample conversation", "licence": _OURS},
        ],
        "left_out_by_source": figures,
    }
    (folder / "learned.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _told(file: Path, licence: str) -> dict[str, Any]:
    return {"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest(), "licence": licence}


_OURS: Final = "of this project"
_LICENCE: Final = "many sources, named row by row, some without a licence: only weights are kept, no text"


def labelled(file: Path) -> Iterator[Row]:
    """Rows of a labelled file: injections and what is benign, secrets left out."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, str] = json.loads(line)
            if row["label"] != "secret":
                yield Row(row["text"], row["label"] == "injection", _family(row["source"]), row["tier"])


def _family(source: str) -> str:
    """Sources that belong together are left out together."""
    return re.split(r"[:/_ (]", source, maxsplit=1)[0]


def made_up(part: str, *, order: bool) -> list[Row]:
    """Sentences of `detector.toml`, alone, after ordinary ones, and in front of them."""
    draw = random.Random(f"{_SEED} {part}")
    table: dict[str, Any] = tomllib.loads((_HERE / "detector.toml").read_text("utf-8"))[part]
    slots = table.pop("slots")
    groups = list(table.values())
    carriers = [note.text for note in notes(600, _SEED, long=False)]
    found: list[Row] = []
    for _ in range(_MADE[part]):
        text = _filled(draw.choice(draw.choice(groups)), slots, draw)
        place = draw.random()
        if place < 0.2:
            text = f"{draw.choice(carriers)} {text}"
        elif place < 0.3:
            text = f"{text}\n{draw.choice(carriers)}"
        found.append(Row(text, order, f"made {part}", "core"))
    return found


def _filled(text: str, slots: Mapping[str, Sequence[str]], draw: random.Random) -> str:
    while _SLOT.search(text):
        text = _SLOT.sub(lambda slot: draw.choice(slots[slot[1]]), text, count=1)
    return text[:1].upper() + text[1:]


def plain() -> list[Row]:
    """Ordinary notes, and turns of the sample conversation."""
    some = [note.text for note in notes(_MADE["notes"], _SEED + 1, long=False)]
    said = [turn.text for turn in load_sample().turns.values()]
    return [Row(text, order=False, source="made notes", tier="core") for text in (*some, *said)]


# Training


@dataclass(frozen=True, slots=True)
class Bag:
    """Windows of texts as rows of a sparse matrix."""

    indices: np.ndarray[Any, np.dtype[np.int64]]
    rows: np.ndarray[Any, np.dtype[np.int64]]
    norms: np.ndarray[Any, np.dtype[np.float64]]


def trained(rows: Sequence[Row], cut: Mapping[str, Pieces]) -> tuple[np.ndarray[Any, Any], float]:
    """Weights and bias: an order by its strongest window, a harmless text by its worst and some others."""
    draw = np.random.default_rng(_SEED)
    weights, bias = np.zeros(BUCKETS), 0.0
    texts = np.zeros(BUCKETS, np.int64)
    for row in rows:
        texts[np.unique(cut[row.text].hashes)] += 1
    known = texts >= _LEAST_TEXTS
    for round_ in range(_ROUNDS):
        instances: list[tuple[np.ndarray[Any, Any], float, bool, str]] = []
        for row in rows:
            some = cut[row.text]
            if not len(some.hashes):
                continue
            scores, begins, stops = windows(some, weights[some.hashes])
            order = np.argsort(-scores)
            if row.order:
                whole = round_ == 0
                picked = [order[0]] if not whole else [None]
            else:
                rest = order[_WORST:]
                picked = [*order[:_WORST], *draw.choice(rest, min(_OTHERS, len(rest)), replace=False)]
            for which in picked:
                begin, stop = (
                    (0, len(some.text)) if which is None else (int(begins[which]), int(stops[which]))
                )
                inside = (some.places >= begin) & (some.places < stop) & known[some.hashes]
                instances.append((some.hashes[inside], _norm(stop - begin), row.order, row.source))
        weights, bias = _fitted(instances)
        weights *= known
    return weights, bias


def _norm(length: int) -> float:
    return 1.0 / float(np.sqrt(length + learned._CALM))  # noqa: SLF001


def _fitted(
    instances: Sequence[tuple[np.ndarray[Any, Any], float, bool, str]],
) -> tuple[np.ndarray[Any, Any], float]:
    """Logistic regression with decay, by Adam over all instances at once. Both classes weigh the same."""
    sizes = [len(one[0]) for one in instances]
    indices = np.concatenate([one[0] for one in instances]).astype(np.int64)
    rows = np.repeat(np.arange(len(instances)), sizes)
    norms = np.array([one[1] for one in instances])
    labels = np.array([one[2] for one in instances], np.float64)
    share = np.where(labels > 0, 0.5 / max(labels.sum(), 1), 0.5 / max((1 - labels).sum(), 1))
    weights, bias = np.zeros(BUCKETS), 0.0
    first, second = np.zeros(BUCKETS + 1), np.zeros(BUCKETS + 1)
    for step in range(1, _STEPS + 1):
        logits = np.bincount(rows, weights[indices], minlength=len(labels)) * norms + bias
        error = (1 / (1 + np.exp(-np.clip(logits, -30, 30))) - labels) * share
        slope = np.bincount(indices, (error * norms)[rows], minlength=BUCKETS) + _DECAY * weights
        slope = np.append(slope, error.sum())
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        move = _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-7)
        weights -= move[:-1]
        bias -= float(move[-1])
    return weights, bias


# Judging


def left_out(rows: Sequence[Row], made: Sequence[Row], cut: Mapping[str, Pieces]) -> list[tuple[Row, float]]:
    """Every labelled row with the score of weights that saw nothing of its source."""
    judged: list[tuple[Row, float]] = []
    sources = sorted({row.source for row in rows})
    folds = _folds(sources, Counter(row.source for row in rows))
    for fold in folds:
        rest = [row for row in rows if row.source not in fold]
        weights, bias = trained([*rest, *made], cut)
        print(len(judged), sorted(fold), flush=True)
        judged += [(row, score(cut[row.text], weights, bias)) for row in rows if row.source in fold]
    return judged


def _folds(sources: Sequence[str], sizes: Mapping[str, int]) -> list[frozenset[str]]:
    """Large sources alone, the small ones together."""
    small = frozenset(source for source in sources if sizes[source] < _SMALL)
    return [*(frozenset({source}) for source in sources if source not in small), small]


def score(cut: Pieces, weights: np.ndarray[Any, Any], bias: float) -> float:
    if not len(cut.hashes):
        return bias
    return float(windows(cut, weights[cut.hashes])[0].max()) + bias


def threshold_of(judged: Sequence[tuple[Row, float]]) -> float:
    """The lowest at which few enough harmless texts are flagged."""
    lowest = -np.inf
    for tier, share in (("core", _ORDINARY), ("hard", _LOOK_ALIKES)):
        some = sorted(value for row, value in judged if not row.order and row.tier == tier)
        lowest = max(lowest, some[-1 - int(share * len(some))])
    return float(lowest) + 0.02


_WHO: Final = ("model", "rules", "together")


def figures_of(judged: Sequence[tuple[Row, float]], threshold: float) -> dict[str, Any]:
    """Shares flagged by the model alone, and beside the rules, as when a model proposes a text."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row, value in judged:
        hit = value > threshold
        rules = {f.category for f in scan(row.text)}
        outright = not rules.isdisjoint({"injection", "mimicry"})
        held = outright or "self_instruction" in rules
        label = "order" if row.order else "harmless"
        for name in (f"{label}, {row.tier}", f"{label}, {row.source}"):
            for index, true in enumerate((True, hit, held, held or hit)):
                counts[name][index] += true
    return {
        name: {"texts": texts} | {who: round(hits / texts, 4) for who, hits in zip(_WHO, some, strict=True)}
        for name, (texts, *some) in sorted(counts.items())
    }


if __name__ == "__main__":
    main()
