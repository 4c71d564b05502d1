"""Plain facts that people tell of themselves, and what they ask of them: job, home, age, pets, allergies, pay."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from benchmarks.paraphrases import file_of
from benchmarks.report import Table, finish, options_of, result
from simonides.memory import Memory
from simonides.testing import FrozenClock

MEASURES: Final = ("questions", "first", "among three", "marked though answered")
_DEPTH: Final = 10


class _Asked(NamedTuple):
    """A question of one person's store.

    Attributes:
        rank: The place of what answers it; 0 for none.
        marked: The search said that nothing answers it.
    """

    matter: str
    language: str
    rank: int
    marked: bool


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Ask every question of four persons in each language, each of whom told every matter in one of its ways."""
    parser = options_of(name, "Plain facts about oneself, told and asked for in several ways.")
    options = parser.parse_args(arguments)
    matters = tomllib.loads(file_of("oneself").read_text("utf-8"))["matter"]
    languages = dict.fromkeys(matter["language"] for matter in matters)
    asked = [
        one
        for language in languages
        for person in range(len(matters[0]["told"]))
        for one in _answers([matter for matter in matters if matter["language"] == language], person)
    ]
    groups = {code: [one for one in asked if one.language == code] for code in languages}
    groups |= {
        matter: [one for one in asked if one.matter == matter]
        for matter in dict.fromkeys(one.matter for one in asked)
    }
    groups["all"] = asked
    figures = {group: _judged(some) for group, some in groups.items()}
    outcome = result(name, seed=None, sizes={"matters": len(matters)}, figures=figures)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """One table, a line for each language and each matter."""
    rows = [[group, *means.values()] for group, means in outcome["figures"].items()]
    return [Table("facts about oneself", ("asked for", *MEASURES), rows)]


def _answers(matters: Sequence[Mapping[str, Any]], person: int) -> Iterator[_Asked]:
    with (
        tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder,
        Memory(Path(folder) / "oneself.db", clock=FrozenClock("2026-06-01T00:00:00Z")) as memory,
    ):
        memory.add([matter["told"][person] for matter in matters])
        for matter in matters:
            for question in matter["asked"]:
                found = memory.search(question, k=_DEPTH)
                told = [hit.item.content for hit in found.hits]
                right = matter["told"][person]
                rank = told.index(right) + 1 if right in told else 0
                yield _Asked(matter["name"], matter["language"], rank, found.abstained)


def _judged(asked: Sequence[_Asked]) -> dict[str, float]:
    found = (
        len(asked),
        fmean(one.rank == 1 for one in asked),
        fmean(one.rank in {1, 2, 3} for one in asked),
        fmean(one.marked for one in asked),
    )
    return dict(zip(MEASURES, found, strict=True))
