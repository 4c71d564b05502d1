"""simonides stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer

from simonides.edges.cli import timeline as drawing
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output
from simonides.errors import InvalidInput

app = commands()
_GROUPS: Final = {
    "by_tier": "tier",
    "by_type": "type",
    "by_status": "status",
    "by_scope": "scope",
    "vectors": "model",
}
_MEGABYTE: Final = 1_000_000
#: Of a timeline where nothing else is given.
_PERIOD: Final = "day"
_PERIODS: Final = 30


@command(app, "stats", example="  simonides stats --project apollo")
def stats(
    common: Common,
    look: LookOptions,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Draw its growth: tiers, additions, merges, removals.")
    ] = False,
    by: Annotated[
        str | None, typer.Option(metavar="PERIOD", help="With --timeline: day or week.", show_default="day")
    ] = None,
    last: Annotated[
        int | None, typer.Option(metavar="N", help="With --timeline: how many periods.", show_default="30")
    ] = None,
) -> None:
    """Count what is there, by tier, type, status and scope.

    Without a scope, everything is counted.
    """
    if timeline:
        _timeline(common, look, _PERIOD if by is None else by, _PERIODS if last is None else last)
        return
    if by is not None or last is not None:
        raise InvalidInput("--by and --last go with --timeline")
    with common.memory(reads=True) as memory:
        store_name = common.store_name(memory)
        counts = memory.stats(scope=look.scopes_or_all)
    common.answer(dict(counts), lambda out: _show(out, counts, store_name))


def _timeline(common: Common, look: LookOptions, by: str, last: int) -> None:
    with common.memory(reads=True) as memory:
        growth = memory.growth(scope=look.scopes_or_all, by=by, last=last)
    common.answer(growth.to_dict(), lambda out: drawing.show(out, growth))


def _show(out: Output, sums: Mapping[str, Any], path: str) -> None:
    size = f"{sums['file_bytes'] / _MEGABYTE:.1f} MB"
    waiting = {f"turns {state}": count for state, count in sums["buffer"].items() if count}
    archive: dict[str, str] = {}
    if (archived := sums["archive"]) is not None:
        archive["archive file"] = (
            archived.get("problem")
            or f"{archived['items']} items, {archived['file_bytes'] / _MEGABYTE:.1f} MB"
        )
    out.fields({"store": path, "size": size, "items": sums["items"], **archive, **waiting})
    for name, title in _GROUPS.items():
        if counts := sums.get(name):
            out.line()
            rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            out.table((title, "items"), rows)
