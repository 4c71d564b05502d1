"""simonides stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, Look
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
def stats(common: Common, look: Look) -> None:
    """Count what is there, by tier, type, status and scope.

    Everything is counted, where no scope is named.
    """
    with common.memory() as memory:
        path = memory.path
        found = memory.stats() if look.scopes is None else memory.stats(scope=look.scopes)
    common.answer(dict(found), lambda out: _show(out, found, str(path)))


def _show(out: Output, found: Mapping[str, Any], path: str) -> None:
    size = f"{found['file_bytes'] / _MEGABYTE:.1f} MB"
    out.fields({"store": path, "size": size, "items": found["items"]})
    for name, title in _GROUPS.items():
        if counts := found.get(name):
            out.line()
            rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            out.table((title, "items"), rows)
