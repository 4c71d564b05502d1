"""The confidence that anything answers: fitted on questions with and without an answer, and held against them.

Answerable questions and others of a set count the same, and so do the sets: the confidence is that of a question of
which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.gathering import EVERY_SET, FOLD, OWN, Asked
from benchmarks.separation import Values, auc
from simonides.recall.ranking.confidence import EVIDENCE, RISING, WITHOUT_VECTORS

if TYPE_CHECKING:
    import lightgbm

Floats = NDArray[np.float64]

#: Parts of [0, 1] in which what is said is held against what is so.
_BINS: Final = 10
_SHRINKAGE: Final = 0.01
#: Parts of a set that are left out by turns.
_FOLDS: Final = 5
_TREES: Final = 160
_LEARNING: Final[dict[str, Any]] = {
    "objective": "binary",
    "learning_rate": 0.04,
    "num_leaves": 8,
    "min_data_in_leaf": 60,
    "lambda_l2": 10.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "monotone_constraints": [int(name in RISING) for name in EVIDENCE],
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "seed": 1,
    "verbose": -1,
}


def reliability(
    sure: Floats, right: NDArray[np.bool_], weight: Floats | None = None
) -> list[dict[str, float]]:
    """For each tenth of the confidence that occurs: its mean, the share that has an answer, and its own share.

    Questions with and without an answer count as much, whatever their numbers, where no weights say otherwise.
    """
    weight = halves(right) if weight is None else weight / weight.sum()
    found: list[dict[str, float]] = []
    for number in range(_BINS):
        inside = np.minimum((sure * _BINS).astype(int), _BINS - 1) == number
        if held := float(weight[inside].sum()):
            found.append(
                {
                    "said": round(float((weight[inside] * sure[inside]).sum()) / held, 4),
                    "so": round(float(weight[inside & right].sum()) / held, 4),
                    "share": round(held, 4),
                }
            )
    return found


def calibration_error(sure: Floats, right: NDArray[np.bool_], weight: Floats | None = None) -> float:
    """The expected calibration error: how far what is said is from what is so, in the mean."""
    return round(
        sum(one["share"] * abs(one["said"] - one["so"]) for one in reliability(sure, right, weight)), 4
    )


def halves(right: NDArray[np.bool_]) -> Floats:
    """A weight for each question: those with an answer come to a half together, and so do the others."""
    own, others = int(right.sum()), int((~right).sum())
    return np.where(right, 0.5 / max(1, own), 0.5 / max(1, others))


def calibrated(questions: Sequence[Asked]) -> dict[str, Any]:
    """The confidence, and how it does on worlds and on sets that it never saw.

    A world that was left out is one more of a kind that is known; a set that was left out is a kind by itself.
    """
    rows = [one for one in questions if one.set in _with_others(questions) and any(one.matches.values())]
    held = {
        "world": _left_out(rows, np.array([one.world % _FOLDS for one in rows])),
        "set": _left_out(rows, np.array([FOLD[one.set] for one in rows])),
    }
    right = np.array([one.group == OWN for one in rows])
    sets = np.array([one.set for one in rows])
    kinds = np.array([EVERY_SET[name].kind.value for name in sets.tolist()])
    weight = _weights(rows)
    without_vectors: dict[str, dict[str, float]] = {}
    for kind, names in WITHOUT_VECTORS.items():
        some = np.array([kind != "pairs" or one.unspaced for one in rows])
        fitted = logistic(_table(rows, names)[some], right[some], weight[some])
        without_vectors[kind] = dict(zip(("base", *names), fitted.round(3).tolist(), strict=True))
    return {
        "without vectors": without_vectors,
        **{
            f"{left} left out": {
                "all": _judged(sure, right, weight),
                "kinds": {
                    kind: _judged(sure[kinds == kind], right[kinds == kind], weight[kinds == kind])
                    for kind in dict.fromkeys(kinds.tolist())
                },
                "sets": {
                    name: _judged(sure[sets == name], right[sets == name], weight[sets == name])
                    for name in dict.fromkeys(sets.tolist())
                },
            }
            for left, sure in held.items()
        },
        "bounds": _curve(held["world"], right, weight),
    }


def sureness(questions: Sequence[Asked]) -> lightgbm.Booster:
    """Trees whose sum is the log-odds that anything answers, learned from all of these questions."""
    rows = [one for one in questions if one.set in _with_others(questions) and any(one.matches.values())]
    return _trees(_table(rows, EVIDENCE)[:, 1:], np.array([one.group == OWN for one in rows]), _weights(rows))


def _left_out(rows: Sequence[Asked], folds: NDArray[np.int_]) -> Floats:
    """The confidence of each question, by trees that saw nothing of its fold."""
    table = _table(rows, EVIDENCE)[:, 1:]
    right, weight, sure = np.array([one.group == OWN for one in rows]), _weights(rows), np.zeros(len(rows))
    for fold in sorted(set(folds.tolist())):
        left = folds == fold
        sure[left] = np.asarray(_trees(table[~left], right[~left], weight[~left]).predict(table[left]))
    return sure


def _trees(table: Floats, right: NDArray[np.bool_], weight: Floats) -> lightgbm.Booster:
    import lightgbm  # noqa: PLC0415 - only what learns needs it

    return lightgbm.train(_LEARNING, lightgbm.Dataset(table, right.astype(int), weight=weight), _TREES)


def _table(rows: Sequence[Asked], names: Sequence[str]) -> Floats:
    """A column of ones and one for each name, as exact as the confidence reads it."""
    return np.round(np.array([[1.0, *(one.matches[name] for name in names)] for one in rows]), 6)


def _curve(sure: Floats, right: NDArray[np.bool_], weight: Floats) -> list[dict[str, float]]:
    """For each bound: the share of the questions with an answer below it, and of the others."""
    return [
        {
            "bound": round(bound, 2),
            "answerable below": round(float(weight[right & (sure < bound)].sum() / weight[right].sum()), 4),
            "others below": round(float(weight[~right & (sure < bound)].sum() / weight[~right].sum()), 4),
        }
        for bound in np.arange(0.05, 1.0, 0.05).tolist()
    ]


def _with_others(questions: Sequence[Asked]) -> frozenset[str]:
    """Sets that hold questions without an answer."""
    return frozenset(one.set for one in questions if one.group != OWN)


def _weights(questions: Sequence[Asked]) -> Floats:
    """Weight of each question: sets as much as each other, and of each half for those with an answer."""
    sets = np.array([one.set for one in questions])
    right = np.array([one.group == OWN for one in questions])
    weight = np.zeros(len(questions))
    for name in dict.fromkeys(sets.tolist()):
        weight[sets == name] = halves(right[sets == name])
    return weight * len(questions) / weight.sum()


def _judged(sure: Floats, right: NDArray[np.bool_], weight: Floats) -> dict[str, Any]:
    return {
        "questions": len(right),
        "error": calibration_error(sure, right, weight),
        "auc": round(auc(Values.of(sure[right].tolist()), Values.of(sure[~right].tolist())), 4),
        "reliability": reliability(sure, right, weight),
    }


def logistic(rows: Floats, own: NDArray[np.bool_], weight: Floats, shrinkage: float = _SHRINKAGE) -> Floats:
    """Logistic regression by Newton's method in halved steps, with some shrinkage of all but the base."""
    signs = np.where(own, 1.0, -1.0)
    ridge = np.diag([0.0, *[shrinkage] * (rows.shape[1] - 1)])

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
