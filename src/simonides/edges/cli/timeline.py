"""Growth of a store as a picture for the terminal: a line of blocks for each count, and the periods in numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from simonides.edges.cli.output import Output
from simonides.edges.cli.render import moment

if TYPE_CHECKING:
    from simonides.domain.growth import Growth, Period

_LEVELS: Final = "▁▂▃▄▅▆▇█"
#: Where nothing is: seen as a gap, and still a place.
_NOTHING: Final = "·"
_STANDING: Final = {"short term": "stm", "mid term": "mtm", "long term": "ltm", "turns": "turns"}
_HAPPENED: Final = {
    "turns came": "turns",
    "items came": "added",
    "held back": "held",
    "merged": "merged",
    "rose": "promoted",
    "archived": "archived",
    "came back": "restored",
    "runs": "runs",
    "runs failed": "failed",
}
_COLOURS: Final = {"merged": "cyan", "archived": "yellow", "held back": "yellow", "runs failed": "red"}
_FIGURE: Final = 9
#: Periods told in numbers, the newest.
_ROWS: Final = 14


def show(out: Output, growth: Growth) -> None:
    """Draw it: what stands at the end of each period, then what happened in it. Each line has a scale of its own."""
    periods = growth.periods
    begin, end = moment(periods[0].start, short=True), moment(periods[-1].start, short=True)
    out.line(out.paint(f"by {growth.by}, {begin} to {end} (UTC)", "bold"))
    out.line()
    _lines(
        out,
        "now",
        {name: [period.standing[tier] for period in periods] for name, tier in _STANDING.items()},
        lambda values: values[-1],
    )
    out.line()
    busy = [period for period in periods if _is_busy(period)]
    if not busy:
        out.line("nothing happened in this time")
        return
    _lines(
        out,
        "in all",
        {name: [getattr(period, field) for period in periods] for name, field in _HAPPENED.items()},
        sum,
    )
    out.line()
    headers = (growth.by, "came", "merged", "rose", "archived", "stm", "mtm", "ltm", "turns", "runs")
    out.table(headers, [_row(period) for period in busy[-_ROWS:]])
    if len(busy) > _ROWS:
        out.line(out.paint(f"and {len(busy) - _ROWS} earlier ones; --json tells all", "dim"))


def blocks(values: Sequence[int], cells: int) -> str:
    """Counts as a line of blocks, the highest of them full; neighbours share one where there are too many.

    Args:
        values: Each >= 0.
        cells: The most that are drawn, > 0.
    """
    together = -(-len(values) // cells)
    # From the end: the newest block is whole, and a block shows the highest of its counts.
    shown = [max(values[max(0, end - together) : end]) for end in range(len(values), 0, -together)][::-1]
    most = max(shown, default=0)
    return "".join(
        _LEVELS[max(0, -(-value * len(_LEVELS) // most) - 1)] if value else _NOTHING for value in shown
    )


def _lines(
    out: Output, header: str, rows: dict[str, list[int]], figure: Callable[[Sequence[int]], int]
) -> None:
    space = max(map(len, _HAPPENED))
    cells = max(10, out.width - space - _FIGURE - 4)
    out.line(out.paint(f"{'':<{space}}  {header:>{_FIGURE}}", "dim"))
    for name, values in rows.items():
        if any(values) or name in _STANDING:
            line = out.paint(blocks(values, cells), _COLOURS.get(name, "green"))
            out.line(f"{out.paint(f'{name:<{space}}', 'dim')}  {figure(values):>{_FIGURE},}  {line}")


def _is_busy(period: Period) -> bool:
    return any(getattr(period, field) for field in _HAPPENED.values())


def _row(period: Period) -> tuple[object, ...]:
    standing = period.standing
    return (
        moment(period.start, short=True),
        period.added + period.turns,
        period.merged,
        period.promoted,
        period.archived,
        *(standing[tier] for tier in _STANDING.values()),
        period.runs,
    )
