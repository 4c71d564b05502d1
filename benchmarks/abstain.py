"""Does a search abstain where nothing answers, and only there?

Each world is asked its own questions that it answers, as many questions of other worlds of the set, and
its own ones that nothing answers, where there are any.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.foreign import Asked, answerable, foreign
from benchmarks.measures import share_interval
from benchmarks.paired import opened
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.separation import Values, auc, bound_at, curve, equal_parts
from benchmarks.sets import set_files, set_options
from benchmarks.stores import bring
from benchmarks.variants import Variant, changes
from benchmarks.worlds import lines, world
from simonides.errors import InvalidInput
from simonides.memory import Memory
from simonides.sample import Question

OWN: Final = "answerable"
FOREIGN: Final = "of another world"
UNANSWERABLE: Final = "unanswerable"
TOGETHER: Final = "together"
#: Shares of answerable questions that may be lost.
LOSSES: Final = (0.01, 0.02, 0.05, 0.10)


@dataclass(frozen=True, slots=True)
class Task:
    """One world, as a worker process gets it."""

    line: str
    pool: Sequence[Asked]
    variant: Variant
    seed: int
    keep: Path | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a search for a question.

    Attributes:
        best: The confidence that anything answers, in [0, 1].
    """

    group: str
    abstained: bool
    best: float


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "How often a search abstains where the world answers, and where it cannot.")
    set_options(parser)
    parser.add_argument(
        "--weights", type=changes, default={}, metavar="K=V,…", help="weights and bounds of the read path"
    )
    options = parser.parse_args(arguments)
    variant = Variant("simonides", options.weights)
    recall = asdict(variant.settings.recall)
    answers: dict[str, list[Answer]] = {}
    for set_name, path in set_files(options).items():
        tasks = list(_tasks(path, variant, options.seed, options.stores))
        if len(tasks) == 1 and len(options.sets) > 1:
            progress(
                f"{set_name} is one world, left out: there is no other whose questions it could be asked"
            )
            continue
        progress(f"{set_name} …")
        answers[set_name] = _all_asked(tasks, options.workers)
    if not answers:
        raise InvalidInput("nothing to ask: each of the sets is one world")
    outcome = result(
        name,
        seed=options.seed,
        sizes={set_name: _counts(found) for set_name, found in answers.items()},
        figures=figures_of(answers),
        settings={"recall": recall},
    )
    return finish(outcome, tables(outcome), options)


def ask_world(task: Task) -> list[Answer]:
    """Fill a store with a world and ask it all three kinds of questions."""
    found = world(task.line)
    own = [some.question for some in answerable(found)]
    groups: dict[str, list[Question]] = {
        OWN: own,
        FOREIGN: foreign(found, task.pool, len(own), task.seed),
        UNANSWERABLE: [question for question in found.questions if question.abstain],
    }
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "world.db"
        bring(found, path, task.variant.embedder, task.keep)
        with opened(path, task.variant) as memory:
            return [
                _answer(memory, group, question)
                for group, questions in groups.items()
                for question in questions
            ]


def figures_of(answers: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    """Rates by kind of question, and how well the confidence tells answerable from foreign ones.

    `together` takes the sets as one, each counting the same.
    """
    figures: dict[str, Any] = {}
    values: list[tuple[Values, Values]] = []
    for name, found in answers.items():
        own, other = (
            Values.of([answer.best for answer in found if answer.group == group]) for group in (OWN, FOREIGN)
        )
        if not len(own.numbers) or not len(other.numbers):
            raise InvalidInput(f"{name}: nothing to ask; each world needs questions that it answers")
        values.append((own, other))
        groups = [group for group in (OWN, FOREIGN, UNANSWERABLE) if any(a.group == group for a in found)]
        rates = {
            group: _rate([answer.abstained for answer in found if answer.group == group]) for group in groups
        }
        figures[name] = {"abstained": rates, **_separation(own, other)}
    figures[TOGETHER] = _separation(
        equal_parts([own for own, _ in values]), equal_parts([other for _, other in values])
    )
    return figures


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures = outcome["figures"]
    sets = [name for name in figures if name != TOGETHER]
    rates: list[list[object]] = [
        [f"{name}, {group}", rate["questions"], rate["share"], rate["from"], rate["to"]]
        for name in sets
        for group, rate in figures[name]["abstained"].items()
    ]
    apart: list[list[object]] = [
        [
            name,
            figures[name]["auc"],
            *(figures[name]["at"][f"{loss:g}"][part] for loss in LOSSES for part in ("bound", "foreign")),
        ]
        for name in figures
    ]
    head = [text for loss in LOSSES for text in (f"bound, ≤ {loss:.0%}", "abstain")]
    return [
        Table("abstained, 95 %", ("", "questions", "share", "from", "to"), rates),
        Table(
            "bounds of the confidence that cost so many answerable questions, and the foreign ones below",
            ("", "AUC", *head),
            apart,
        ),
    ]


def _tasks(path: Path, variant: Variant, seed: int, stores: Path | None) -> Iterator[Task]:
    pool = [some for line in lines(path) for some in answerable(world(line))]
    stem = path.name.partition(".")[0]
    for number, line in enumerate(lines(path)):
        yield Task(line, pool, variant, seed, None if stores is None else stores / f"{stem}-{number}")


def _all_asked(tasks: Sequence[Task], workers: int) -> list[Answer]:
    if workers == 1 or len(tasks) == 1:
        return [answer for task in tasks for answer in ask_world(task)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        return [answer for found in pool.map(ask_world, tasks, chunksize=1) for answer in found]


def _answer(memory: Memory, group: str, question: Question) -> Answer:
    result = memory.search(question.text, at=question.at)
    return Answer(group, result.abstained, result.confidence)


def _separation(own: Values, other: Values) -> dict[str, Any]:
    at: dict[str, dict[str, float]] = {}
    for loss in LOSSES:
        bound = bound_at(own, loss)
        at[f"{loss:g}"] = {"bound": bound, "own": own.below(bound), "foreign": other.below(bound)}
    return {"auc": auc(own, other), "at": at, "curve": curve(own, other)}


def _rate(abstained: Sequence[bool]) -> dict[str, float]:
    share, lower, upper = share_interval(sum(abstained), len(abstained))
    return {"questions": len(abstained), "share": share, "from": lower, "to": upper}


def _counts(found: Sequence[Answer]) -> dict[str, int]:
    return {group: sum(answer.group == group for answer in found) for group in (OWN, FOREIGN, UNANSWERABLE)}
