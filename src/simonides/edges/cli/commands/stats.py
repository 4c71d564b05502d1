"""simonides stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer

from simonides.edges.cli import timeline as drawing
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions
from simonides.edges.cli.output import Output

app = commands()
_GROUPS: Final = {
    "by_tier": "tier",
    "by_type": "type",
    "by_status": "status",
    "by_scope": "scope",
    "vectors": "model",
}
_MEGABYTE: Final = 1_000_000


@command(app, "stats", example="  simonides stats --project apollo")
def stats(
    common: Common,
    look: LookOptions,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Draw its growth: tiers, additions, merges, removals.")
    ] = False,
    by: Annotated[str, typer.Option(metavar="PERIOD", help="day or week, of the timeline.")] = "day",
    last: Annotated[int, typer.Option(metavar="N", help="Periods of the timeline.")] = 30,
) -> None:
    """Count what is there, by tier, type, status and scope.

    Without a scope, everything is counted.
    """
    if timeline:
        _timeline(common, look, by, last)
        return
    with common.memory(reads=True) as memory:
        told = common.store_name(memory)
        found = memory.stats() if look.scopes is None else memory.stats(scope=look.scopes)
    common.answer(dict(found), lambda out: _show(out, found, told))


def _timeline(common: Common, look: LookOptions, by: str, last: int) -> None:
    from simonides.domain.scope import ALL  # noqa: PLC0415

    with common.memory(reads=True) as memory:
        found = memory.growth(scope=ALL if look.scopes is None else look.scopes, by=by, last=last)
    common.answer(found.to_dict(), lambda out: drawing.show(out, found))


def _show(out: Output, found: Mapping[str, Any], path: str) -> None:
    size = f"{found['file_bytes'] / _MEGABYTE:.1f} MB"
    waiting = {f"turns {state}": count for state, count in found["buffer"].items() if count}
    archive: dict[str, str] = {}
    if (told := found["archive"]) is not None:
        archive["archive file"] = (
            told.get("problem") or f"{told['items']} items, {told['file_bytes'] / _MEGABYTE:.1f} MB"
        )
    out.fields({"store": path, "size": size, "items": found["items"], **archive, **waiting})
    for name, title in _GROUPS.items():
        if counts := found.get(name):
            out.line()
            rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            out.table((title, "items"), rows)
