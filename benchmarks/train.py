"""Learn the trees of the balanced profile, and the confidence, from development data of every kind.

usage: python -m benchmarks.train DATA_DIR [--cache DIR] [--sets all|free] [--write] [--out FILE]

Needs LightGBM beside Simonides: pip install -e '.[train]'. Gathers the candidates of every question once, through
the read path itself. A set's questions are measured with trees that never saw the set: these figures are the ones
to quote, since the trees that are written saw all of it.

So that the ranking does not lean on what another store may lack, each question is learned from three
times: as it is, without vectors, and with turns that stand alone (no session, no speaker). A set counts as much as
`WEIGHTS` says, whatever its size.

The confidence is fitted on the same questions, and on others of which their store says nothing.

`--write` puts the trees, the weights of the confidence and their card into the package (`recall/ranking/model.npz` and
`model.json`). The cache knows what was gathered by the data and by the code that reads questions and texts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import calibrated, sureness
from benchmarks.gathering import EVERY_SET, FOLD, OWN, Asked, data_hash, gathered
from benchmarks.measures import interval
from benchmarks.report import commit, machine, progress, write
from benchmarks.worlds import Kind
from simonides.recall.ranking import model, trees
from simonides.recall.ranking.confidence import EVIDENCE, WITHOUT_VECTORS
from simonides.recall.ranking.features import GROUPS, NAMES

if TYPE_CHECKING:
    import lightgbm

TREES: Final = 120
#: What the trees may not turn round: more of it never lowers a score.
_RISING: Final = frozenset(
    {
        "linear_share", "linear_rank", "alone_rank", "coverage", "cosine", "lexical", "bm25", "entity", "tag",
        "pinned",
    }
)  # fmt: skip
_LEARNING: Final[dict[str, Any]] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 20,
    "learning_rate": 0.1,
    "num_leaves": 8,
    "min_data_in_leaf": 100,
    "lambda_l2": 10.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "monotone_constraints": [int(name in _RISING) for name in NAMES],
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,  # Sums differ in their last bits with the number of threads, and trees with them.
    "seed": 1,
    "verbose": -1,
}
#: What the copies of a question count, beside the question as it is.
_COPY: Final = 0.3
#: What a set counts for the ranking; those of 0 teach the confidence alone.
WEIGHTS: Final = dict.fromkeys(EVERY_SET, 0.4) | {
    "locomo": 1.0, "longmemeval": 1.0, "beam": 1.0, "memdaily": 1.0, "xquad_small": 0.2, "cranfield_small": 0.2,
    "realmem_notes_small": 0.0, "locomo_small": 0.0, "realtalk_small": 0.0, "qmsum_small": 0.0,
}  # fmt: skip
_MEASURES: Final = ("R@1", "R@3", "R@5", "R@10", "MRR")
_CUTS: Final = (1, 3, 5, 10)


def learned(questions: Sequence[Asked], rounds: int) -> lightgbm.Booster:
    """Trees that rank these questions."""
    import lightgbm  # noqa: PLC0415 - only what learns needs it

    questions = [one for one in questions if WEIGHTS[one.set]]
    sizes = Counter(one.set for one in questions)
    views = [
        (view, (1.0 if number == 0 else _COPY) * WEIGHTS[one.set] / sizes[one.set])
        for one in questions
        for number, view in enumerate(one.views)
        if view.hit.any()
    ]
    mean = sum(weight for _, weight in views) / len(views)
    data = lightgbm.Dataset(
        np.vstack([view.rows for view, _ in views]),
        np.concatenate([view.hit for view, _ in views]).astype(int),
        group=[len(view.hit) for view, _ in views],
        weight=np.concatenate([np.full(len(view.hit), weight / mean) for view, weight in views]),
        feature_name=list(NAMES),
    )
    return lightgbm.train(_LEARNING, data, rounds)


def measured(hit: NDArray[np.bool_], evidence: int) -> list[float]:
    """R@1, R@3, R@5, R@10 and the reciprocal rank of one ranking, given which of it answer."""
    first = np.flatnonzero(hit[:50])
    recalls = [float(hit[:k].sum()) / evidence for k in _CUTS]
    return [*recalls, 1 / (int(first[0]) + 1) if len(first) else 0.0]


def in_order(hit: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True where a candidate answers, from the highest score to the lowest."""
    return hit[np.argsort(-np.round(scores, 6), kind="stable")]


def left_out(questions: Sequence[Asked], rounds: int, seen: Sequence[str]) -> list[NDArray[np.float64]]:
    """The scores of each question's shortlist, by trees that never saw its set, nor any that was made from it.

    Args:
        seen: Sets that are learned from, but for the one that is left out.
    """
    found: list[NDArray[np.float64]] = [np.zeros(0)] * len(questions)
    for fold in sorted({FOLD[one.set] for one in questions}):
        booster = learned([one for one in questions if FOLD[one.set] != fold and one.set in seen], rounds)
        for number, one in enumerate(questions):
            if FOLD[one.set] == fold and len(one.views[0].hit):
                found[number] = with_meaning(one, np.asarray(booster.predict(one.views[0].rows)))
        progress(
            f"left out {', '.join(dict.fromkeys(one.set for one in questions if FOLD[one.set] == fold))}"
        )
    return found


def with_meaning(one: Asked, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores of a question's shortlist with the share that likeness of meaning has in them, as a search has it."""
    view = one.views[0]
    return (1 - view.share) * scores + view.share * view.alike


def packed(booster: lightgbm.Booster, by_group: Mapping[str, Sequence[str]]) -> trees.Trees:
    """LightGBM's trees in our form; `base` is what they come to in the mean.

    Args:
        by_group: The names of the features, in their order.
    """
    groups = tuple(by_group)
    names = tuple(name for some in by_group.values() for name in some)
    group_of = [number for number, group in enumerate(groups) for _ in by_group[group]]
    dumped = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    leaves, splits = trees.LEAVES, trees.LEAVES - 1
    feature = np.zeros((len(dumped), splits), np.uint8)
    threshold = np.full((len(dumped), splits), np.inf)
    mask = np.full((len(dumped), splits), trees.ALL, trees.ALL.dtype)
    parts = np.zeros((len(dumped), leaves, len(groups)))
    base = 0.0
    for number, root in enumerate(dumped):
        base += _value(root)
        counted = [0, 0]  # Leaves and splits so far.

        def walk(
            node: Mapping[str, Any],
            sums: NDArray[np.float64],
            number: int = number,
            counted: list[int] = counted,
        ) -> int:
            """Number the leaves from left to right; the leaves below a node, as bits."""
            if "leaf_value" in node:
                leaf = counted[0]
                counted[0] += 1
                parts[number, leaf] = sums
                return 1 << leaf
            split = counted[1]
            counted[1] += 1
            below: list[int] = []
            for child in (node["left_child"], node["right_child"]):
                moved = sums.copy()
                moved[group_of[node["split_feature"]]] += _value(child) - _value(node)
                below.append(walk(child, moved))
            feature[number, split] = node["split_feature"]
            threshold[number, split] = node["threshold"]
            mask[number, split] = int(trees.ALL) & ~below[0]
            return below[0] | below[1]

        walk(root, np.zeros(len(groups)))
    return trees.Trees(names, groups, feature, threshold, mask, np.round(parts, 7), round(base, 6))


def _at_zero(forest: trees.Trees) -> trees.Trees:
    """The forest with a base by which a row of zeros scores 0: where only differences count."""
    nothing = forest.parts_of(forest.leaves(np.zeros((1, len(forest.names))))).sum()
    return replace(forest, base=round(-float(nothing), 6))


def _value(node: Mapping[str, Any]) -> float:
    return float(node["leaf_value"] if "leaf_value" in node else node["internal_value"])


def table(questions: Sequence[Asked], scores: Sequence[NDArray[np.float64]]) -> dict[str, Any]:
    """Means by set: of the trees and of what they have to beat, with the lead in R@10 and its 95 % interval."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(one.set for one in questions):
        own = [pair for pair in zip(questions, scores, strict=True) if pair[0].set == name]
        ways = {
            "trees": [measured(in_order(one.views[0].hit, some), one.evidence) for one, some in own],
            "first look": [
                measured(in_order(one.views[0].hit, one.views[0].linear), one.evidence) for one, _ in own
            ],
            **{
                plain: [measured(one.plain[plain], one.evidence) for one, _ in own]
                for plain in ("BM25", "vectors")
            },
        }
        place = _MEASURES.index("R@10")
        ours = [row[place] for row in ways["trees"]]
        found[name] = {
            "kind": EVERY_SET[name].kind.value,
            "questions": len(own),
            **{way: _means(rows) for way, rows in ways.items()},
            "lead in R@10": {
                way: interval(ours, [row[place] for row in rows], seed=1)
                for way, rows in ways.items()
                if way != "trees"
            },
        }
    return found


def by_kind(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Means of the sets of each kind, each set counting the same, and of all sets."""
    kinds = {kind.value: [one for one in figures.values() if one["kind"] == kind.value] for kind in Kind}
    return {
        kind: {
            way: {
                measure: round(float(np.mean([one[way][measure] for one in some])), 4)
                for measure in _MEASURES
            }
            for way in ("trees", "first look", "BM25", "vectors")
        }
        for kind, some in ({**kinds, "every set": list(figures.values())}).items()
        if some
    }


def _means(rows: Sequence[Sequence[float]]) -> dict[str, float]:
    return dict(zip(_MEASURES, np.mean(np.array(rows), axis=0).round(4).tolist(), strict=True))


def _make_way() -> None:
    """Put trees that say nothing in place, to gather with, if the package's do not fit the code."""
    try:
        found = model.bundled()
        if (found.trees.names, found.confidence.names) == (NAMES, EVIDENCE):
            return
    except KeyError:  # Of a version that wrote it otherwise.
        pass
    none = {kind: {"base": 0.0} for kind in WITHOUT_VECTORS}
    bare = model.Model(_bare(NAMES, tuple(GROUPS)), _bare(EVIDENCE, ("evidence",)), none)
    _folder().joinpath(model.WEIGHTS_FILE).write_bytes(model.packed(bare))
    model.bundled.cache_clear()


def _bare(names: tuple[str, ...], groups: tuple[str, ...]) -> trees.Trees:
    return trees.Trees(
        names=names,
        groups=groups,
        feature=np.zeros((1, 1), np.uint8),
        threshold=np.full((1, 1), np.inf),
        mask=np.full((1, 1), trees.ALL),
        parts=np.zeros((1, trees.LEAVES, len(groups))),
        base=0.0,
    )


def _folder() -> Path:
    return Path(model.__file__).parent


def card(outcome: Mapping[str, Any], data: Mapping[str, str], weights: bytes) -> dict[str, Any]:
    """The card of a model: what it was learned from and with, and what it reaches on sets that it never saw."""
    return {
        "what": "gradient-boosted trees that rank the candidates of a question, and the likelihood that any answers",
        "made_by": "benchmarks/train.py",
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
        "commit": outcome["commit"],
        "data": {
            name: {
                "title": EVERY_SET[name].title,
                "kind": EVERY_SET[name].kind.value,
                "licence": EVERY_SET[name].licence,
                "weight": WEIGHTS[name],
                "learned from": name in outcome["learned from"],
                "sha256": found,
            }
            for name, found in data.items()
        },
        "licences": outcome["licences"],
        "versions": {name: version(name) for name in ("lightgbm", "numpy", "simonides")}
        | {"python": outcome["machine"]["python"]},
        "trees": outcome["trees"],
        "leaves": _LEARNING["num_leaves"],
        "seed": _LEARNING["seed"],
        "features": {group: list(names) for group, names in GROUPS.items()},
        "never_falling": sorted(_RISING),
        "left_out": {"by_set": outcome["figures"], "by_kind": outcome["kinds"]},
        "confidence": {
            "evidence": list(EVIDENCE),
            "without_vectors": outcome["confidence"]["without vectors"],
            "calibration_error": {
                left: {
                    "all": outcome["confidence"][left]["all"]["error"],
                    **{kind: one["error"] for kind, one in outcome["confidence"][left]["kinds"].items()},
                }
                for left in ("world left out", "set left out")
            },
        },
    }


def put(made: model.Model, outcome: Mapping[str, Any], data: Mapping[str, str]) -> None:
    """Write a model and its card into the package."""
    weights = model.packed(made)
    _folder().joinpath(model.WEIGHTS_FILE).write_bytes(weights)
    text = json.dumps(card(outcome, data, weights), indent=1, ensure_ascii=False)
    _folder().joinpath(model.CARD_FILE).write_text(f"{text}\n", "utf-8")


def main() -> None:
    """Gather, or take what was gathered, and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="keep what was gathered in this folder between runs")
    parser.add_argument("--rounds", type=int, default=TREES)
    parser.add_argument("--workers", type=int, default=2, help="worlds gathered at a time")
    parser.add_argument(
        "--sets",
        choices=("all", "free"),
        default="all",
        help="learn from every set, or only from those whose licences allow any use",
    )
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    parser.add_argument("--write", action="store_true", help="put the model and its card into the package")
    options = parser.parse_args()
    code = commit()  # Before the model is written, which changes the code.
    data = {name: data_hash(options.data, name) for name in EVERY_SET}
    if options.write:
        _make_way()
    questions = gathered(options.data, options.cache, list(EVERY_SET), options.workers)
    own = [one for one in questions if one.group == OWN]
    choices = {"all": list(EVERY_SET), "free": [name for name, one in EVERY_SET.items() if one.free]}
    tables = {choice: table(own, left_out(own, options.rounds, seen)) for choice, seen in choices.items()}
    outcome = {
        "name": "ranker",
        "commit": code,
        "machine": machine(),
        "trees": options.rounds,
        "learned from": choices[options.sets],
        "figures": tables[options.sets],
        "kinds": by_kind(tables[options.sets]),
        "licences": {
            f"learned from {choice} sets": by_kind(found)["every set"]["trees"]
            for choice, found in tables.items()
        },
        "confidence": calibrated(questions),
    }
    print(json.dumps(outcome, indent=1))
    if options.out:
        write(options.out, outcome)
    if options.write:
        seen = [one for one in questions if one.set in choices[options.sets]]
        made = model.Model(
            _at_zero(packed(learned([one for one in seen if one.group == OWN], options.rounds), GROUPS)),
            packed(sureness(seen), {"evidence": EVIDENCE}),
            outcome["confidence"]["without vectors"],
        )
        put(made, outcome, data)


if __name__ == "__main__":
    main()
