"""The score of a hit as a bar: its parts by what they speak of, stacked, and beside them what speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from simonides.edges.cli.picture import makeup
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides import Hit

#: Groups of signals, in the order in which they are stacked: what each tells, and which signals it gathers.
GROUPS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "words": (
        "Words of the question stand in it, the rarer the better, and how many of them it holds.",
        frozenset({"match", "words", "lex", "coverage", "text", "bm25", "excerpt", "rerank"}),
    ),
    "meaning": (
        "It means something near, whatever the words: by its vector, and by those of the best other hits.",
        frozenset({"meaning", "vec", "vector", "feedback", "similarity"}),
    ),
    "people and time": (
        "It was said by whom, or is about whom, and when, the question names.",
        frozenset({"speaker", "time", "entity", "entities", "tag", "tags", "window"}),
    ),
    "surroundings": (
        "The turns beside it, its session, or memories linked to it fit too.",
        frozenset({"neighbours", "session", "links", "spread", "agenda", "activation"}),
    ),
    "standing": (
        "It holds by itself: its form, how settled, used and certain it is, and whether a newer one says otherwise.",
        frozenset(
            {"form", "prior", "standing", "versions", "confidence", "importance", "recency", "reinforcement"}
        ),
    ),
}
OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar, in hundredths of its length.

    Attributes:
        number: Of its group, from 1; 0 of none.
    """

    name: str
    number: int
    start: float
    length: float
    value: float


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """The parts of a score.

    Attributes:
        stacked: What speaks for the hit.
        against: What speaks against it, drawn below.
        rows: (group, value) of every group that says anything, the strongest first, and what all hits start from.
    """

    stacked: tuple[Segment, ...]
    against: tuple[Segment, ...]
    rows: tuple[tuple[str, int, float], ...]
    base: float
    factor: float


def bars(hits: Sequence[Hit]) -> list[ScoreBar]:
    """Bars of hits on one scale."""
    made = [makeup(hit.score, hit.signals) for hit in hits]
    parts = [grouped(one.parts) for one in made]
    most = max([_length(values.values()) for values in parts] + [1e-9])
    return [_bar(values, one.base, one.factor, most) for values, one in zip(parts, made, strict=True)]


def grouped(parts: Mapping[str, float]) -> dict[str, float]:
    """Parts of a score, by what they speak of."""
    groups: dict[str, float] = {}
    for name, value in parts.items():
        group = next((group for group, (_, names) in GROUPS.items() if name in names), OTHER)
        groups[group] = groups.get(group, 0.0) + value
    return groups


def _length(values: Iterable[float]) -> float:
    """Length of the longer of both bars."""
    listed = list(values)
    return max(sum(value for value in listed if value > 0), -sum(value for value in listed if value < 0))


def _bar(values: Mapping[str, float], base: float, factor: float, most: float) -> ScoreBar:
    numbers = {name: number for number, name in enumerate(GROUPS, 1)}
    stacked: list[Segment] = []
    against: list[Segment] = []
    for name in (*GROUPS, OTHER):
        value = values.get(name, 0.0)
        row = stacked if value > 0 else against
        if value:
            start = sum(segment.length for segment in row)
            length = round(100 * abs(value) / most, 2)
            row.append(Segment(name, numbers.get(name, 0), round(start, 2), length, value))
    ranked = sorted(values.items(), key=lambda pair: -abs(pair[1]))
    rows = tuple((name, numbers.get(name, 0), value) for name, value in ranked if abs(value) >= 0.005)
    return ScoreBar(tuple(stacked), tuple(against), rows, base, factor)
