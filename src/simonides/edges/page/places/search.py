"""Search: hits of a question with their scores taken apart, and the text that a prompt would be given."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from simonides.by_hand import store_options
from simonides.config import user_store
from simonides.domain.scope import ALL
from simonides.domain.taxonomy import Tier
from simonides.edges.page.counted import stats_of
from simonides.edges.page.notices import done
from simonides.edges.page.places.actions import may_load
from simonides.edges.page.query_line import QueryLine, read_line
from simonides.edges.page.rows import Row, row_of
from simonides.edges.page.score import GROUPS, bars
from simonides.edges.page.visit import View, Visit
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from simonides import ContextResult, SearchResult

_HITS: Final = 10
_MOST: Final = 200
#: Times that are offered as filters.
_TIMES: Final = ("today", "yesterday", "last-week", "last-month")
_TYPES: Final = 8
#: Entities that are named beside what is newest.
_NAMED: Final = 10
#: Commands for somebody who has nothing stored yet.
_COMMANDS: Final = (
    ("Remember something", 'simonides add "We ship on Fridays." --type decision'),
    ("Let an assistant use it", "simonides mcp install --client claude-desktop"),
    ("Record what a chat says", "simonides proxy --upstream http://127.0.0.1:11434"),
)


def place(visit: Visit) -> View:
    """Answer a question, or list what is newest where none is asked."""
    line = read_line(visit.query.get("q", ""))
    stats = stats_of(visit.memory, visit.scope)
    if not stats["items"] and not line.text:
        return View(
            template="empty",
            shown={
                "here": "Search",
                "commands": _commands(visit),
                "offers_sample": may_load(visit),
                "notice": done(visit),
            },
            data={"items": []},
        )
    shown: dict[str, Any] = {
        "here": "Search",
        "line": line,
        "scopes": _scopes(visit, stats),
        "groups": GROUPS,
        "filters": _filters(line, stats),
        "notice": done(visit),
        "result": None,
        "context": None,
        "rows": [],
        "problem": None,
        "took_ms": 0.0,
        "more": None,
        "total": stats["by_status"].get("active", 0),
        "named": None,
        "kinds": _most(stats["active_by_type"], _TYPES),
    }
    try:
        if line.words:
            return _results(visit, line, shown)
        return _listed(visit, line, shown, stats)
    except InvalidInput as error:
        return View(
            template="search", shown=shown | {"problem": str(error)}, data=_problem(error), status=400
        )


def _results(visit: Visit, line: QueryLine, shown: dict[str, Any]) -> View:
    k = visit.count("k", _HITS, _MOST)
    started = time.perf_counter()
    result: SearchResult = visit.memory.search(line.words, scope=visit.scope, k=k, noted=False, **line.fields)
    took_ms = (time.perf_counter() - started) * 1000
    context: ContextResult = visit.memory.context(line.words, scope=visit.scope, noted=False, **line.fields)
    rows = [
        row_of(hit.told, visit, hit=hit, bar=bar) for hit, bar in zip(result, bars(result.hits), strict=True)
    ]
    given = {item.id for item in context.items}
    shown |= {
        "result": result,
        "rows": rows,
        "took_ms": took_ms,
        "context": context,
        "given": given,
        "more": visit.address(k=min(_MOST, k + 20)) if len(rows) == k < _MOST else None,
    }
    data = {
        "query": line.words,
        "scope": str(visit.scope),
        "result": result.to_dict(),
        "context": context.to_dict(),
    }
    return View(template="search", shown=shown, data=data)


def _listed(visit: Visit, line: QueryLine, shown: dict[str, Any], stats: Mapping[str, Any]) -> View:
    k, first = visit.count("k", _HITS, _MOST), visit.count("from", 0, 10_000_000)
    items = visit.memory.list(scope=visit.scope, limit=k + 1, offset=first, **line.fields)
    rows: list[Row] = [row_of(item, visit) for item in items[:k]]
    shown |= {"rows": rows, "more": visit.address(**{"from": first + k}) if len(items) > k else None}
    if not rows:
        hints = visit.memory.page(scope=visit.scope, limit=1, **line.fields).hints
        shown |= {"hints": hints, "waiting": stats["by_status"].get("quarantined", 0)}
    if not (line.text or first):
        shown |= {"named": visit.memory.entities.list(scope=visit.scope, limit=_NAMED)}
    return View(template="search", shown=shown, data={"items": [item.to_dict() for item in items[:k]]})


def _problem(error: InvalidInput) -> Mapping[str, str]:
    return {"code": error.code, "message": str(error)}


def _commands(visit: Visit) -> list[tuple[str, str]]:
    """Commands that fill this very store, for those whom all of it is open to; others are not told where it is."""
    if not visit.visitor.unbound:
        return []
    path = visit.memory.path
    named = shlex.join(store_options(path, user_store()))
    return [(word, f"{command} {named}".rstrip()) for word, command in _COMMANDS]


def _scopes(visit: Visit, stats: Mapping[str, Any]) -> list[str]:
    """Scopes that can be chosen, the fullest first, with the one that is."""
    own = ALL if visit.visitor.unbound else visit.visitor.scope
    whole = stats if not visit.chosen else stats_of(visit.memory, own)
    counted: Mapping[str, int] = whole["by_scope"]
    named = [
        scope for scope in sorted(counted, key=lambda scope: (-counted[scope], scope)) if visit.shows(scope)
    ]
    return list(dict.fromkeys([*named, *([visit.chosen] if visit.chosen else [])]))


def _most(counts: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    """The largest of some counts, the largest first."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def _filters(line: QueryLine, stats: Mapping[str, Any]) -> dict[str, Sequence[tuple[str, str]]]:
    """Filters that are offered: under their heading, a word and the line with it."""
    types: Mapping[str, int] = stats["active_by_type"]
    return {
        "type": [(name, line.having(f"type:{name}")) for name, _ in _most(types, _TYPES)],
        "tier": [(tier.value, line.having(f"tier:{tier.value}")) for tier in Tier],
        "since": [(name.replace("-", " "), line.having(f"after:{name}")) for name in _TIMES],
        "also": [
            ("pinned only", line.having("pinned:yes")),
            ("replaced and forgotten", line.having("archived:yes")),
        ],
    }
