"""Numbers as shapes: what the page draws as SVG. Pure; all coordinates in units of the view box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from simonides.domain.growth import Growth
from simonides.edges.wording import day
from simonides.values import dataclass

#: The view box, and the room around the plot for what is written there.
WIDTH: Final = 760
HEIGHT: Final = 240
LEFT: Final = 52
RIGHT: Final = 24
TOP: Final = 12
BOTTOM: Final = 28
#: Labels along the bottom at most.
_LABELS: Final = 8
_LINES: Final = 4
#: Tiers from the bottom of the picture to its top, by their names there.
TIERS: Final = {"long term": "ltm", "mid term": "mtm", "short term": "stm", "turns": "turns"}
#: Names that are nearer than this would touch.
_NEAR: Final = 14


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it stands, and what is written there."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class End:
    """Place of a curve's name."""

    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A path in one colour.

    Attributes:
        name: Of the series; its colour goes by it.
        label: What stands there, in words.
    """

    name: str
    path: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in one colour, and what it says in words."""

    name: str
    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Data of a chart.

    Attributes:
        rows, columns: Marks of the upright and of the level axis.
        ends: Where the names of curves are written.
        zero: Height of the level axis.
    """

    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    shapes: tuple[Curve, ...] = ()
    bars: tuple[Bar, ...] = ()
    ends: tuple[End, ...] = ()
    zero: float = HEIGHT - BOTTOM


def standing(growth: Growth) -> Chart:
    """Items that stood in each tier, over time."""
    series = {name: [period.standing[tier] for period in growth.periods] for name, tier in TIERS.items()}
    return stacked(series, days(growth))


def days(growth: Growth) -> list[str]:
    """Month and day on which each period began."""
    return [day(period.start)[5:] for period in growth.periods]


def stacked(series: Mapping[str, Sequence[int]], labels: Sequence[str]) -> Chart:
    """Areas on top of one another, the first at the bottom.

    Args:
        series: Counts by name, as many as there are labels, each >= 0.
        labels: At least one.
    """
    count = len(labels)
    totals = [sum(values[n] for values in series.values()) for n in range(count)]
    rows, most = _rows(max(totals, default=0))
    floor = [0.0] * count
    shapes: list[Curve] = []
    for name, values in series.items():
        roof = [low + value for low, value in zip(floor, values, strict=True)]
        upper = [_point(n, count, value, most) for n, value in enumerate(roof)]
        lower = [_point(n, count, value, most) for n, value in enumerate(floor)]
        if count == 1:  # One period is drawn as wide as there is room.
            upper, lower = _stretched(upper), _stretched(lower)
        if any(values):
            shapes.append(
                Curve(name, f"M{_line(upper)}L{_line(lower[::-1])}Z", f"{name}: {values[-1]:,} now")
            )
        floor = roof
    return Chart(rows, _columns(labels), tuple(shapes))


def diverging(
    up: Mapping[str, Sequence[int]], down: Mapping[str, Sequence[int]], labels: Sequence[str]
) -> Chart:
    """Bars for each label: what came above the axis, what went below it.

    Args:
        up, down: Counts by name, as many as there are labels, each >= 0.
    """
    count = len(labels)
    highest = max((sum(values[n] for values in up.values()) for n in range(count)), default=0)
    deepest = max((sum(values[n] for values in down.values()) for n in range(count)), default=0)
    step = _step(max(highest, deepest, 1))
    above, below = math.ceil(highest / step) or 1, math.ceil(deepest / step)
    unit = (HEIGHT - TOP - BOTTOM) / ((above + below) * step)
    zero = TOP + above * step * unit
    slot = (WIDTH - LEFT - RIGHT) / count
    bars: list[Bar] = []
    for sign, series in ((-1, up), (1, down)):
        for n, label in enumerate(labels):
            at = zero
            for name, values in series.items():
                height = values[n] * unit
                if not height:
                    continue
                top = at - height if sign < 0 else at
                at += sign * height
                bars.append(
                    Bar(
                        name,
                        LEFT + n * slot + slot * 0.12,
                        top,
                        slot * 0.76,
                        height,
                        f"{label}: {name} {values[n]:,}",
                    )
                )
    rows = tuple(
        Tick(zero - number * step * unit, f"{abs(number) * step:,}") for number in range(-below, above + 1)
    )
    columns = tuple(
        Tick(LEFT + (n + 0.5) * slot, label) for n, label in enumerate(labels) if n % _every(count) == 0
    )
    return Chart(rows, columns, bars=tuple(bars), zero=zero)


def falling(
    curves: Mapping[str, Sequence[tuple[float, float]]], labels: Mapping[int, str], bound: float
) -> Chart:
    """Curves of shares in [0, 1] over the days, and the bound at which they end.

    Args:
        curves: Points (day, share) by name, at least two each, by day.
        labels: What is written below some of the days; they span the level axis.
    """
    first, last = min(labels), max(labels)

    def placed(day: float, share: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (day - first) / (last - first)
        return x, _height(share, 1.0)

    shapes = [
        Curve(
            "bound", f"M{_line([placed(first, bound), placed(last, bound)])}", f"archived below {bound:.0%}"
        ),
        Curve("today", f"M{_line([placed(0, 0), placed(0, 1)])}", "today"),
    ]
    ends: list[End] = []
    for name, curve in curves.items():
        points = [placed(day, share) for day, share in curve]
        shapes.append(Curve(name, f"M{_line(points)}", f"{name}: {curve[0][1]:.0%}, then {curve[-1][1]:.0%}"))
        ends.append(End(*points[-1], name))
    rows = tuple(Tick(_height(quarter / 4, 1.0), f"{quarter * 25} %") for quarter in range(5))
    columns = tuple(Tick(placed(day, 0)[0], label) for day, label in labels.items())
    return Chart(rows, columns, tuple(shapes), ends=_apart(ends))


def share(value: float, most: float) -> float:
    """Length of a bar in a list, in [0, 100]."""
    return 0.0 if most <= 0 else round(100 * value / most, 2)


def _point(n: int, count: int, value: float, most: float) -> tuple[float, float]:
    return LEFT + (WIDTH - LEFT - RIGHT) * (n / (count - 1) if count > 1 else 0.0), _height(value, most)


def _height(value: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value / most if most else 0.0)


def _stretched(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    [(x, y)] = points
    return [(x, y), (WIDTH - RIGHT, y)]


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _rows(most: float) -> tuple[tuple[Tick, ...], float]:
    """Marks from 0 to a round number that is not below the most, and that number."""
    step = _step(max(most, 1))
    top = step * math.ceil(max(most, 1) / step)
    count = round(top / step)
    return tuple(Tick(_height(n * step, top), f"{n * step:,}") for n in range(count + 1)), top


def _step(most: float) -> int:
    """A round distance of marks, so that there are about four of them."""
    rough = most / _LINES
    power = 10 ** math.floor(math.log10(rough)) if rough >= 1 else 1
    return max(1, next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= rough))


def _columns(labels: Sequence[str]) -> tuple[Tick, ...]:
    count = len(labels)
    return tuple(
        Tick(_point(n, count, 0, 1)[0], label) for n, label in enumerate(labels) if n % _every(count) == 0
    )


def _every(count: int) -> int:
    return max(1, math.ceil(count / _LABELS))


def _apart(ends: Sequence[End]) -> tuple[End, ...]:
    """Place the names of curves above their ends, one above the other where ends are near."""
    apart: list[End] = []
    for end in sorted(ends, key=lambda end: (end.x, end.name)):
        y = end.y - 6
        while any(abs(other.x - end.x) < _NEAR and abs(other.y - y) < _NEAR for other in apart):
            y -= _NEAR
        apart.append(End(end.x, y, end.name))
    return tuple(apart)
