"""Learn the trees of the balanced profile, and the confidence, from development data.

usage: python -m benchmarks.train DATA_DIR [--cache FILE] [--rounds N] [--folds N] [--ladder] [--write] [--out FILE]

Needs LightGBM beside Simonides: pip install -e '.[train]'. Gathers the candidates of every question once,
through the read path itself. A world's questions are measured with trees that never saw the world: these
figures are the ones to quote, since the trees that are written saw all of it.

So that the ranking does not lean on what another store may lack, each question is learned from three
times: as it is, without vectors, and with turns that stand alone (no session, no speaker). Sets count the
same, whatever their size.

The confidence is fitted on the same questions, asked of their own world and of another world of their set.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.measures import interval
from benchmarks.report import commit, machine, progress, write
from benchmarks.worlds import ABSTAINING, FILES, asked, lines, world
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.domain.scope import GLOBAL, visible
from simonides.domain.selection import Selection
from simonides.memory import Memory
from simonides.recall import trees
from simonides.recall.balanced import SHORTLIST, shortlist
from simonides.recall.confidence import WEIGHTS
from simonides.recall.confidence import evidence as matches
from simonides.recall.features import GROUPS, NAMES, Scene, features
from simonides.recall.pool import Pool
from simonides.recall.question.analysis import Analysis
from simonides.recall.result import Query
from simonides.recall.scene import Sighting, scene_of
from simonides.recall.search import RecallSettings
from simonides.sample import Question, World

TREES: Final = 200
#: What the trees may not turn round: more of it never lowers a score.
_RISING: Final = frozenset(
    {"linear_share", "linear_rank", "alone_rank", "coverage", "cosine", "lexical", "bm25"}
)
_LEARNING: Final[dict[str, Any]] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 20,
    "learning_rate": 0.07,
    "num_leaves": 8,
    "min_data_in_leaf": 100,
    "lambda_l2": 10.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "monotone_constraints": [int(name in _RISING) for name in NAMES],
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "seed": 1,
    "verbose": -1,
}
#: What the copies of a question count, beside the question as it is.
_COPY: Final = 0.3
#: Where a search abstains; what the confidence is fitted for.
ABSTAIN_BELOW: Final = RecallSettings().abstain_below
_SETS: Final = tuple(FILES)
_MEASURES: Final = ("R@3", "R@5", "R@10", "MRR")


@dataclass(frozen=True, slots=True)
class View:
    """The shortlist of a question, seen in one way."""

    rows: NDArray[np.float32]
    hit: NDArray[np.bool_]
    linear: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a world: as it is first, then the copies. A foreign one has no evidence."""

    set: str
    world: int
    category: str
    views: tuple[View, ...]
    evidence: int
    matches: Mapping[str, float]
    unspaced: bool


def gather(folder: Path, name: str) -> Iterator[Asked]:
    """Every question of a set that can be measured, and as many foreign ones. Only development files are read."""
    worlds = [world(line) for line in lines(folder / f"{FILES[name]}_dev.jsonl.gz")]
    questions = [asked(found.questions, abstaining=name in ABSTAINING) for found in worlds]
    for number, place in enumerate(worlds):
        own = questions[number]
        foreign = questions[(number + 1) % len(worlds)][: max(1, len(own))]
        yield from _of_world(name, number, place, own, foreign)
        if number % 25 == 0:
            progress(f"{name}: {number} worlds")


def _of_world(
    name: str, number: int, place: World, own: Sequence[Question], foreign: Sequence[Question]
) -> Iterator[Asked]:
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "w.db", settings=settings) as memory:
        items: dict[str, str] = {}
        for session in place.sessions:
            added = memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
            pairs = zip(session.turns, added.verdicts, strict=True)
            items |= {turn.id: verdict.item_id for turn, verdict in pairs if verdict.item_id}
        parts = memory._parts  # noqa: SLF001 - the read path is what learns
        with parts.store.read() as reader:
            for question, is_own in [*((q, True) for q in own), *((q, False) for q in foreign)]:
                now = parts.clock.now()
                query = Query(
                    text=question.text,
                    selection=Selection(scopes=visible(GLOBAL), live_at=now),
                    k=10,
                    at=now if question.at is None else instant(question.at),
                )
                gathered, analysis = parts.recall.gather(reader, query)
                evidence = set(question.evidence_turns) if is_own else set[str]()
                keys = {reader.key(items[turn]) for turn in evidence if turn in items}
                seen = gathered.sighting
                copies = (_without_vectors(seen), _as_notes(seen)) if is_own else ()
                views = [_view(gathered.pool, gathered.scene, analysis, keys)]
                views += [_view(*scene_of(copy), analysis, keys) for copy in copies]
                pool = gathered.pool
                yield Asked(
                    set=name,
                    world=number,
                    category=question.category if is_own else "foreign",
                    views=tuple(views),
                    evidence=len(evidence),
                    matches=matches(pool, gathered.scene),
                    unspaced=gathered.unspaced,
                )


def _without_vectors(seen: Sighting) -> Sighting:
    return replace(seen, questions=None, vectors=None)


def _as_notes(seen: Sighting) -> Sighting:
    alone = [
        sketch._replace(session_id=None, ordinal=None, role=None, sender="", type="note")
        for sketch in seen.sketches
    ]
    return replace(seen, sketches=alone, names=frozenset())


def _view(pool: Pool, scene: Scene, analysis: Analysis, keys: set[int | None]) -> View:
    rows = shortlist(scene, SHORTLIST, pool)
    hit = np.array([key in keys for key in pool.keys[rows].tolist()], bool)
    return View(features(scene, analysis, rows).astype(np.float32), hit, scene.linear[rows])


def learned(
    questions: Sequence[Asked], rounds: int, kept: NDArray[np.bool_] | None = None
) -> lightgbm.Booster:
    """Trees that rank these questions, by all features or those that are kept."""
    sizes = {name: sum(one.set == name for one in questions) for name in _SETS}
    views = [
        (view, (1.0 if number == 0 else _COPY) * len(questions) / (len(_SETS) * sizes[one.set]))
        for one in questions
        for number, view in enumerate(one.views)
        if view.hit.any()
    ]
    data = lightgbm.Dataset(
        np.vstack([view.rows for view, _ in views]) * (1 if kept is None else kept),
        np.concatenate([view.hit for view, _ in views]).astype(int),
        group=[len(view.hit) for view, _ in views],
        weight=np.concatenate([np.full(len(view.hit), weight) for view, weight in views]),
        feature_name=list(NAMES),
    )
    return lightgbm.train(_LEARNING, data, rounds)


def measured(hit: NDArray[np.bool_], scores: NDArray[np.float64], evidence: int) -> list[float]:
    """R@3, R@5, R@10 and the reciprocal rank of one ranking."""
    ranked = hit[np.argsort(-np.round(scores, 6), kind="stable")]
    first = np.flatnonzero(ranked[:50])
    recalls = [float(ranked[:k].sum()) / evidence for k in (3, 5, 10)]
    return [*recalls, 1 / (first[0] + 1) if len(first) else 0.0]


def crossed(
    questions: Sequence[Asked], folds: int, rounds: int, without: Sequence[str] = ()
) -> list[NDArray[np.float64]]:
    """The scores of each question's shortlist, by trees that never saw its world.

    Args:
        without: Features that are left out.
    """
    kept = np.array([name not in without for name in NAMES])
    found: list[NDArray[np.float64]] = [np.zeros(0)] * len(questions)
    for fold in range(folds):
        booster = learned([one for one in questions if one.world % folds != fold], rounds, kept)
        for number, one in enumerate(questions):
            if one.world % folds == fold and len(one.views[0].hit):
                found[number] = np.asarray(booster.predict(one.views[0].rows * kept))
        progress(f"fold {fold + 1} of {folds}")
    return found


def packed(booster: lightgbm.Booster) -> trees.Trees:
    """LightGBM's trees in our form."""
    groups = tuple(GROUPS)
    group_of = [next(n for n, group in enumerate(groups) if name in GROUPS[group]) for name in NAMES]
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
    made = trees.Trees(NAMES, groups, feature, threshold, mask, np.round(parts, 7), 0.0)
    nothing = made.scores(made.leaves(np.zeros((1, len(NAMES)))))[0]
    return replace(made, base=round(-float(nothing), 6))


def _value(node: Mapping[str, Any]) -> float:
    return float(node["leaf_value"] if "leaf_value" in node else node["internal_value"])


def table(questions: Sequence[Asked], scores: Sequence[NDArray[np.float64]]) -> dict[str, Any]:
    """Means by set and category, of the trees and of the linear first look, with the difference in R@10."""
    found: dict[str, Any] = {}
    for name in _SETS:
        own = [
            (one, some)
            for one, some in zip(questions, scores, strict=True)
            if one.set == name and one.evidence
        ]
        by_trees = [measured(one.views[0].hit, some, one.evidence) for one, some in own]
        by_line = [measured(one.views[0].hit, one.views[0].linear, one.evidence) for one, _ in own]
        categories = sorted({one.category for one, _ in own})
        found[name] = {
            "questions": len(own),
            "trees": _means(by_trees),
            "first look": _means(by_line),
            "difference in R@10": interval([row[2] for row in by_trees], [row[2] for row in by_line], seed=1),
            "categories": {
                category: _means(
                    [row for row, (one, _) in zip(by_trees, own, strict=True) if one.category == category]
                )
                for category in categories
            },
        }
    return found


def _means(rows: Sequence[Sequence[float]]) -> dict[str, float]:
    return dict(zip(_MEASURES, np.mean(np.array(rows), axis=0).round(4).tolist(), strict=True))


#: Steps of the ladder, with the features that each is about.
_STEPS: Final[Mapping[str, Sequence[str]]] = {
    "vectors": (*GROUPS["meaning"], "long_cosine", "cosine_before", "cosine_after", "session_cosine",
                "session_cosine_all", "like_best", "like_any"),
    "who speaks": GROUPS["speaker"],
    "turns beside": GROUPS["neighbours"],
    "sessions": GROUPS["session"],
    "feedback": GROUPS["feedback"],
    "form of text and question": GROUPS["form"],
    "time": GROUPS["time"],
    "words beyond the first look": GROUPS["words"],
}  # fmt: skip


def ladder(questions: Sequence[Asked], folds: int, rounds: int) -> dict[str, Any]:
    """Means by set: the first look alone, all of it, and without one group of features at a time."""
    found: dict[str, Any] = {}
    for step, without in {"all": (), **{f"without {name}": names for name, names in _STEPS.items()}}.items():
        figures = table(questions, crossed(questions, folds, rounds, without))
        if step == "all":
            found["first look alone"] = {name: some["first look"] for name, some in figures.items()}
        found[step] = {name: some["trees"] for name, some in figures.items()}
    return found


def sureness(questions: Sequence[Asked], folds: int) -> dict[str, Any]:
    """Weights of the confidence, and how many foreign questions it turns away where 5 % of the own ones are.

    Own and foreign questions of each set count the same.
    """
    found: dict[str, Any] = {}
    sizes = Counter((one.set, one.evidence > 0) for one in questions)
    for kind, names in WEIGHTS.items():
        some = [one for one in questions if one.unspaced == (kind == "pairs")]
        columns = [name for name in names if name != "base"]
        rows = np.array([[1.0, *(one.matches[name] for name in columns)] for one in some])
        own = np.array([one.evidence > 0 for one in some])
        # By the size of the whole set: a few stray questions of another script do not speak for a set.
        weight = np.array([1 / sizes[one.set, one.evidence > 0] for one in some])
        weight *= len(some) / weight.sum()
        worlds = np.array([one.world % folds for one in some])
        sure = np.zeros(len(some))
        for fold in range(folds):
            seen = worlds != fold
            sure[~seen] = rows[~seen] @ _logistic(rows[seen], own[seen], weight[seen])
        bound = _weighted_quantile(sure[own], weight[own], 0.05)
        all_of = _logistic(rows, own, weight)
        # Moved so that the one bound that there is turns away as many of each kind.
        all_of[0] += np.log(ABSTAIN_BELOW / (1 - ABSTAIN_BELOW)) - bound
        found[kind] = {
            "weights": dict(zip(("base", *columns), all_of.round(2).tolist(), strict=True)),
            "foreign turned away": round(float(weight[~own & (sure < bound)].sum() / weight[~own].sum()), 3),
        }
    return found


def _logistic(
    rows: NDArray[np.float64], own: NDArray[np.bool_], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method in halved steps, with a little shrinkage of all but the base."""
    signs = np.where(own, 1.0, -1.0)
    ridge = np.diag([0.0, *[0.01] * (rows.shape[1] - 1)])

    def loss(found: NDArray[np.float64]) -> float:
        return float((weight * np.logaddexp(0, -signs * (rows @ found))).sum() + found @ ridge @ found / 2)

    found = np.zeros(rows.shape[1])
    for _ in range(100):
        likely = 1 / (1 + np.exp(-(rows @ found)))
        slope = rows.T @ (weight * (own - likely)) - ridge @ found
        curve = (rows * (weight * likely * (1 - likely))[:, None]).T @ rows + ridge
        step = np.linalg.solve(curve, slope)
        while loss(found + step) > loss(found) and np.abs(step).max() > 1e-9:
            step = step / 2
        found = found + step
        if np.abs(step).max() < 1e-9:
            break
    return found


def _weighted_quantile(values: NDArray[np.float64], weight: NDArray[np.float64], share: float) -> float:
    order = np.argsort(values)
    below = np.cumsum(weight[order]) / weight.sum()
    return float(values[order][np.searchsorted(below, share)])


def _make_way() -> None:
    """Put trees that say nothing in place, to gather with, if the features are others than the package's trees have."""
    if trees.bundled().names == NAMES:
        return
    bare = trees.Trees(
        names=NAMES,
        groups=tuple(GROUPS),
        feature=np.zeros((1, 1), np.uint8),
        threshold=np.full((1, 1), np.inf),
        mask=np.full((1, 1), trees.ALL),
        parts=np.zeros((1, trees.LEAVES, len(GROUPS))),
        base=0.0,
    )
    _file().write_bytes(trees.packed(bare))
    trees.bundled.cache_clear()


def _file() -> Path:
    return Path(trees.__file__).with_name("trees.npz")


def main() -> None:
    """Gather, or take what was gathered, and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="keep what was gathered here between runs")
    parser.add_argument("--rounds", type=int, default=TREES)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--ladder", action="store_true", help="learn without each group of features as well")
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    parser.add_argument("--write", action="store_true", help="put the trees into the package")
    options = parser.parse_args()
    code = commit()  # Before trees are written, which change it.
    if options.write:
        _make_way()
    if options.cache and options.cache.exists():
        questions: list[Asked] = pickle.loads(options.cache.read_bytes())
    else:
        questions = [one for name in _SETS for one in gather(options.data, name)]
        if options.cache:
            options.cache.write_bytes(pickle.dumps(questions))
    own = [one for one in questions if one.evidence]
    scores = crossed(own, options.folds, options.rounds)
    figures = table(own, scores)
    outcome = {
        "name": "ranker",
        "commit": code,
        "machine": machine(),
        "trees": options.rounds,
        "folds": options.folds,
        "figures": figures,
        "confidence": sureness(questions, options.folds),
        **({"ladder": ladder(own, options.folds, options.rounds)} if options.ladder else {}),
    }
    print(json.dumps(outcome, indent=1))
    if options.out:
        write(options.out, outcome)
    if options.write:
        forest = packed(learned(own, options.rounds))
        _file().write_bytes(trees.packed(forest))


if __name__ == "__main__":
    main()
