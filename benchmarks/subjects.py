"""People and things that a store knows, asked for what it does and does not say of them: can the confidence tell?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import calibration_error, logistic
from benchmarks.gathering import OWN, UNANSWERED, Task, candidates_of, stages
from benchmarks.paraphrases import PARAPHRASES, SUBJECTS, worlds
from benchmarks.report import Table, finish, options_of, result
from benchmarks.separation import Values, auc
from simonides.compose import compose
from simonides.config import Settings, StoreSettings
from simonides.recall.ranking.confidence import OF_SUBJECTS, TOO_SURE, by_evidence, of_subject
from simonides.recall.ranking.first_look import first_look
from simonides.recall.settings import RecallSettings

Floats = NDArray[np.float64]

SHIPPED, WITHOUT, LEFT_OUT = "confidence", "without what is asked for", "stores left out"
_MEASURES: Final = (
    "questions",
    "without an answer",
    "AUC",
    "calibration error",
    "marked",
    "marked though answered",
)
#: Parts of the stores that are left out by turns.
_FOLDS: Final = 5
#: Few questions stand behind each weight.
_SHRINKAGE: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a small store.

    Attributes:
        answered: The store answers it.
        sure: Each way's likelihood of that.
        figures: What `OF_SUBJECTS` weighs; None where it does not.
    """

    set: str
    store: int
    language: str
    answered: bool
    sure: Mapping[str, float]
    figures: Mapping[str, float] | None


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Ask every question of every store, and of those in other words, which all have to be as sure as before."""
    parser = options_of(name, "Known subjects, asked for what is and is not said of them.")
    parser.add_argument(
        "--learn",
        action="store_true",
        help="fit the weights anew, and judge them on stores that are left out",
    )
    options = parser.parse_args(arguments)
    asked = [one for of in (SUBJECTS, PARAPHRASES) for one in _asked(of)]
    weights = _learned(asked) if options.learn else None
    if options.learn:
        asked = _left_out(asked)
    groups = {SUBJECTS: [one for one in asked if one.set == SUBJECTS]}
    for language in sorted({one.language for one in groups[SUBJECTS]}):
        groups[language] = [one for one in groups[SUBJECTS] if one.language == language]
    groups[PARAPHRASES] = [one for one in asked if one.set == PARAPHRASES]
    figures = {group: {way: _judged(some, way) for way in some[0].sure} for group, some in groups.items()} | (
        {"weights": weights} if weights else {}
    )
    sizes = {group: len(some) for group, some in groups.items()}
    outcome = result(name, seed=None, sizes=sizes, figures=figures)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A table for each set and language."""
    figures = dict(outcome["figures"])
    weights = figures.pop("weights", None)
    found = [
        Table(group, ("", *_MEASURES), [[way, *means.values()] for way, means in ways.items()])
        for group, ways in figures.items()
    ]
    return found + ([Table("weights", tuple(weights), [list(weights.values())])] if weights else [])


def _asked(name: str) -> Iterator[_Asked]:
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    for number, world in enumerate(worlds(name)):
        questions = [(question, UNANSWERED if question.abstain else OWN) for question in world.questions]
        for stage in stages(Task(name, number, replace(world, questions=()), questions)):
            parts = compose(stage.file, {"settings": settings})
            try:
                for question, group in stage.questions:
                    candidates = first_look(candidates_of(parts, question))
                    likely = by_evidence(candidates)
                    yield _Asked(
                        name,
                        number,
                        world.language,
                        group == OWN,
                        {SHIPPED: candidates.confidence, WITHOUT: likely},
                        of_subject(candidates, likely) if likely >= TOO_SURE else None,
                    )
            finally:
                parts.recall.close()
                parts.store.close()


def _learned(asked: Sequence[_Asked]) -> dict[str, float]:
    """Weights by logistic regression, sets and their halves counting the same."""
    some = [one for one in asked if one.figures]
    groups = [(one.set, one.answered) for one in asked]
    weight = np.array([1 / groups.count((one.set, one.answered)) for one in some])
    table = np.array([[one.figures[name] for name in OF_SUBJECTS] for one in some if one.figures])
    found = logistic(
        table, np.array([one.answered for one in some]), weight * len(asked) / len(set(groups)), _SHRINKAGE
    )
    return dict(zip(OF_SUBJECTS, found.round(2).tolist(), strict=True))


def _left_out(asked: Sequence[_Asked]) -> list[_Asked]:
    """The questions with the likelihood that weights give that saw nothing of their store."""
    found: list[_Asked] = []
    for fold in range(_FOLDS):
        weights = _learned([one for one in asked if one.store % _FOLDS != fold])
        for one in asked:
            if one.store % _FOLDS == fold:
                sure = one.sure[WITHOUT]
                if one.figures:
                    odds = sum(weights[name] * value for name, value in one.figures.items())
                    sure = min(sure, float(1 / (1 + np.exp(-odds))))
                found.append(replace(one, sure={**one.sure, LEFT_OUT: sure}))
    return found


def _judged(asked: Sequence[_Asked], way: str) -> dict[str, float]:
    sure = np.array([one.sure[way] for one in asked])
    right = np.array([one.answered for one in asked])
    bound = RecallSettings().abstain_below
    found = (
        len(asked),
        int((~right).sum()),
        auc(Values.of(sure[right].tolist()), Values.of(sure[~right].tolist())),
        calibration_error(sure, right),
        float((sure[~right] < bound).mean()),
        float((sure[right] < bound).mean()),
    )
    return dict(zip(_MEASURES, (round(value, 4) for value in found), strict=True))
