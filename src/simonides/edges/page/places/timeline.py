"""Timeline: conversations, what happened when, and how the memory grew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from simonides.domain.growth import Growth
from simonides.edges.page.counted import growth_of
from simonides.edges.page.visit import View, Visit
from simonides.edges.report import charts

_DAYS: Final = 60
_WEEKS: Final = 52
#: Periods that are drawn at least.
_SHORTEST: Final = 7
_SESSIONS: Final = 30
_EVENTS: Final = 40
_TURNS: Final = 200


def place(visit: Visit) -> View:
    """Growth, conversations and events; with `?session=` one conversation, word for word."""
    if session := visit.query.get("session"):
        return _conversation(visit, session)
    by = "week" if visit.query.get("by") == "week" else "day"
    growth = _begun(growth_of(visit.memory, visit.scope, by, _WEEKS if by == "week" else _DAYS))
    sessions = visit.memory.sessions.list(scope=visit.scope, limit=visit.count("k", _SESSIONS, 1000))
    events = visit.memory.timeline(
        scope=visit.scope, limit=_EVENTS, kinds=["episodic"], types=["event", "narrative"]
    )
    shown: dict[str, Any] = {
        "here": "Timeline",
        "by": by,
        "growth": growth,
        "standing": charts.standing(growth),
        "course": _course(growth),
        "charts": charts,
        "names": list(charts.TIERS),
        "sessions": sessions,
        "events": events[::-1],
    }
    data = {
        "growth": growth.to_dict(),
        "sessions": [one.to_dict() for one in sessions],
        "events": [item.to_dict() for item in events],
    }
    return View(template="timeline", shown=shown, data=data)


def _conversation(visit: Visit, session: str) -> View:
    turns = visit.memory.sessions.get(session, scope=visit.scope)
    first = visit.count("from", 0, len(turns))
    shown: dict[str, Any] = {
        "here": "Timeline",
        "session": session,
        "turns": turns[first : first + _TURNS],
        "total": len(turns),
        "more": visit.address(**{"from": first + _TURNS}) if len(turns) > first + _TURNS else None,
    }
    data = {"session": session, "turns": [turn.to_dict() for turn in turns[first : first + _TURNS]]}
    return View(template="conversation", shown=shown, data=data)


def _begun(growth: Growth) -> Growth:
    """Growth from shortly before there was anything, a few periods at least."""
    first = next((n for n, period in enumerate(growth.periods) if any(period.standing.values())), 0)
    return replace(growth, periods=growth.periods[max(0, min(first - 1, len(growth.periods) - _SHORTEST)) :])


def _course(growth: Growth) -> charts.Chart:
    def counts(field: str) -> list[int]:
        return [getattr(period, field) for period in growth.periods]

    up = {"items came": counts("added"), "turns came": counts("turns")}
    return charts.diverging(
        up, {"merged": counts("merged"), "archived": counts("archived")}, charts.days(growth)
    )
