"""The confidence of questions whose statements were read closely: learned, and held against what it never saw.

Answerable questions and others of a set count the same, and so do the sets. What questions reach with an answer is
learned from answered ones alone; a question's own figures are those of maps that did not see its world.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import calibration_error, halves, logistic
from benchmarks.gathering import EVERY_SET, OWN, UNANSWERED, Task, candidates_of, data_hash, stages, tasks
from benchmarks.paraphrases import PARAPHRASES, SUBJECTS, file_of, worlds
from benchmarks.report import Table, commit, finish, options_of, progress, result
from benchmarks.separation import Values, auc
from benchmarks.worlds import data_folder
from simonides.compose import Parts, compose
from simonides.config import Settings, StoreSettings
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking import close_evidence
from simonides.recall.ranking.close_evidence import (
    WEIGHED,
    CloseEvidence,
    ReadFigures,
    counts,
    log_odds,
    odds_of,
    reached_by,
)
from simonides.recall.ranking.first_look import SHORTLIST, first_look, shortlist
from simonides.recall.ranking.meaning import Closeness, by_meaning, read_closely
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.recall.settings import RecallSettings
from simonides.sample import Question

Floats = NDArray[np.float64]

EVERYDAY: Final = "everyday"
#: Small stores that are learned from; of their questions some are of other worlds, some were made to have no answer.
LEARNED: Final = (
    PARAPHRASES, SUBJECTS, "xquad_small", "realmem_notes_small", "realtalk_small", "locomo_small", "qmsum_small",
)  # fmt: skip
WITHOUT, WORLD, SET, SHIPPED = "without the reading", "world left out", "set left out", "as it ships"
MEASURES: Final = (
    "questions",
    "AUC",
    "calibration error",
    "marked",
    "marked though answered",
    "kept from prompts",
)
_FOLDS: Final = 5
#: Fewest answered questions of a set for which it teaches the weights.
_LEAST: Final = 15
#: Shrinkage of the map of a question's vector, and of the weights.
_OF_MAP: Final = 3.0
_OF_WEIGHTS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Example:
    """A question that is answered, as one encoder reads it, and the log-odds that it reaches."""

    set: str
    world: int
    encoder: str
    question: NDArray[np.float32]
    odds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a small store.

    Attributes:
        likely: The confidence without the reading.
        reached: None where nothing is read, or it tells nothing.
        counted: What the reading counts.
    """

    set: str
    world: int
    answered: bool
    likely: float
    reached: ReadFigures | None
    closeness: Closeness | None
    counted: float

    def read(self, learned: CloseEvidence) -> float:
        """The confidence by what was learned."""
        if self.reached is None or self.closeness is None:
            return self.likely
        odds = log_odds(self.likely)
        odds += self.counted * (odds_of(learned, self.reached, self.closeness) - odds)
        return float(1 / (1 + np.exp(-odds)))


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Learn, measure, and write what was learned if the options say so."""
    parser = options_of(name, "The confidence where statements are read closely.")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with the sets; SIMONIDES_BENCH_DATA if not given"
    )
    parser.add_argument(
        "--write", action="store_true", help="put what is learned and its card into the package"
    )
    options = parser.parse_args(arguments)
    folder = data_folder(options.data)
    asked, examples = list[Asked](), list[Example]()
    for one in (*LEARNED, EVERYDAY):
        progress(f"{one} …")
        for task in _tasks(folder, one):
            some, shown = _of_world(task)
            asked += some
            examples += shown if one in LEARNED else []
    learned = learn(asked, examples)
    ways = {
        WITHOUT: [one.likely for one in asked],
        WORLD: _left_out(asked, examples, _world_fold),
        SET: _left_out(asked, examples, _set_fold),
        SHIPPED: [one.read(learned) for one in asked],
    }
    figures = {
        of: {way: _judged([(one, sure) for one, sure in zip(asked, found, strict=True) if one.set == of])
             for way, found in ways.items()}
        for of in (*LEARNED, EVERYDAY)
    }  # fmt: skip
    sizes = {of: sum(one.set == of for one in asked) for of in figures} | {"examples": len(examples)}
    outcome = result(name, seed=None, sizes=sizes, figures=figures, settings={"weights": learned.weights})
    if options.write:
        _put(learned, outcome, folder)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A table for each set."""
    return [
        Table(name, ("", *MEASURES), [[way, *means.values()] for way, means in ways.items()])
        for name, ways in outcome["figures"].items()
    ]


def learn(asked: Iterable[Asked], examples: Sequence[Example]) -> CloseEvidence:
    """The weights, and the maps of all examples; each question's own figures are of maps without its world."""
    encoders = sorted({one.encoder for one in examples})
    parts = {
        fold: {
            encoder: _usual(
                [one for one in examples if one.encoder == encoder and one.world % _FOLDS != fold]
            )
            for encoder in encoders
        }
        for fold in range(-1, _FOLDS)
    }
    rows, right, weight = list[list[float]](), list[bool](), list[float]()
    nothing = dict.fromkeys(("base", *WEIGHED), 0.0)
    some = [one for one in asked if one.set in LEARNED and one.reached and one.closeness]
    for name in LEARNED:
        own = [one for one in some if one.set == name]
        if sum(one.answered for one in own) < _LEAST:
            continue
        for one in own:
            assert one.reached is not None
            assert one.closeness is not None
            usual = parts[one.world % _FOLDS]
            figures = (
                odds_of(CloseEvidence({**nothing, of: 1.0}, usual), one.reached, one.closeness)
                for of in WEIGHED
            )
            rows.append([1.0, *figures])
        answered = np.array([one.answered for one in own])
        right += answered.tolist()
        weight += halves(answered).tolist()
    counted = np.array(weight) * len(weight) / sum(weight)
    found = logistic(np.array(rows), np.array(right), counted, _OF_WEIGHTS).round(3)
    return CloseEvidence(dict(zip(("base", *WEIGHED), found.tolist(), strict=True)), parts[-1])


def _usual(examples: Sequence[Example]) -> Floats:
    """A map by ridge regression, sets counting as the root of their sizes."""
    sets = [one.set for one in examples]
    weight = np.array([sets.count(name) ** -0.5 for name in sets])
    weight /= weight.mean()
    questions = np.array([one.question for one in examples], np.float64)
    odds = np.array([one.odds for one in examples])
    middle, mean = weight @ questions / weight.sum(), float(weight @ odds / weight.sum())
    away = questions - middle
    curve = (away * weight[:, None]).T @ away + _OF_MAP * np.eye(questions.shape[1])
    slope = cast("Floats", np.linalg.solve(curve, (away * weight[:, None]).T @ (odds - mean)))
    return np.append(slope, mean - middle @ slope).astype(np.float32).astype(np.float64)


def _world_fold(one: Asked | Example) -> int:
    return one.world % _FOLDS


def _set_fold(one: Asked | Example) -> int:
    return LEARNED.index(one.set)


def _left_out(
    asked: Sequence[Asked], examples: Sequence[Example], fold: Callable[[Asked | Example], int]
) -> list[float]:
    """The confidence of each question by what was learned without its fold; what is not learned from is no fold."""
    folds = [fold(one) if one.set in LEARNED else -1 for one in asked]
    found = [0.0] * len(asked)
    for left in sorted(set(folds)):
        learned = learn(
            [one for one, number in zip(asked, folds, strict=True) if number != left],
            [one for one in examples if left < 0 or fold(one) != left],
        )
        for place, (one, number) in enumerate(zip(asked, folds, strict=True)):
            if number == left:
                found[place] = one.read(learned)
    return found


def _tasks(folder: Path, name: str) -> Iterator[Task]:
    if name not in {SUBJECTS, EVERYDAY}:
        yield from tasks(folder, name)
        return
    for number, world in enumerate(worlds(name)):
        groups = [(question, UNANSWERED if question.abstain else OWN) for question in world.questions]
        yield Task(name, number, world, groups)


def _of_world(task: Task) -> tuple[list[Asked], list[Example]]:
    asked, examples = list[Asked](), list[Example]()
    for stage in stages(task):
        parts = compose(stage.file, {"settings": Settings(store=StoreSettings(synchronous="NORMAL"))})
        try:
            for question, group in stage.questions:
                candidates = first_look(candidates_of(parts, question))
                asked.append(_asked(task, candidates, answered=group == OWN))
                if group == OWN and len(candidates):
                    keys = _keys(parts, stage.items, question)
                    examples += _examples(task, candidates, keys)
        finally:
            parts.recall.close()
            parts.store.close()
    return asked, examples


def _keys(parts: Parts, items: Mapping[str, str], question: Question) -> list[int | None]:
    with parts.store.read() as reader:
        return [reader.key(items[turn]) for turn in question.evidence_turns if turn in items]


def _asked(task: Task, candidates: CandidateTable, *, answered: bool) -> Asked:
    closeness = reached = None
    if len(candidates):
        rows = shortlist(candidates, SHORTLIST)
        meaning = by_meaning(candidates, rows)
        closeness = meaning.closeness
        if closeness is not None and candidates.query.analysis.content_terms:
            scores = sum(Balanced().learned(candidates, rows, meaning).values(), np.zeros(len(rows)))
            reached = reached_by(candidates, rows, closeness, scores)
    counted = 0.0 if closeness is None else closeness.weight * counts(candidates.query.passing)
    return Asked(task.set, task.number, answered, candidates.confidence, reached, closeness, counted)


def _examples(task: Task, candidates: CandidateTable, keys: Sequence[int | None]) -> Iterator[Example]:
    """The question with its reader, and an English one with that of other languages, too; if its answer is read."""
    rows = shortlist(candidates, SHORTLIST)
    reading = read_closely(candidates, rows, np.ones(len(rows), np.bool_))
    closer = candidates.query.closer
    if reading is None or closer is None or reading.encoder is None:
        return
    if not np.isin(candidates.keys[rows[reading.read]], [key for key in keys if key is not None]).any():
        return
    for reader in closer.readers:
        (question,) = reader.vectors([candidates.query.analysis.text])
        encoder, odds = reader.identity.fingerprint, log_odds(candidates.confidence)
        yield Example(task.set, task.number, encoder, question, odds)


def _judged(asked: Sequence[tuple[Asked, float]]) -> dict[str, float]:
    sure, right = np.array([sure for _, sure in asked]), np.array([one.answered for one, _ in asked])
    bounds = RecallSettings()
    found = (
        len(asked),
        auc(Values.of(sure[right].tolist()), Values.of(sure[~right].tolist())),
        calibration_error(sure, right),
        float((sure[~right] < bounds.abstain_below).mean()),
        float((sure[right] < bounds.abstain_below).mean()),
        float((sure[right] < bounds.inject_below).mean()),
    )
    return dict(zip(MEASURES, (round(value, 4) for value in found), strict=True))


def _put(learned: CloseEvidence, outcome: Mapping[str, Any], folder: Path) -> None:
    """Write what was learned, and its card, into the package."""
    weights = close_evidence.packed(learned)
    place = Path(close_evidence.__file__).with_name(close_evidence.WEIGHTS_FILE)
    place.write_bytes(weights)
    card = {
        "what": "the likelihood that anything answers, once statements of a small store were read closely",
        "made_by": "benchmarks/closely.py",
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
        "commit": commit(),
        "data": {
            name: {
                "licence": EVERY_SET[name].licence if name in EVERY_SET else "this project's own",
                "sha256": data_hash(folder, name)
                if name in EVERY_SET
                else hashlib.sha256(file_of(name).read_bytes()).hexdigest(),
            }
            for name in LEARNED
        },
        "weights": learned.weights,
        "figures": outcome["figures"],
    }
    place.with_suffix(".json").write_text(f"{json.dumps(card, indent=1, ensure_ascii=False)}\n", "utf-8")
