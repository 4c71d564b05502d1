"""Beliefs of a developer, asked for by other names and in other words: what aliases add, and what upkeep leaves."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.kinds import MEASURES, measured
from benchmarks.measures import interval
from benchmarks.report import Table, finish, options_of, result
from benchmarks.sets import spread
from benchmarks.stores import embedder_named
from benchmarks.variants import BUNDLED
from simonides.memory import Memory

ENGINE: Final = "simonides"
#: Differences are taken of this.
_COMPARED: Final = "R@10"
_DEPTH: Final = 50
_FILE: Final = Path(__file__).with_name("beliefs.toml")

#: Ids of the beliefs, best first, and whether the question was marked as one that nothing answers.
_Answer = tuple[list[str], bool]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Beliefs by id, and what is asked of them.

    Attributes:
        texts: The beliefs.
        about: What each names.
        aliases: Further names of that.
        questions: Each with the beliefs that answer it.
        unanswered: Questions that none answers.
    """

    texts: Mapping[str, str]
    about: Mapping[str, Sequence[str]]
    aliases: Mapping[str, Sequence[str]]
    questions: Sequence[tuple[str, frozenset[str]]]
    unanswered: Sequence[str]


def beliefs() -> Beliefs:
    """The beliefs of the file beside this module."""
    found = tomllib.loads(_FILE.read_text("utf-8"))
    return Beliefs(
        {id_: one["text"] for id_, one in found["belief"].items()},
        {id_: one["about"] for id_, one in found["belief"].items()},
        found["aliases"],
        [(text, frozenset(right)) for text, right in found["questions"]],
        found["unanswered"],
    )


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Ask every question of a store that knows the names, of one that does not, and of one after upkeep."""
    parser = options_of(name, "Beliefs of a developer, asked for by other names and in other words.")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    options = parser.parse_args(arguments)
    told = beliefs()
    sizes = {
        "beliefs": len(told.texts),
        "names": sum(map(len, told.aliases.values())),
        "questions": len(told.questions),
        "unanswered": len(told.unanswered),
    }
    ways = {
        ENGINE: _searched(told, aliases=True),
        "after a full upkeep": _searched(told, aliases=True, upkeep=True),
        "without other names": _searched(told, aliases=False),
        "BM25": _plainly(told, PlainBm25(told.texts)),
        "vectors": _plainly(told, PlainVectors(told.texts, embedder_named(BUNDLED))),
    }
    outcome = result(name, seed=options.seed, sizes=sizes, figures=_figures(told, ways, options.seed))
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """Each way beside the others, with the lead of the engine."""
    sizes = outcome["sizes"]
    title = f"{sizes['questions']} questions of {sizes['beliefs']} beliefs, {sizes['unanswered']} without an answer"
    head = ("", *MEASURES, "marked", "marked though answered", f"lead in {_COMPARED} (95 %)")
    rows: list[list[object]] = [
        [way, *one["means"].values(), one["marked"], one["marked though answered"], spread(one["lead"])]
        for way, one in outcome["figures"].items()
    ]
    return [Table(title, head, rows)]


def _searched(told: Beliefs, *, aliases: bool, upkeep: bool = False) -> list[_Answer]:
    """Answers of a store of the beliefs to each question, and then to each that none answers."""
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "beliefs.db") as memory:
        ids = {
            memory.add(text, entities=told.about[id_] if aliases else ()).verdicts[0].item_id: id_
            for id_, text in told.texts.items()
        }
        if aliases:
            for name, others in told.aliases.items():
                for other in others:
                    memory.entities.alias(name, other)
        if upkeep and (run := memory.maintain()).error is not None:
            raise RuntimeError(f"upkeep failed: {run.error}")
        answers: list[_Answer] = []
        for text in [*(text for text, _ in told.questions), *told.unanswered]:
            # What a question uses is written down half a second later: how soon the next one follows would count.
            found = memory.search(text, k=_DEPTH, noted=False)
            answers.append(([ids.get(hit.item.id, "") for hit in found], found.abstained))
        return answers


def _plainly(told: Beliefs, baseline: PlainBm25 | PlainVectors) -> list[_Answer]:
    rank: Callable[[str, int], list[str]] = baseline.ranking
    return [(rank(text, _DEPTH), False) for text in [*(text for text, _ in told.questions), *told.unanswered]]


def _figures(told: Beliefs, ways: Mapping[str, Sequence[_Answer]], seed: int) -> dict[str, Any]:
    """Means by way, and how far the engine leads."""
    size = len(told.questions)
    rows = {
        way: [
            measured(ranking, right)
            for (ranking, _), (_, right) in zip(some[:size], told.questions, strict=True)
        ]
        for way, some in ways.items()
    }
    ours = [row[_COMPARED] for row in rows[ENGINE]]
    plain = {"BM25", "vectors"}
    return {
        way: {
            "means": {one: round(fmean(row[one] for row in some), 4) for one in MEASURES},
            "marked": None if way in plain else _share(ways[way][size:]),
            "marked though answered": None if way in plain else _share(ways[way][:size]),
            "lead": None if way == ENGINE else interval(ours, [row[_COMPARED] for row in some], seed=seed),
        }
        for way, some in rows.items()
    }


def _share(answers: Sequence[_Answer]) -> float:
    return round(fmean(marked for _, marked in answers), 4)
