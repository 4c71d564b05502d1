"""Notes that were written on different days, and questions about their days."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from benchmarks.paraphrases import file_of
from benchmarks.report import Table, finish, options_of, result
from simonides.memory import Memory
from simonides.testing import FrozenClock

MEASURES: Final = ("questions", "first", "among three", "marked though answered", "marked")
#: By kind of question: what it names.
KINDS: Final = {
    "day": "a day",
    "event": "a time by an event",
    "time": "a time beside other words",
    "occasion": "the last or the first",
    "next": "the next",
}
_DEPTH: Final = 10


class _Asked(NamedTuple):
    """A question of a diary.

    Attributes:
        rank: The place of the first hit that answers it; 0 where none does, None where nothing in the diary does.
        marked: The search said that nothing answers it.
    """

    kind: str
    language: str
    turns: bool
    rank: int | None
    marked: bool


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Ask every question of every diary, kept as notes and as turns of a chat."""
    parser = options_of(name, "Diaries and logs, asked for what happened when.")
    options = parser.parse_args(arguments)
    asked = [one for diary in _diaries() for turns in (False, True) for one in _answers(diary, turns=turns)]
    groups = {KINDS[kind]: [one for one in asked if one.kind == kind] for kind in KINDS}
    groups |= {
        language: [one for one in asked if one.language == language]
        for language in sorted({one.language for one in asked})
    }
    groups |= {"notes": [one for one in asked if not one.turns], "turns": [one for one in asked if one.turns]}
    groups["all"] = asked
    figures = {group: _judged(some) for group, some in groups.items()}
    outcome = result(name, seed=None, sizes={"diaries": len(_diaries())}, figures=figures)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """One table, a line for each kind, each language, and each way of keeping them."""
    rows = [[group, *means.values()] for group, means in outcome["figures"].items()]
    return [Table("what happened when", ("asked for", *MEASURES), rows)]


def _diaries() -> Sequence[Mapping[str, Any]]:
    return tomllib.loads(file_of("diaries").read_text("utf-8"))["diary"]


def _answers(diary: Mapping[str, Any], *, turns: bool) -> Iterator[_Asked]:
    notes: Sequence[tuple[datetime, str]] = diary["notes"]
    clock = FrozenClock("2020-01-01T00:00:00Z")

    def wait_until(instant: datetime) -> None:
        clock.advance(seconds=instant.astimezone(UTC).timestamp() - clock.now() / 1_000_000)

    with (
        tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder,
        Memory(Path(folder) / "diary.db", clock=clock) as memory,
    ):
        for number, (instant, text) in enumerate(notes):
            wait_until(instant)
            if turns:
                memory.add([{"role": "user", "content": text}], session_id=f"{number}")
            else:
                memory.add(text)
        wait_until(diary["asked"])
        for question, places in diary["questions"]:
            found = memory.search(question, k=_DEPTH)
            right: set[str] = {notes[place][1] for place in places}
            ranks = (place for place, hit in enumerate(found.hits, 1) if hit.item.content in right)
            rank = next(ranks, 0) if places else None
            yield _Asked(diary["kind"], diary["language"], turns, rank, found.abstained)


def _judged(asked: Sequence[_Asked]) -> dict[str, float | None]:
    answered = [one for one in asked if one.rank is not None]
    vain = [one for one in asked if one.rank is None]
    found = (
        len(asked),
        fmean(one.rank == 1 for one in answered),
        fmean(one.rank in {1, 2, 3} for one in answered),
        fmean(one.marked for one in answered),
        fmean(one.marked for one in vain) if vain else None,
    )
    return dict(zip(MEASURES, found, strict=True))
