"""Prompts: what was put into them, when, for which question and why, and how it stands since."""

from __future__ import annotations

from typing import Any, Final

from simonides.domain.item import Item
from simonides.domain.records import Standing
from simonides.edges.page.score import grouped
from simonides.edges.page.visit import View, Visit
from simonides.errors import NotFound

_LISTED: Final = 50
_MOST: Final = 1000


def listing(visit: Visit) -> View:
    """The latest prompts."""
    count = visit.count("k", _LISTED, _MOST)
    prompts = visit.memory.injections(visit.query.get("session") or None, limit=count)
    seen = [one for one in prompts if visit.asks(one.scope)]
    shown: dict[str, Any] = {
        "here": "Prompts",
        "prompts": seen,
        "more": visit.address(k=count + _LISTED) if len(prompts) == count < _MOST else None,
    }
    return View(template="prompts", shown=shown, data={"prompts": [one.to_dict() for one in seen]})


def place(visit: Visit) -> View:
    """One prompt, with what was put into it as it was then and as it is now."""
    prompt = visit.memory.why(visit.names["id"])
    if not visit.asks(prompt.scope):
        raise NotFound(f"there is no injection {prompt.id!r}")
    rows: list[tuple[Item | None, Standing, float, Any]] = []
    for item_id, score in prompt.items:
        standing = prompt.now[item_id]
        signals = {
            name: value
            for name, value in prompt.signals.get(item_id, {}).items()
            if name not in {"base", "factor"}
        }
        parts = sorted(grouped(signals).items(), key=lambda pair: -abs(pair[1]))
        rows.append((standing.item, standing, score, parts))
    shown: dict[str, Any] = {"here": "Prompts", "prompt": prompt, "rows": rows}
    return View(template="prompt", shown=shown, data=prompt.to_dict())
