"""Audit: every change, who made it, and whether the chain of the log holds."""

from __future__ import annotations

from typing import Any, Final

from simonides.edges.page.visit import REVIEWER, View, Visit

_LISTED: Final = 100
_MOST: Final = 2000


def place(visit: Visit) -> View:
    """The latest events; with `?check=1` the chain is read through."""
    visit.require(REVIEWER)
    visit.require_whole()
    count = visit.count("k", _LISTED, _MOST)
    events = visit.memory.audit.events(item_id=visit.query.get("item") or None, limit=count)
    problems = list(visit.memory.audit.verify()) if visit.query.get("check") == "1" else None
    shown: dict[str, Any] = {
        "here": "Audit",
        "events": events,
        "problems": problems,
        "more": visit.address(k=min(_MOST, count + _LISTED)) if len(events) == count < _MOST else None,
    }
    data = {"events": [event.to_dict() for event in events], "problems": problems}
    return View(template="audit", shown=shown, data=data)
