"""Learn the trees of the balanced profile, and the confidence, from development data.

usage: python -m benchmarks.train DATA_DIR [--cache DIR] [--rounds N] [--folds N] [--ladder] [--write] [--out FILE]

Needs LightGBM beside Simonides: pip install -e '.[train]'. Gathers the candidates of every question once,
through the read path itself. A world's questions are measured with trees that never saw the world: these
figures are the ones to quote, since the trees that are written saw all of it.

So that the ranking does not lean on what another store may lack, each question is learned from three
times: as it is, without vectors, and with turns that stand alone (no session, no speaker). Sets count the
same, whatever their size.

The confidence is fitted on the same questions, asked of their own world and of another world of their set.

`--write` puts the trees, the weights of the confidence and their card into the package (`recall/ranking/model.npz` and
`model.json`). The cache knows what was gathered by the data and by the code that reads questions and texts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

import simonides
from benchmarks.measures import interval
from benchmarks.report import commit, machine, progress, write
from benchmarks.worlds import ABSTAINING, FILES, asked, lines, world
from simonides.compose import Parts, compose
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.domain.scope import GLOBAL, visible
from simonides.domain.selection import Selection
from simonides.memory import Memory
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking import model, trees
from simonides.recall.ranking.confidence import evidence as matches
from simonides.recall.ranking.features import GROUPS, NAMES, features
from simonides.recall.ranking.first_look import SHORTLIST, first_look, shortlist
from simonides.recall.result import Query
from simonides.recall.settings import RecallSettings
from simonides.sample import Question, World

if TYPE_CHECKING:
    import lightgbm

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
    with tempfile.TemporaryDirectory() as folder:
        file, items = Path(folder) / "w.db", dict[str, str]()
        with Memory(file, settings=settings) as memory:
            for session in place.sessions:
                added = memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
                pairs = zip(session.turns, added.verdicts, strict=True)
                items |= {turn.id: verdict.item_id for turn, verdict in pairs if verdict.item_id}
        parts = compose(file, {"settings": settings})
        try:
            for question, is_own in [*((q, True) for q in own), *((q, False) for q in foreign)]:
                yield _asked(parts, name, number, question, items if is_own else None)
        finally:
            parts.recall.close()
            parts.store.close()


def _asked(
    parts: Parts, name: str, number: int, question: Question, items: Mapping[str, str] | None
) -> Asked:
    """A question with the views of its shortlist.

    Args:
        items: Of the turns of its world; None for a question of another world.
    """
    now = parts.clock.now()
    query = Query(
        text=question.text,
        selection=Selection(scopes=visible(GLOBAL), live_at=now),
        k=10,
        at=now if question.at is None else instant(question.at),
    )
    evidence = set(question.evidence_turns) if items is not None else set[str]()
    with parts.store.read() as reader:
        gathered = parts.recall.gathered(reader, query)
        keys = {reader.key(items[turn]) for turn in evidence if items is not None and turn in items}
    candidates = first_look(gathered)
    copies = () if items is None else (_without_vectors(gathered), _as_notes(gathered))
    return Asked(
        set=name,
        world=number,
        category="foreign" if items is None else question.category,
        views=tuple(_view(some, keys) for some in (candidates, *map(first_look, copies))),
        evidence=len(evidence),
        matches=matches(candidates),
        unspaced=candidates.query.unspaced,
    )


def _without_vectors(gathered: CandidateTable) -> CandidateTable:
    return replace(
        gathered,
        query=replace(gathered.query, vectors=None),
        vectors=np.zeros((len(gathered), 1), np.float32),
    )


def _as_notes(gathered: CandidateTable) -> CandidateTable:
    alone = [
        sketch._replace(session_id=None, ordinal=None, role=None, sender="", type="note")
        for sketch in gathered.sketches
    ]
    return replace(gathered, query=replace(gathered.query, names=frozenset[str]()), sketches=alone)


def _view(candidates: CandidateTable, keys: set[int | None]) -> View:
    rows = shortlist(candidates, SHORTLIST)
    hit = np.array([key in keys for key in candidates.keys[rows].tolist()], bool)
    return View(features(candidates, rows).astype(np.float32), hit, candidates.linear[rows])


def learned(
    questions: Sequence[Asked], rounds: int, kept: NDArray[np.bool_] | None = None
) -> lightgbm.Booster:
    """Trees that rank these questions, by all features or those that are kept."""
    import lightgbm  # noqa: PLC0415 - only what learns needs it

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
    for kind, names in model.bundled().confidence.items():
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
    if model.bundled().trees.names == NAMES:
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
    _folder().joinpath(model.WEIGHTS_FILE).write_bytes(model.packed(replace(model.bundled(), trees=bare)))
    model.bundled.cache_clear()


def _folder() -> Path:
    return Path(model.__file__).parent


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of each data file, by its name."""
    files = [folder / f"{FILES[name]}_dev.jsonl.gz" for name in _SETS]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def cache_key(data: Mapping[str, str]) -> str:
    """The name of what is gathered: other data, other features or other code that makes them have another."""
    package = Path(simonides.__file__).parent
    code = [
        path
        for part in ("recall", "language", "storage", "models/bundled")
        for path in sorted((package / part).rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and path.name not in {model.WEIGHTS_FILE, model.CARD_FILE}
    ]
    digest = hashlib.sha256(json.dumps([data, NAMES], sort_keys=True).encode())
    for path in code:
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:32]


def card(outcome: Mapping[str, Any], data: Mapping[str, str], weights: bytes) -> dict[str, Any]:
    """The card of a model: what it was learned from and with, and what it reaches on worlds that it never saw."""
    return {
        "what": "gradient-boosted trees that rank the candidates of a question, and the likelihood that any answers",
        "made_by": "benchmarks/train.py",
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
        "commit": outcome["commit"],
        "data_sha256": data,
        "versions": {name: version(name) for name in ("lightgbm", "numpy", "simonides")}
        | {"python": outcome["machine"]["python"]},
        "trees": outcome["trees"],
        "leaves": _LEARNING["num_leaves"],
        "seed": _LEARNING["seed"],
        "features": {group: list(names) for group, names in GROUPS.items()},
        "never_falling": sorted(_RISING),
        "cross_validated": {"folds": outcome["folds"], "by_set": _without_categories(outcome["figures"])},
        "confidence": outcome["confidence"],
    }


def _without_categories(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in found.items() if key != "categories"}
        for name, found in figures.items()
    }


def put(forest: trees.Trees, outcome: Mapping[str, Any], data: Mapping[str, str]) -> None:
    """Write a model and its card into the package."""
    confidence = {kind: found["weights"] for kind, found in outcome["confidence"].items()}
    weights = model.packed(model.Model(forest, confidence))
    _folder().joinpath(model.WEIGHTS_FILE).write_bytes(weights)
    text = json.dumps(card(outcome, data, weights), indent=1, ensure_ascii=False)
    _folder().joinpath(model.CARD_FILE).write_text(f"{text}\n", "utf-8")


def _gathered(folder: Path, cache: Path | None, data: Mapping[str, str]) -> list[Asked]:
    """Every question of every set, from the cache where this data was gathered by this code."""
    kept = None if cache is None else cache / f"{cache_key(data)}.pickle"
    if kept is not None and kept.exists():
        return pickle.loads(kept.read_bytes())
    questions = [one for name in _SETS for one in gather(folder, name)]
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(questions))
    return questions


def main() -> None:
    """Gather, or take what was gathered, and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="keep what was gathered in this folder between runs")
    parser.add_argument("--rounds", type=int, default=TREES)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--ladder", action="store_true", help="learn without each group of features as well")
    parser.add_argument("--out", type=Path, help="write the figures here, as JSON")
    parser.add_argument("--write", action="store_true", help="put the model and its card into the package")
    options = parser.parse_args()
    code, data = commit(), hashes(options.data)  # Before the model is written, which changes the code.
    if options.write:
        _make_way()
    questions = _gathered(options.data, options.cache, data)
    own = [one for one in questions if one.evidence]
    scores = crossed(own, options.folds, options.rounds)
    outcome = {
        "name": "ranker",
        "commit": code,
        "machine": machine(),
        "trees": options.rounds,
        "folds": options.folds,
        "figures": table(own, scores),
        "confidence": sureness(questions, options.folds),
        **({"ladder": ladder(own, options.folds, options.rounds)} if options.ladder else {}),
    }
    print(json.dumps(outcome, indent=1))
    if options.out:
        write(options.out, outcome)
    if options.write:
        put(packed(learned(own, options.rounds)), outcome, data)


if __name__ == "__main__":
    main()
